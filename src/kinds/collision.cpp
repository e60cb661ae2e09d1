// Names that are one on a file system that folds case or normalises Unicode (Windows, macOS). The
// only file that includes utf8proc.
#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/text.hpp"

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

/// Two names that one file system cannot keep apart.
struct Collision {
  const std::string* member;  ///< that brings the later name
  std::string_view path;
  std::string_view other;
  bool directories;  ///< both are
};

/// The names of a tree of files, part by part, so that a long path costs no more than its letters.
class Names {
 public:
  /// Adds a member's path; what collides with an earlier name goes to `found`: the first of its
  /// directories that does, as those below it then do too, and the file. The same name twice is
  /// another rule's.
  void add(const std::string& member, bool directory, std::vector<Collision>& found) {
    const std::string_view path = member;
    // Members of one directory mostly follow each other. A name's node and first spelling never
    // change, so a directory without a collision stays one, and need not be walked again.
    const bool same = !directory && directory_name(path) == directory_;
    const std::size_t inside = same && !directory_.empty() ? directory_.size() + 1 : 0;
    std::size_t parent = inside > 0 ? directory_node_ : 0;
    bool below = false;  // a directory that collides
    for (std::size_t begin = inside; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const std::string_view part = path.substr(begin, end - begin);
      const bool file = end == path.size() && !directory;
      const std::string_view name = path.substr(0, end);
      begin = end + 1;
      if (file && !below) {
        directory_ = directory_name(path);
        directory_node_ = parent;
      }
      if (part.empty()) continue;
      const auto [place, fresh] = ids_.emplace(std::pair(parent, folded(part)), nodes_.size());
      if (fresh) nodes_.push_back({name, file, {}});
      Node& node = nodes_[place->second];
      parent = place->second;
      if (fresh || (below && !file && !node.file) || node.name == name) continue;
      below = true;
      if (!node.told.insert(name).second) continue;
      found.push_back({&member, name, node.name, !file && !node.file});
    }
  }

 private:
  struct Node {
    std::string_view name;  ///< as it is first spelt
    bool file = false;
    std::set<std::string_view> told;  ///< other spellings
  };

  std::map<std::pair<std::size_t, std::string>, std::size_t> ids_;  ///< by parent and folded part
  std::vector<Node> nodes_ = std::vector<Node>(1);                  ///< the root first
  std::string_view directory_;  ///< of the last file that lay in one without a collision
  std::size_t directory_node_ = 0;
};

/// The collisions in the order of members.
std::vector<Collision> collisions_of(const WheelFacts& wheel) {
  Names names;
  std::vector<Collision> found;
  for (const MemberFacts& member : wheel.members)
    names.add(member.path, member.kind == MemberKind::directory, found);
  return found;
}

/// Directories (folded, with a slash at the end) and what lies above and below them.
class Tree {
 public:
  void add(std::string directory) { directories_.insert(std::move(directory)); }
  /// Whether one of them is the directory, or lies above or below it.
  bool meets(const std::string& directory) const {
    const auto below = directories_.lower_bound(directory);
    if (below != directories_.end() && below->starts_with(directory)) return true;
    const std::size_t longest = openable_directory(directory).size();
    for (std::size_t slash = directory.find('/'); slash <= longest;
         slash = directory.find('/', slash + 1)) {
      if (directories_.contains(directory.substr(0, slash + 1))) return true;
    }
    return false;
  }

 private:
  std::set<std::string> directories_;
};

/// `member.collision`: two names that one file system cannot keep apart. Of names below each other
/// the files are told, which are lost; else the first directories, which merge: a package among
/// them is then found under one spelling only.
Check collision(Params&) {
  return [](const Subject& subject, Report& report) {
    const std::vector<Collision> found = collisions_of(subject.wheel);
    Tree told;
    for (const Collision& one : found) {
      if (!one.directories) told.add(folded(one.path) + "/");
    }
    for (const Collision& one : found) {
      if (one.directories) {
        const std::string directory = folded(one.path) + "/";
        if (told.meets(directory)) continue;
        told.add(directory);
      }
      report(fault(
          *one.member,
          fmt::format("{}collides with {} where case or Unicode form is ignored",
                      one.directories ? fmt::format("its directory {} ", one.path) : "", one.other),
          {{"found", std::string(one.path)}, {"other", std::string(one.other)}}, folded(one.path)));
    }
    return looked_at_members(subject.wheel);
  };
}

}  // namespace

std::vector<Kind> collision_kinds() { return {{"member.collision", collision}}; }

}  // namespace wheel_audit
