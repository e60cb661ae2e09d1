// Questions about several wheels together: the one under judgement and those given with --with or
// --env, as they lie in one environment.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/project.hpp"
#include "kinds/trains.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::string package_of(const WheelFacts& wheel) {
  return wheel.name ? normalize_name(wheel.name->distribution) : std::string();
}

/// A file name, or for an installed distribution its name.
std::string shown_wheel(const WheelFacts& wheel) {
  if (!wheel.name) return wheel.file_name;
  return fmt::format("{} {}", package_of(wheel), wheel.name->version);
}

/// The given wheels but those of the judged wheel's own project, which it takes the place of.
std::vector<const WheelFacts*> others(const Subject& subject) {
  std::vector<const WheelFacts*> found;
  const std::string own = package_of(subject.wheel);
  for (const WheelFacts* wheel : subject.context.wheels) {
    if (wheel->name && package_of(*wheel) != own) found.push_back(wheel);
  }
  return found;
}

/// Whether two files of one path have the same bytes; nothing where they have one size and no sum
/// that both sides know (an installed file has RECORD's digest, a wheel read without digests has
/// CRC-32 alone).
std::optional<bool> are_same(const MemberFacts& a, const MemberFacts& b) {
  if (a.size != b.size) return false;
  if (!a.sha256.empty() && !b.sha256.empty()) return a.sha256 == b.sha256;
  if (a.size == 0) return true;
  if (a.crc32 != 0 && b.crc32 != 0) return a.crc32 == b.crc32;
  return std::nullopt;
}

using Owners = std::unordered_map<std::string, std::pair<const WheelFacts*, const MemberFacts*>>;

Fault two_given(const WheelFacts& first, const WheelFacts& second,
                const std::vector<std::string>& paths) {
  const std::string both = fmt::format("{} and {}", shown_wheel(first), shown_wheel(second));
  return fault(std::nullopt,
               fmt::format("requires {}, which both install {}, with different bytes", both,
                           shortened(paths, 3)),
               {{"path", paths.front()}, {"found", both}, {"expected", "one owner of each path"}},
               both);
}

/// `environment.path`: paths that two wheels install with different bytes: the judged wheel and a
/// given one, or two given ones that its requirements bring together.
Check path(Params& params) {
  static_cast<void>(params);
  return [](const Subject& subject, Report& report) {
    const std::vector<const WheelFacts*> given = others(subject);
    if (given.empty()) return Looked::nothing;
    Owners owners;
    const auto each_file = [](const WheelFacts& wheel, auto visit) {
      for (const MemberFacts& member : wheel.members) {
        if (member.kind == MemberKind::directory || member.path.ends_with('/')) continue;
        visit(install_path(member.path), member);
      }
    };
    each_file(subject.wheel, [&](std::string at, const MemberFacts& member) {
      owners.emplace(std::move(at), std::pair(&subject.wheel, &member));
    });
    const std::set<std::string> declared = packages_declared(subject);
    std::map<std::pair<const WheelFacts*, const WheelFacts*>, std::vector<std::string>> pairs;
    for (const WheelFacts* wheel : given) {
      const bool is_declared = declared.contains(package_of(*wheel));
      each_file(*wheel, [&](std::string at, const MemberFacts& member) {
        const auto owner = owners.find(at);
        if (owner == owners.end()) {
          if (is_declared) owners.emplace(std::move(at), std::pair(wheel, &member));
          return;
        }
        const auto [first, file] = owner->second;
        if (first == wheel) return;
        const std::optional<bool> same = are_same(*file, member);
        if (same == true) return;
        if (!same) {
          report.unread(file->path,
                        fmt::format("installs {}, and so does {}; whether with the same bytes is "
                                    "not known: no digest is known of both",
                                    shown_path(at), shown_wheel(*wheel)));
          return;
        }
        if (first != &subject.wheel) {
          if (is_declared) pairs[{first, wheel}].push_back(shown_path(at));
          return;
        }
        report(fault(
            file->path,
            fmt::format("installs {}, and so does {}, with other bytes: the one that is installed "
                        "last overwrites the other",
                        shown_path(at), shown_wheel(*wheel)),
            {{"path", shown_path(at)},
             {"wheel", shown_wheel(*wheel)},
             {"found", fmt::format("{} and {} bytes", file->size, member.size)},
             {"expected", "one owner of each path"}},
            package_of(*wheel)));
      });
    }
    for (const auto& [pair, paths] : pairs) report(two_given(*pair.first, *pair.second, paths));
    return Looked::something;
  };
}

/// `environment.provider`: needs that only a given wheel meets which is no declared dependency. A
/// package that the tables know is told by the rules that have them.
Check provider(Params& params) {
  const auto tables = Libraries::of(params);
  const auto platforms = Platforms::of(params);
  return [tables, platforms](const Subject& subject, Report& report) {
    if (!subject.context.given() || judged_elves(subject).empty()) return Looked::nothing;
    for (const Need& need : judge_needs(subject, *tables, *platforms)) {
      if (!need.is_undeclared() || !need.only_given) continue;
      report(fault(need.from->member->path,
                   fmt::format("needs {}, which only {} provides, and neither METADATA nor a "
                               "dependency declares it",
                               need.name, need.provider.package),
                   {{"soname", need.name},
                    {"package", need.provider.package},
                    {"found", "no requirement that brings it"},
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
  for (const WheelFacts* wheel : others(subject)) {
    const std::string package = package_of(*wheel);
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
  return {{"environment.path", path},
          {"environment.provider", provider},
          {"environment.trains", trains}};
}

}  // namespace wheel_audit
