// Which member of the new wheel succeeds which one of the old: by exact path first, by ever looser
// names after that, each taken once.
#include "diff/match.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "base/lasting_name.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit {

namespace {

/// A library's name without its version: `libz.so.1.2.11` → `libz.so`, `libicui18n-70.so` →
/// `libicui18n.so`, `libx.3.23.dev.so` → `libx.so`.
std::string without_version(std::string_view name) {
  std::size_t so = name.find(".so");
  for (; so != std::string_view::npos; so = name.find(".so", so + 1)) {
    if (so + 3 == name.size() || name[so + 3] == '.') break;
  }
  if (so == std::string_view::npos) return std::string(name);
  std::string_view stem = name.substr(0, so);
  for (std::size_t at = stem.find_first_of("-."); at != std::string_view::npos;
       at = stem.find_first_of("-.", at + 1)) {
    if (at > 0 && at + 1 < stem.size() && is_digit(stem[at + 1])) {
      stem = stem.substr(0, at);
      break;
    }
  }
  return std::string(stem) + ".so";
}

/// The path without what its own distribution's name and version put into it.
std::string without_distribution(std::string path, const WheelFacts& wheel) {
  if (!wheel.name) return path;
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return path;
  const std::string top = path.substr(0, slash);
  for (const std::string_view suffix : {".dist-info", ".data", ".libs"}) {
    if (!top.ends_with(suffix)) continue;
    const std::string name = top.substr(0, top.size() - suffix.size());
    if (normalize_name(name) == normalize_name(wheel.name->distribution))
      return std::string(suffix) + path.substr(slash);
  }
  return path;
}

std::string in_folder_of(std::string_view path, const std::string& name) {
  const std::string_view folder = directory_name(path);
  return folder.empty() ? name : std::string(folder) + "/" + name;
}

/// What a member is called when it is looked for, from exact to loose; empty: not looked for so.
using KeyOf = std::string (*)(const MemberFacts& member, const WheelFacts& wheel);

std::string exact_path(const MemberFacts& member, const WheelFacts&) { return member.path; }

std::string plain_path(const MemberFacts& member, const WheelFacts& wheel) {
  return without_abi_tag(without_distribution(lasting_path(member.path), wheel));
}

std::string unversioned_path(const MemberFacts& member, const WheelFacts& wheel) {
  if (member.kind != MemberKind::elf) return {};
  const std::string path = plain_path(member, wheel);
  return in_folder_of(path, without_version(base_name(path)));
}

std::string library_name(const MemberFacts& member, const WheelFacts& wheel) {
  if (member.kind != MemberKind::elf) return {};
  return std::string(base_name(unversioned_path(member, wheel)));
}

using Members = std::vector<const MemberFacts*>;

std::map<std::string, Members> by_key(const WheelFacts& wheel, KeyOf key,
                                      const std::set<const MemberFacts*>& matched) {
  std::map<std::string, Members> keyed;
  for (const MemberFacts& member : wheel.members) {
    if (member.kind == MemberKind::directory || matched.contains(&member)) continue;
    const std::string name = key(member, wheel);
    if (!name.empty()) keyed[name].push_back(&member);
  }
  // Archives list the same members in different orders.
  for (auto& [name, members] : keyed) std::ranges::stable_sort(members, {}, &MemberFacts::path);
  return keyed;
}

}  // namespace

std::vector<Pair> match_members(const WheelFacts& before, const WheelFacts& after) {
  std::vector<Pair> pairs;
  std::set<const MemberFacts*> matched;
  for (const KeyOf key : {exact_path, plain_path, unversioned_path, library_name}) {
    const std::map<std::string, Members> old = by_key(before, key, matched);
    for (auto& [name, fresh] : by_key(after, key, matched)) {
      const auto found = old.find(name);
      if (found == old.end() || found->second.size() != fresh.size()) continue;
      // Several libraries of one name that lie in several folders are told apart by nothing.
      if (key == library_name && fresh.size() > 1) continue;
      for (std::size_t i = 0; i < fresh.size(); ++i) {
        pairs.push_back({found->second[i], fresh[i]});
        matched.insert({found->second[i], fresh[i]});
      }
    }
  }
  for (const MemberFacts& member : before.members) {
    if (member.kind != MemberKind::directory && !matched.contains(&member))
      pairs.push_back({&member, nullptr});
  }
  for (const MemberFacts& member : after.members) {
    if (member.kind != MemberKind::directory && !matched.contains(&member))
      pairs.push_back({nullptr, &member});
  }
  const auto path = [](const Pair& pair) -> const std::string& {
    return pair.after != nullptr ? pair.after->path : pair.before->path;
  };
  std::ranges::stable_sort(pairs, {}, path);
  return pairs;
}

}  // namespace wheel_audit
