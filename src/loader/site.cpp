#include "wheel_audit/loader.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

void Site::add(const WheelFacts& wheel) {
  std::map<std::string_view, const ElfFacts*> elves;
  for (const ElfFacts& elf : wheel.elves) {
    if (elf.is_host()) elves.emplace(elf.path, &elf);
  }
  for (const MemberFacts& member : wheel.members) {
    if (member.kind == MemberKind::directory) continue;
    const auto elf = elves.find(member.path);
    files_.push_back(
        {install_path(member.path), &wheel, &member, elf == elves.end() ? nullptr : elf->second});
    const Placed& placed = files_.back();
    by_path_.emplace(placed.path, &placed);
    if (placed.elf != nullptr) {
      const std::string name(base_name(placed.path));
      by_name_.emplace(name, &placed);
      if (!placed.elf->soname.empty() && placed.elf->soname != name)
        by_name_.emplace(placed.elf->soname, &placed);
    }
    for (std::string_view up = directory_name(placed.path);
         directories_.emplace(up).second && !up.empty();) {
      up = directory_name(up);
    }
  }
}

const Placed* Site::at(std::string_view path) const {
  const auto found = by_path_.find(path);
  return found == by_path_.end() ? nullptr : found->second;
}

const Placed* Site::of(const WheelFacts& wheel, std::string_view member) const {
  const Placed* found = at(install_path(member));
  if (found != nullptr && found->wheel == &wheel && found->member->path == member) return found;
  for (const Placed& file : files_) {  // an equal path of another member took its place
    if (file.wheel == &wheel && file.member->path == member) return &file;
  }
  return nullptr;
}

bool Site::is_directory(std::string_view path) const { return directories_.contains(path); }

std::vector<const Placed*> Site::libraries_named(std::string_view name) const {
  std::vector<const Placed*> found;
  const auto [begin, end] = by_name_.equal_range(name);
  for (auto at = begin; at != end; ++at) found.push_back(at->second);
  return found;
}

}  // namespace wheel_audit
