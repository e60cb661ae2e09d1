// matrix verify: the wheels of a release against the rows and Pythons that must be published. File
// names alone decide; what the wheels hold is for check.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "wheel_audit/matrix.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::matrix {

namespace {

/// What must be published once.
using Place = std::tuple<std::string, std::string, std::string>;  // train, machine, Python

/// A wheel of the project.
struct Wheel {
  std::string path;
  NameFacts name;
  std::string local;    ///< `cu130`; empty for none
  std::string version;  ///< without the local part, normalised
};

/// The Pythons that a wheel's tags name: `3.12`, `3.13t`; the tag itself where it is another kind.
std::vector<std::string> pythons_of(const NameFacts& name) {
  std::set<std::string> pythons;
  for (const std::string& python : name.python) {
    for (const std::string& abi : name.abi) {
      const std::optional<PythonTag> tag = parse_python_tag(python);
      const bool threads = abi == python + "t";
      if (tag && tag->implementation == "cp" && tag->minor >= 0 && (threads || abi == python)) {
        pythons.insert(fmt::format("{}.{}{}", tag->major, tag->minor, threads ? "t" : ""));
      } else {
        pythons.insert(fmt::format("{}-{}", python, abi));
      }
    }
  }
  return {pythons.begin(), pythons.end()};
}

/// The machines that a wheel's platform tags name; the tag itself where it is not Linux.
std::vector<std::string> machines_of(const NameFacts& name) {
  std::set<std::string> machines;
  for (const std::string& tag : name.platform) {
    const std::vector<PlatformTag> linux_tag = linux_tags({tag});
    machines.insert(linux_tag.empty() ? tag : linux_tag.front().machine);
  }
  return {machines.begin(), machines.end()};
}

/// The wheels of the project; refuses names that are none, and other projects.
std::vector<Wheel> wheels_of(const Policy& policy, const std::vector<std::string>& paths,
                             Outcome& outcome) {
  std::vector<Wheel> wheels;
  for (const std::string& path : paths) {
    Result<NameFacts> name = parse_wheel_name(base_name(path));
    if (!name) {
      outcome.refuse(fmt::format("{}: no wheel's name: {}", path, name.error().message()));
      continue;
    }
    const std::string project = normalize_name(name->distribution);
    const Result<Version> version = Version::parse(name->version);
    if (project != policy.project || !version) {
      outcome.refuse(
          fmt::format("{}: is of project {}, expected {} alone", path, project, policy.project));
      continue;
    }
    wheels.push_back({path, std::move(*name), version->local(), version->base().normalized()});
  }
  return wheels;
}

/// The version that most wheels have (the older of equals); refuses every other.
std::string one_version(const std::vector<Wheel>& wheels, Outcome& outcome) {
  std::map<std::string, std::size_t> counts;
  for (const Wheel& wheel : wheels) ++counts[wheel.version];
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  if (most == counts.end()) return {};
  for (const Wheel& wheel : wheels) {
    if (wheel.version == most->first) continue;
    outcome.refuse(fmt::format("{}: is of version {}, and {} of {} wheels are of {}", wheel.path,
                               wheel.version, most->second, wheels.size(), most->first));
  }
  return most->first;
}

/// Why a CUDA wheel is none of those that the policy publishes; empty where it is one.
std::string surplus(const Policy& policy, const Wheel& wheel,
                    const std::vector<std::string>& machines,
                    const std::vector<std::string>& pythons) {
  if (policy.train(wheel.local) == nullptr) {
    return fmt::format("+{} is no train of the policy, which publishes {}", wheel.local,
                       join(policy.train_names(), ", "));
  }
  if (machines.size() != 1 || policy.row(wheel.local, machines.front()) == nullptr) {
    return fmt::format("{} is not published for {}, only for {}", wheel.local,
                       join(machines, " and "), join(policy.machine_names(), ", "));
  }
  if (pythons.size() != 1 ||
      std::ranges::find(policy.pythons, pythons.front()) == policy.pythons.end()) {
    return fmt::format("Python {} is not published, only {}", join(pythons, " and "),
                       join(policy.pythons, ", "));
  }
  return {};
}

/// How the file name of a missing wheel would begin and end.
std::string name_of(const Policy& policy, const std::string& version, const Place& place) {
  const auto& [train, machine, python] = place;
  std::string abi = "cp" + python;
  std::erase(abi, '.');
  const std::string tag = abi.ends_with('t') ? abi.substr(0, abi.size() - 1) : abi;
  std::string project = policy.project;
  std::ranges::replace(project, '-', '_');
  return fmt::format("{}-{}+{}-{}-{}-*_{}.whl", project, version.empty() ? "*" : version, train,
                     tag, abi, machine);
}

}  // namespace

Outcome verify(const Policy& policy, const std::vector<std::string>& paths) {
  Outcome outcome;
  const std::vector<Wheel> wheels = wheels_of(policy, paths, outcome);
  const std::string version = one_version(wheels, outcome);
  std::map<Place, std::string> published;
  std::vector<std::string> cpu;
  for (const Wheel& wheel : wheels) {
    if (wheel.version != version) continue;  // refused already, and no part of this release
    if (wheel.local.empty() || wheel.local == "cpu") {
      cpu.push_back(wheel.path);
      continue;
    }
    const std::vector<std::string> machines = machines_of(wheel.name);
    const std::vector<std::string> pythons = pythons_of(wheel.name);
    const std::string why = surplus(policy, wheel, machines, pythons);
    if (!why.empty()) {
      outcome.refuse(fmt::format("surplus: {}: {}", wheel.path, why));
      continue;
    }
    const auto [first, fresh] =
        published.try_emplace({wheel.local, machines.front(), pythons.front()}, wheel.path);
    if (!fresh) {
      outcome.refuse(fmt::format("doubled: {}: {} for Python {} on {} is there as {} too",
                                 wheel.path, wheel.local, pythons.front(), machines.front(),
                                 first->second));
    }
  }
  std::size_t wanted = 0;
  for (const Row& row : policy.rows) {
    for (const std::string& python : policy.pythons) {
      ++wanted;
      const Place place{row.train, row.machine, python};
      if (!published.contains(place))
        outcome.refuse(fmt::format("missing: {}", name_of(policy, version, place)));
    }
  }
  if (!outcome.refusals.empty()) return outcome;
  outcome.output = fmt::format("{} {}: {} of {} CUDA wheel{}, {} CPU wheel{}\n", policy.project,
                               version, published.size(), wanted, wanted == 1 ? "" : "s",
                               cpu.size(), cpu.size() == 1 ? "" : "s");
  for (const std::string& path : cpu) outcome.output += fmt::format("  CPU {}\n", printable(path));
  return outcome;
}

}  // namespace wheel_audit::matrix
