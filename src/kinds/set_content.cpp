// Whether the wheels of one build ship the same libraries of the project's own.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/lasting_name.hpp"
#include "kinds/project.hpp"
#include "kinds/set_groups.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Replaces a word where no letter or digit continues it, by `*`.
void replace_word(std::string& text, std::string_view word, std::string_view continues) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool before = at > 0 && continues.find(text[at - 1]) != std::string_view::npos;
    const bool after = end < text.size() && continues.find(text[end]) != std::string_view::npos;
    if (!before && !after) text.replace(at, word.size(), "*");
  }
}

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLettersAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789";

/// The words of a machine or of its sizes that file and directory names have.
constexpr std::array<std::string_view, 24> kMachines = {
    "x86_64", "x86-64",  "amd64",       "x64",     "aarch64", "arm64",   "armv7l",    "armhf",
    "arm",    "i686",    "i386",        "x86",     "win32",   "ppc64le", "ppc64",     "powerpc64le",
    "s390x",  "riscv64", "loongarch64", "linux64", "win64",   "musl",    "gnueabihf", "gnu"};

/// A library's path as every sibling has it: without hash, ABI tag, the wheel's own Python and
/// machine.
std::string common_path(const Subject& subject, std::string_view path) {
  std::string common = lower(without_abi_tag(lasting_path(site_path_of(path))));
  for (const std::string_view machine : kMachines) replace_word(common, machine, kLettersAndDigits);
  for (const std::string& tag : subject.wheel.name->python) {
    const std::optional<PythonTag> python = parse_python_tag(tag);
    if (!python || python->minor < 0) continue;
    replace_word(common, fmt::format("{}{}", python->major, python->minor), kDigits);
    replace_word(common, fmt::format("{}.{}", python->major, python->minor), kDigits);
  }
  return common;
}

/// Whether a member is a library for the host, as far as its facts tell.
bool is_library(const Subject& subject, const MemberFacts& member) {
  if (member.kind == MemberKind::elf) {
    const ElfFacts* elf = subject.index().elf(member.path);
    if (elf == nullptr) return true;  // not read: it may be one
    return elf->is_host() && elf->type == "dyn" && !elf->is_executable();
  }
  if (member.kind == MemberKind::macho)
    return member.path.ends_with(".so") || member.path.ends_with(".dylib");
  return member.kind == MemberKind::pe &&
         (member.path.ends_with(".pyd") || member.path.ends_with(".dll"));
}

/// Whether repair tools put it there.
bool is_vendored(std::string_view path) {
  const std::string_view directory = directory_name(path);
  return top_level(path).ends_with(".libs") || directory.ends_with(".libs") ||
         directory.ends_with("/.dylibs") || directory == ".dylibs";
}

/// The wheel's own libraries: path as every sibling has it, and as this one does.
using OwnLibraries = std::map<std::string, std::string>;

OwnLibraries own_libraries(const Subject& subject, const std::vector<std::string>& besides) {
  OwnLibraries own;
  for (const MemberFacts& member : subject.wheel.members) {
    if (!is_library(subject, member) || is_vendored(member.path)) continue;
    if (matches_any(besides, without_hash(base_name(member.path)))) continue;
    own.emplace(common_path(subject, member.path), member.path);
  }
  return own;
}

/// One library: who has it, and who does not.
void tell(const std::string& common, const std::map<const Subject*, OwnLibraries>& own,
          const Siblings& wheels, SetReport& report) {
  Siblings having;
  Siblings lacking;
  for (const Subject* wheel : wheels)
    (own.at(wheel).contains(common) ? having : lacking).push_back(wheel);
  if (lacking.empty()) return;
  const std::string& path = own.at(having.front()).at(common);
  if (having.size() >= lacking.size()) {
    for (const Subject* wheel : lacking) {
      report(*wheel, fault(std::nullopt,
                           fmt::format("does not ship {}, which {} does", path, named(having)),
                           {{"library", path},
                            {"found", "nothing"},
                            {"expected", path},
                            {"wheel", having.front()->wheel.file_name}},
                           common));
    }
    return;
  }
  for (const Subject* wheel : having) {
    const std::string& own_path = own.at(wheel).at(common);
    report(*wheel, fault(own_path, fmt::format("is not shipped by {}", named(lacking)),
                         {{"library", own_path},
                          {"found", own_path},
                          {"expected", "nothing"},
                          {"wheel", lacking.front()->wheel.file_name}},
                         common));
  }
}

/// Wheels that are built alike: one build, system and Python implementation. A wheel for any
/// platform beside them is the fallback without native code; of one that could not be read, nobody
/// knows what it lacks.
std::optional<std::string> alike(const Subject& subject) {
  const WheelFacts& wheel = subject.wheel;
  if (is_any_platform(*wheel.name) || wheel.members.empty()) return std::nullopt;
  const std::optional<PythonTag> python = parse_python_tag(wheel.name->python.front());
  return fmt::format("{}/{}/{}", build_of(subject), system_of(subject),
                     python ? python->implementation : wheel.name->python.front());
}

/// `set.content`: libraries that some wheels of one build have and others lack.
SetCheck content(Params& params) {
  const std::vector<std::string> besides = params.list("besides");
  return [besides](const Siblings& all, SetReport& report) {
    for (const Siblings& wheels : apart(all, alike)) {
      std::map<const Subject*, OwnLibraries> own;
      std::set<std::string> every;
      for (const Subject* wheel : wheels) {
        const OwnLibraries& libraries = own[wheel] = own_libraries(*wheel, besides);
        for (const auto& [common, path] : libraries) every.insert(common);
      }
      if (every.empty()) continue;
      report.looked_at(wheels);
      for (const std::string& common : every) tell(common, own, wheels, report);
    }
  };
}

}  // namespace

SetKind content_set_kind() { return {"set.content", content}; }

}  // namespace wheel_audit
