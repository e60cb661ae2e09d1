// Which files of a wheel are loaded by themselves. Needs are followed by name alone, so that a
// library that is needed and not found is no root: its absence is said where it is needed.
#include <unordered_set>

#include "wheel_audit/limits.hpp"
#include "wheel_audit/loader.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The files of a wheel that a loader can load, by the names that meet a need.
struct Needs {
  std::vector<const Placed*> files;
  NameMultimap<const Placed*> by_name;
  std::unordered_set<const Placed*> needed;  ///< by another file
};

Needs needs_of(const Site& site, const WheelFacts& wheel, const PlacedSet& loaded) {
  Needs needs;
  std::unordered_set<const Placed*> known;
  for (const ElfFacts& elf : wheel.elves) {
    if (!elf.is_host() || (elf.type != "dyn" && elf.type != "exec")) continue;
    const Placed* file = site.of(wheel, elf.path);
    if (file == nullptr || file->elf == nullptr || !known.insert(file).second) continue;
    if (loaded.contains(file)) continue;
    needs.files.push_back(file);
    const std::string_view name = base_name(file->path);
    needs.by_name.emplace(name, file);
    if (!elf.soname.empty() && elf.soname != name) needs.by_name.emplace(elf.soname, file);
  }
  // Each name is looked at for its first two needers only: of two, one is another file.
  NameMap<const Placed*> needers;
  NameSet by_several;
  for (const Placed* file : needs.files) {
    for (const std::string& need : file->elf->needed) {
      const auto [needer, first] = needers.emplace(need, file);
      const bool second = needer->second != file && by_several.insert(need).second;
      if (!first && !second) continue;
      const auto [begin, end] = needs.by_name.equal_range(need);
      for (auto each = begin; each != end; ++each) {
        if (second || each->second != file) needs.needed.insert(each->second);
      }
    }
  }
  return needs;
}

/// What was reached so far, over needs by name.
struct Reached {
  std::unordered_set<const Placed*> files;
  NameSet names;
};

void reach(const Needs& needs, const Placed* start, Reached& reached) {
  std::vector<const Placed*> open;
  if (reached.files.insert(start).second) open.push_back(start);
  while (!open.empty()) {
    const Placed* file = open.back();
    open.pop_back();
    for (const std::string& need : file->elf->needed) {
      if (!reached.names.insert(need).second) continue;
      const auto [begin, end] = needs.by_name.equal_range(need);
      for (auto each = begin; each != end; ++each) {
        if (reached.files.insert(each->second).second) open.push_back(each->second);
      }
    }
  }
}

}  // namespace

std::vector<const Placed*> roots(const Site& site, const WheelFacts& wheel,
                                 const PlacedSet& loaded) {
  const Needs needs = needs_of(site, wheel, loaded);
  std::unordered_set<const Placed*> chosen;
  Reached reached;
  for (const Placed* file : needs.files) {
    const bool alone = file->elf->is_extension() || file->elf->is_executable();
    if (!alone && needs.needed.contains(file)) continue;
    chosen.insert(file);
    reach(needs, file, reached);
  }
  // What is left hangs on cycles. Of the starts from which everything is reached in order, those
  // that no later start reaches are enough.
  Reached forward = reached;
  std::vector<const Placed*> starts;
  for (const Placed* file : needs.files) {
    if (forward.files.contains(file)) continue;
    starts.push_back(file);
    reach(needs, file, forward);
  }
  for (auto start = starts.rbegin(); start != starts.rend(); ++start) {
    if (reached.files.contains(*start)) continue;
    chosen.insert(*start);
    reach(needs, *start, reached);
  }
  std::vector<const Placed*> in_order;
  for (const Placed* file : needs.files) {
    if (chosen.contains(file)) in_order.push_back(file);
  }
  return in_order;
}

Closures closures_of(const Site& site, const WheelFacts& wheel, Libc libc) {
  // A file that others need and none reaches is judged by itself, when all that was reached is.
  // Each round may leave such files again; from some round on, all of them are taken.
  constexpr int kMostRounds = 8;
  Closures closures;
  PlacedSet loaded;
  std::uint64_t needs = 0;
  for (int round = 0;; ++round) {
    const std::vector<const Placed*> starts =
        round < kMostRounds ? roots(site, wheel, loaded) : needs_of(site, wheel, loaded).files;
    for (const Placed* start : starts) {
      closures.cut = needs > limits().load_needs;
      if (closures.cut) return closures;
      closures.list.push_back(load(site, *start, libc));
      const Closure& last = closures.list.back();
      needs += last.edges.size();
      loaded.insert(last.loaded.begin(), last.loaded.end());
    }
    if (starts.empty()) return closures;
  }
}

}  // namespace wheel_audit
