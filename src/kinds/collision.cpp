// Names that are one on a file system that folds case or normalises Unicode (Windows, macOS). The
// only file that includes utf8proc.
#include <fmt/format.h>
#include <utf8proc.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"

namespace wheel_audit {

namespace {

/// Canonically composed and case-folded; text that is not UTF-8 as it is.
std::string folded(std::string_view text) {
  bool ascii = true;
  std::string plain(text);
  for (char& c : plain) {
    if (static_cast<unsigned char>(c) >= 0x80) ascii = false;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  if (ascii) return plain;
  utf8proc_uint8_t* mapped = nullptr;
  const auto options =
      static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
  const std::vector<utf8proc_uint8_t> bytes(text.begin(), text.end());
  const utf8proc_ssize_t length =
      utf8proc_map(bytes.data(), static_cast<utf8proc_ssize_t>(bytes.size()), &mapped, options);
  if (length < 0) return std::string(text);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  const std::span<const utf8proc_uint8_t> folded_bytes(mapped, static_cast<std::size_t>(length));
  return std::string(folded_bytes.begin(), folded_bytes.end());
}

/// A name as it is first spelt, and whether it is a file's.
struct Spelling {
  std::string_view path;
  bool file = false;
};

using Spellings = std::map<std::string, Spelling>;

/// Notes a path; the earlier one that it collides with, or an empty view. Directories that differ
/// in case merge without loss, so one of the two must be a file.
std::string_view note(Spellings& seen, std::string_view path, bool file) {
  const auto [place, added] = seen.emplace(folded(path), Spelling{path, file});
  Spelling& first = place->second;
  if (added || (!file && !first.file)) return {};
  if (first.path == path) return {};  // the same name twice is another rule's
  return first.path;
}

/// `member.collision`: two names that one file system cannot keep apart.
Check collision(Params&) {
  return [](const Subject& subject, Report& report) {
    Spellings seen;
    const auto meet = [&](const std::string& member, std::string_view path, bool file) {
      const std::string_view other = note(seen, path, file);
      if (other.empty()) return;
      report(fault(member,
                   fmt::format("collides with {} where case or Unicode form is ignored", other),
                   {{"found", std::string(path)}, {"other", std::string(other)}}, folded(path)));
    };
    std::unordered_set<std::string_view> directories;
    for (const MemberFacts& member : subject.wheel.members) {
      const std::string_view path = member.path;
      if (member.kind != MemberKind::directory) meet(member.path, path, true);
      for (std::size_t slash = path.find('/'); slash != std::string_view::npos && slash > 0;
           slash = path.find('/', slash + 1)) {
        if (!directories.insert(path.substr(0, slash)).second) continue;
        meet(member.path, path.substr(0, slash), false);
      }
    }
    return subject.wheel.members.empty() ? Looked::nothing : Looked::something;
  };
}

}  // namespace

std::vector<Kind> collision_kinds() { return {{"member.collision", collision}}; }

}  // namespace wheel_audit
