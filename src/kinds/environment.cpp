// Questions about what several wheels load together: the one under judgement and those given with
// --with or --env, as they lie in one environment.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/project.hpp"
#include "kinds/trains.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// `environment.provider`: needs that only a given wheel meets which is no declared dependency. A
/// package that the tables know is told by the rules that have them.
Check provider(Params& params) {
  const auto tables = Libraries::of(params);
  const auto platforms = Platforms::of(params);
  return [tables, platforms](const Subject& subject, Report& report) {
    if (!subject.context.given() || judged_elves(subject).empty()) return Looked::nothing;
    for (const Need& need : judge_needs(subject, *tables, *platforms)) {
      const bool under_extra =
          need.state == NeedState::declared_partly && need.applies == Applies::under_extra;
      if ((!need.is_undeclared() && !under_extra) || !need.only_given) continue;
      report(fault(
          need.from->member->path,
          fmt::format("needs {}, which only {} provides, and {}", need.name, need.provider.package,
                      under_extra ? "METADATA declares it under an extra alone"
                                  : "neither METADATA nor a dependency declares it"),
          {{"soname", need.name},
           {"package", need.provider.package},
           {"found",
            under_extra ? std::string(when_words(need.applies)) : "no requirement that brings it"},
           {"expected", "Requires-Dist: " + need.provider.package}},
          need.name));
    }
    return Looked::something;
  };
}

/// The first need that tells each train, as words.
using Trains = std::map<int, std::string>;

void add_trains(const Closure& closure, const Libraries& libraries, Trains& trains) {
  for (const Edge& edge : closure.edges) {
    const int told = train_of_soname(libraries, edge.need);
    if (told == 0) continue;
    trains.emplace(
        told, fmt::format("{} of CUDA {} (for {})", edge.need, told, shown_path(edge.from->path)));
  }
}

/// The trains of the given wheels that the judged one requires, directly or not. NVIDIA's own
/// packages are none (that a train's package is declared is another question), nor are wheels that
/// bring several trains and choose one when they run.
Trains trains_of_required(const Subject& subject, const Libraries& libraries, Libc libc) {
  const std::set<std::string> declared = packages_declared(subject);
  Trains all;
  for (const WheelFacts* wheel : other_projects(subject)) {
    const std::string package = project_of(*wheel);
    const bool nvidia = std::ranges::any_of(libraries.all(), [&](const Provider& known) {
      return known.nvidia() && known.package == package;
    });
    if (nvidia || !declared.contains(package)) continue;
    Trains own;
    for (const Placed* root : roots(subject.site(), *wheel)) {
      add_trains(load(subject.site(), *root, libc), libraries, own);
    }
    if (own.size() == 1) all.insert(*own.begin());
  }
  return all;
}

/// `environment.trains`: two CUDA trains in what the wheel and those that it requires load.
Check trains(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    if (!subject.context.given()) return Looked::nothing;
    const Libc libc = subject.libcs().front();
    std::vector<std::pair<const Placed*, Trains>> by_root;
    Trains own;
    for (const Closure& closure : subject.closures(libc)) {
      Trains loaded;
      add_trains(closure, libraries, loaded);
      if (loaded.empty()) continue;
      own.insert(loaded.begin(), loaded.end());
      by_root.emplace_back(closure.root, std::move(loaded));
    }
    const Trains required = trains_of_required(subject, libraries, libc);
    if (own.empty() && required.empty()) return Looked::nothing;
    if (own.empty()) by_root.emplace_back(nullptr, Trains());
    // Roots of different trains are chosen from when the wheel runs.
    const bool chooses = own.size() > 1 && std::ranges::all_of(by_root, [](const auto& root) {
                           return root.second.size() == 1;
                         });
    for (auto& [root, loaded] : by_root) {
      if (!chooses) loaded.insert(required.begin(), required.end());
      if (loaded.size() < 2) continue;
      std::vector<std::string> parts;
      for (const auto& [train, words] : loaded) parts.push_back(words);
      report(fault(root == nullptr ? std::nullopt : std::optional(root->member->path),
                   "two CUDA trains meet in its environment: " + join(parts, " and "),
                   {{"found", join(parts, ", ")}, {"expected", "one train in one process"}}));
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> environment_kinds() {
  return {{"environment.provider", provider}, {"environment.trains", trains}};
}

}  // namespace wheel_audit
