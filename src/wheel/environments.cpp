// The environments that a wheel can be installed in, and in which of them a requirement applies.
// Values that no tag tells (`platform_release`, `platform_version`) are empty, as the `packaging`
// project has them on platforms that know none; a requirement under a marker on them applies in
// some environments.
#include "wheel_audit/environments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "marker_parser.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

constexpr int kOldestMinor = 6;
constexpr int kNewestMinor = 20;

struct Python {
  std::string implementation;  ///< `cpython`
  int major = 3;
  int minor = 0;
  int micro = 0;
  auto operator<=>(const Python&) const = default;
};

struct System {
  std::string os_name, sys_platform, platform_system, machine;
  auto operator<=>(const System&) const = default;
};

std::string implementation_of(std::string_view tag) {
  if (tag == "cp" || tag == "py") return "cpython";
  if (tag == "pp") return "pypy";
  return std::string(tag);
}

std::string implementation_title(const std::string& implementation) {
  if (implementation == "cpython") return "CPython";
  if (implementation == "pypy") return "PyPy";
  return implementation == "graalpy" ? "GraalVM" : implementation;
}

/// A micro release of the minor that Requires-Python allows, or nothing. The clauses' own numbers
/// and those after them are where the answer changes.
std::optional<int> allowed_micro(const Specifiers& specifiers, int major, int minor) {
  std::set<int> micros = {0, 99};
  for (const Clause& clause : specifiers.clauses()) {
    const Result<Version> version = Version::parse(clause.version);
    if (!version || version->release().size() < 3 || version->release()[2] > 98) continue;
    micros.insert(static_cast<int>(version->release()[2]));
    micros.insert(static_cast<int>(version->release()[2]) + 1);
  }
  for (const int micro : micros) {
    const Result<Version> version = Version::parse(fmt::format("{}.{}.{}", major, minor, micro));
    if (version && specifiers.allow(*version)) return micro;
  }
  return std::nullopt;
}

/// The minors that a Python tag stands for: one, or all from it on where the ABI is stable or none
/// is named.
std::pair<int, int> minors_of(const PythonTag& tag, bool stable_abi) {
  const int first = tag.minor >= 0 ? tag.minor : tag.major == 2 ? 7 : kOldestMinor;
  const bool open = tag.implementation == "py" || stable_abi || tag.minor < 0;
  const int newest = tag.major == 2 ? 7 : kNewestMinor;
  return {first, open ? std::max(first, newest) : first};
}

std::set<Python> pythons_of(const NameFacts& name, const Specifiers& specifiers) {
  const bool stable_abi =
      std::ranges::any_of(name.abi, [](const auto& abi) { return abi.starts_with("abi3"); });
  std::set<Python> pythons;
  for (const std::string& text : std::set<std::string>(name.python.begin(), name.python.end())) {
    const std::optional<PythonTag> tag = parse_python_tag(text);
    if (!tag) continue;
    const auto [first, last] = minors_of(*tag, stable_abi);
    for (int minor = first; minor <= last; ++minor) {
      const std::optional<int> micro = allowed_micro(specifiers, tag->major, minor);
      if (!micro) continue;
      pythons.insert({implementation_of(tag->implementation), tag->major, minor, *micro});
      if (pythons.size() == kMostEnvironments) return pythons;
    }
  }
  return pythons;
}

void add_mac(std::string_view tag, std::set<System>& systems) {
  const auto add = [&](std::string machine) {
    systems.insert({"posix", "darwin", "Darwin", std::move(machine)});
  };
  if (tag.ends_with("_universal2")) {
    add("arm64");
    add("x86_64");
    return;
  }
  constexpr std::array<std::string_view, 5> kMachines = {"arm64", "x86_64", "i386", "ppc64", "ppc"};
  for (const std::string_view machine : kMachines) {
    if (tag.ends_with("_" + std::string(machine))) return add(std::string(machine));
  }
  add("x86_64");  // `intel`, `fat64` and other sets of the years before 2020
}

void add_systems(const std::string& written, std::set<System>& systems) {
  const std::string tag = lower(written);
  if (const std::vector<PlatformTag> tags = linux_tags({tag}); !tags.empty()) {
    systems.insert({"posix", "linux", "Linux", tags.front().machine});
  } else if (tag.starts_with("macosx_")) {
    add_mac(tag, systems);
  } else if (tag == "win32" || tag.starts_with("win_")) {
    const std::string_view machine = tag == "win32"       ? "x86"
                                     : tag == "win_arm64" ? "ARM64"
                                                          : "AMD64";
    systems.insert({"nt", "win32", "Windows", std::string(machine)});
  } else if (tag == "any") {
    systems.insert({"posix", "linux", "Linux", "x86_64"});
    systems.insert({"posix", "linux", "Linux", "aarch64"});
    systems.insert({"posix", "darwin", "Darwin", "arm64"});
    systems.insert({"posix", "darwin", "Darwin", "x86_64"});
    systems.insert({"nt", "win32", "Windows", "AMD64"});
  } else {
    // `android_21_arm64_v8a`, `ios_13_0_arm64_iphoneos`, `freebsd_13_amd64`,
    // `pyodide_2024_0_wasm32`
    const std::string system = tag.substr(0, tag.find('_'));
    const bool wasm = tag.ends_with("_wasm32");
    systems.insert({"posix", wasm ? "emscripten" : system, wasm ? "Emscripten" : system,
                    wasm ? "wasm32" : ""});
  }
}

Environment environment_of(const Python& python, const System& system) {
  const std::string full = fmt::format("{}.{}.{}", python.major, python.minor, python.micro);
  return {{"implementation_name", python.implementation},
          {"implementation_version", python.implementation == "cpython" ? full : ""},
          {"os_name", system.os_name},
          {"platform_machine", system.machine},
          {"platform_python_implementation", implementation_title(python.implementation)},
          {"platform_release", ""},
          {"platform_system", system.platform_system},
          {"platform_version", ""},
          {"python_full_version", full},
          {"python_version", fmt::format("{}.{}", python.major, python.minor)},
          {"sys_platform", system.sys_platform}};
}

Specifiers requires_python(const WheelFacts& wheel) {
  const std::string* text = wheel.metadata ? wheel.metadata->first("Requires-Python") : nullptr;
  Result<Specifiers> specifiers = Specifiers::parse(text != nullptr ? *text : std::string());
  // Clauses are asked of every release of every Python; with more than anybody writes none is left
  // out.
  constexpr std::size_t kMostClauses = 256;
  const bool usable = specifiers && specifiers->clauses().size() <= kMostClauses;
  return usable ? std::move(*specifiers) : Specifiers();
}

}  // namespace

std::vector<Environment> environments_of(const WheelFacts& wheel) {
  std::vector<Environment> environments;
  if (!wheel.name) return environments;
  std::set<Python> pythons = pythons_of(*wheel.name, requires_python(wheel));
  // Requires-Python may exclude every tag, and a tag may be of no known form: still, someone
  // judges.
  if (pythons.empty()) pythons = pythons_of(*wheel.name, Specifiers());
  if (pythons.empty()) pythons.insert({"cpython", 3, kOldestMinor, 0});
  std::set<System> systems;
  for (const std::string& platform : wheel.name->platform) add_systems(platform, systems);
  for (const Python& python : pythons) {
    for (const System& system : systems) {
      if (environments.size() == kMostEnvironments) return environments;
      environments.push_back(environment_of(python, system));
    }
  }
  return environments;
}

int rank(Applies applies) {
  switch (applies) {
    case Applies::always:
      return 3;
    case Applies::sometimes:
      return 2;
    case Applies::under_extra:
      return 1;
    case Applies::never:
      break;
  }
  return 0;
}

Applies applies_in(const Requirement& requirement, const std::vector<Environment>& environments,
                   const std::set<std::string>& extras) {
  const Marker& marker = requirement.marker;
  if (marker.empty()) return Applies::always;
  // A marker has no negation: where it holds with each unknown comparison false, it always holds.
  const auto holds_in = [&](bool if_unknown) {
    return static_cast<std::size_t>(
        std::ranges::count_if(environments, [&](const Environment& environment) {
          return MarkerParser::evaluate(marker, environment, if_unknown);
        }));
  };
  if (holds_in(true) > 0)
    return holds_in(false) == environments.size() ? Applies::always : Applies::sometimes;
  for (const std::string& name : marker.extras()) {
    if (!extras.contains(name)) continue;
    for (Environment environment : environments) {
      environment["extra"] = name;
      environment["extras"] = name;
      if (MarkerParser::evaluate(marker, environment, true)) return Applies::under_extra;
    }
  }
  return Applies::never;
}

}  // namespace wheel_audit
