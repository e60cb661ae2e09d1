// What an object of a closure brings in, as a tree that can be drawn.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "wheel_audit/loader.hpp"

namespace wheel_audit {

/// So many levels of needs are drawn: each line is indented by its level, so that without an end a
/// chain would cost the square of its length. Real wheels have under twenty.
inline constexpr int kDeepestDrawn = 64;

/// Needs (Edge, LoadedNeed) by the object that has them; borrows them.
template <class Need>
class NeedTree {
 public:
  using Object = decltype(Need::from);

  explicit NeedTree(const std::vector<Need>& needs) {
    for (const Need& need : needs) of_[need.from].push_back(&need);
  }

  /// In the order in which the loader asks.
  const std::vector<const Need*>& of(const Object& object) const {
    static const std::vector<const Need*> kNone;
    const auto found = of_.find(object);
    return found == of_.end() ? kNone : found->second;
  }

  /// How many needs an object has, with those of all that it brings in.
  std::size_t count_below(const Object& object) const {
    std::size_t count = 0;
    std::set<Object> seen = {object};
    std::vector<Object> open = {object};
    while (!open.empty()) {
      const std::vector<const Need*>& needs = of(open.back());
      open.pop_back();
      count += needs.size();
      for (const Need* need : needs) {
        if (need->met == Met::found && seen.insert(need->to).second) open.push_back(need->to);
      }
    }
    return count;
  }

 private:
  std::map<Object, std::vector<const Need*>> of_;
};

}  // namespace wheel_audit
