// The installed files of several wheels as one tree.

#include <iterator>

#include "wheel_audit/loader.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

void Site::add(const WheelFacts& wheel) {
  NameMap<const ElfFacts*> elves;
  for (const ElfFacts& elf : wheel.elves) {
    if (elf.is_host()) elves.emplace(elf.path, &elf);
  }
  auto next = by_path_.end();  // archives list their members nearly in order
  for (const MemberFacts& member : wheel.members) {
    if (member.kind == MemberKind::directory || member.path.ends_with('/')) continue;
    std::string path = install_path(member.path);
    if (path == kSitePackages) continue;
    files_.push_back({.path = std::move(path), .wheel = &wheel, .member = &member, .elf = nullptr});
    Placed& placed = files_.back();
    const auto place = by_path_.emplace_hint(next, placed.path, &placed);
    next = std::next(place);
    if (place->second != &placed) {  // taken
      files_.pop_back();
      continue;
    }
    const auto elf = elves.find(member.path);
    if (elf == elves.end()) continue;
    placed.elf = elf->second;
    const std::string_view name = base_name(placed.path);
    by_name_.emplace(name, &placed);
    if (!placed.elf->soname.empty() && placed.elf->soname != name) {
      by_name_.emplace(placed.elf->soname, &placed);
    }
  }
}

const Placed* Site::at(std::string_view path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : found->second;
}

const Placed* Site::of(const WheelFacts& wheel, std::string_view member) const {
  const Placed* placed = at(install_path(member));
  return placed != nullptr && placed->wheel == &wheel ? placed : nullptr;
}

bool Site::is_directory(std::string_view path) const {
  if (path.empty()) return !files_.empty();
  const std::string inside = std::string(path) + "/";
  const auto next = by_path_.lower_bound(inside);
  return next != by_path_.end() && next->first.starts_with(inside);
}

std::vector<const Placed*> Site::libraries_named(std::string_view name) const {
  std::vector<const Placed*> libraries;
  const auto [begin, end] = by_name_.equal_range(name);
  for (auto each = begin; each != end; ++each) libraries.push_back(each->second);
  return libraries;
}

}  // namespace wheel_audit
