// Which libraries are loaded for their own sake alone, so that what they lack may be an optional
// runtime's.
#include "kinds/need_judge.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

void NeedJudge::note_users() {
  for (const ElfFacts& elf : subject_.wheel.elves) {
    bool wants_runtime = false;
    for (const std::string& need : elf.needed) {
      users_[need].push_back(&elf);
      wants_runtime = wants_runtime || !libraries_.optional_runtime(need).empty();
    }
    if (!wants_runtime || elf.is_extension()) continue;
    const Placed* user = subject_.site().of(subject_.wheel, elf.path);
    if (user != nullptr && roots_.contains(user)) lone_plugins_.insert(&elf);
  }
}

bool NeedJudge::is_plugin(const Placed* object) const {
  if (object->elf->is_extension()) return false;
  if (roots_.contains(object)) return true;
  for (const std::string_view name :
       {base_name(object->path), std::string_view(object->elf->soname)}) {
    const auto users = users_.find(name);
    if (users == users_.end() || name.empty()) continue;
    for (const ElfFacts* user : users->second) {
      if (!lone_plugins_.contains(user)) return false;
    }
  }
  return true;
}

}  // namespace wheel_audit
