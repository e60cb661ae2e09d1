// Questions about the file name and the directories that must be named after it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// `name.problem`: a file name that does not parse, its version included.
Check problem(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    std::string found = wheel.name_problem;
    if (wheel.name) {
      const Result<Version> version = escaped_version(wheel.name->version);
      if (!version) found = version.error().message();
    }
    if (!found.empty()) {
      report(fault(std::nullopt, "the file name does not parse: " + found,
                   {{"found", wheel.file_name},
                    {"expected", "distribution-version(-build)-python-abi-platform.whl"}}));
    }
    return Looked::something;
  };
}

/// `name.variant`: a variant label whose properties the wheel does not give.
Check variant(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (!wheel.name || !wheel.name->variant) return Looked::nothing;
    if (!wheel.variant_problem.empty()) {
      const std::string dist_info = own_dist_info(wheel);
      const std::string path = dist_info + "/variant.json";
      const bool there = wheel.member(path) != nullptr;
      report(
          fault(there ? std::optional(path) : std::nullopt,
                fmt::format("the file name has the variant label {}, and {}", *wheel.name->variant,
                            wheel.variant_problem),
                {{"found", wheel.variant_problem},
                 {"expected", fmt::format("properties of {} in {}", *wheel.name->variant, path)}}));
    }
    return Looked::something;
  };
}

/// `name.style`: a distribution name that is not in normal form.
Check style(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!subject.wheel.name) return Looked::nothing;
    const std::string& found = subject.wheel.name->distribution;
    std::string expected = normalize_name(found);
    std::ranges::replace(expected, '-', '_');
    if (found != expected) {
      report(fault(
          std::nullopt,
          fmt::format("the file name spells the distribution {}, expected {}", found, expected),
          {{"found", found}, {"expected", expected}}));
    }
    return Looked::something;
  };
}

/// `name.local-version`: a local version, which a public index does not take.
Check local_version(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!subject.wheel.name) return Looked::nothing;
    const Result<Version> version = escaped_version(subject.wheel.name->version);
    if (!version) return Looked::nothing;
    if (!version->local().empty()) {
      const std::string& found = subject.wheel.name->version;
      const std::string local = found.substr(std::min(found.size(), found.find('+') + 1));
      report(
          fault(std::nullopt, fmt::format("has the local version +{}", local),
                {{"found", found}, {"expected", version->base().normalized()}, {"local", local}}));
    }
    return Looked::something;
  };
}

/// Whether a tag is what a pattern says; `#` stands for a run of digits.
bool is_tag(std::string_view pattern, std::string_view tag) {
  while (!pattern.empty()) {
    if (tag.empty()) return false;
    if (pattern.front() == '#') {
      if (!is_digit(tag.front())) return false;
      while (!tag.empty() && is_digit(tag.front())) tag.remove_prefix(1);
    } else {
      if (pattern.front() != tag.front()) return false;
      tag.remove_prefix(1);
    }
    pattern.remove_prefix(1);
  }
  return tag.empty();
}

/// The patterns of a table: each name with each of its machines, or alone where it has none.
std::vector<std::string> patterns_of(const Json& table) {
  std::vector<std::string> patterns;
  for (const auto& [name, machines] : table["tags"].entries()) {
    if (machines.items().empty()) patterns.push_back(name);
    for (const std::string& machine : machines.strings()) {
      patterns.push_back(fmt::format("{}_{}", name, machine));
    }
  }
  return patterns;
}

/// `name.platform`: platform tags that a glob of `refuse` matches and nothing of the table takes.
Check platform(Params& params) {
  const std::vector<std::string> refused = params.list("refuse");
  const std::vector<std::string> taken = patterns_of(params.table("table"));
  return [refused, taken](const Subject& subject, Report& report) {
    if (!subject.wheel.name) return Looked::nothing;
    for (const std::string& tag : subject.wheel.name->platform) {
      const bool is_refused = matches_any(refused, tag);
      const bool is_taken = std::ranges::any_of(
          taken, [&](const std::string& pattern) { return is_tag(pattern, tag); });
      if (!is_refused || is_taken) continue;
      report(
          fault(std::nullopt,
                fmt::format("has the platform tag {}, which the public index does not take", tag),
                {{"found", tag}}, tag));
    }
    return Looked::something;
  };
}

/// `name.dist-info`: not exactly one dist-info directory, or not the file name's.
Check dist_info(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (wheel.members.empty()) return Looked::nothing;
    const std::string expected =
        wheel.name ? fmt::format("{}-{}.dist-info", wheel.name->distribution, wheel.name->version)
                   : std::string("one *.dist-info directory");
    const std::string found = wheel.dist_infos.empty() ? "none" : join(wheel.dist_infos, ", ");
    std::string message;
    if (wheel.dist_infos.empty()) {
      message = "has no dist-info directory";
    } else if (wheel.dist_infos.size() > 1) {
      message = fmt::format("has {} dist-info directories: {}", wheel.dist_infos.size(), found);
    } else if (wheel.name) {
      const std::string_view stem = found;
      if (!is_own(stem.substr(0, stem.size() - std::string_view(".dist-info").size()),
                  *wheel.name)) {
        message = fmt::format("its dist-info directory is {}, expected {}", found, expected);
      }
    }
    if (!message.empty())
      report(fault(std::nullopt, message, {{"found", found}, {"expected", expected}}));
    return Looked::something;
  };
}

/// `name.data-directory`: a top-level `.data` directory of another name, or an unknown scheme.
Check data_directory(Params& params) {
  const std::vector<std::string> schemes = params.list("schemes");
  return [schemes](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    std::set<std::string, std::less<>> seen;
    for (const MemberFacts& member : wheel.members) {
      const std::string_view path = member.path;
      const std::string_view top = top_level(path);
      constexpr std::string_view kSuffix = ".data";
      if (!top.ends_with(kSuffix) || top.size() == path.size()) continue;
      const std::string_view stem = top.substr(0, top.size() - kSuffix.size());
      if (wheel.name && !is_own(stem, *wheel.name) && seen.emplace(top).second) {
        report(fault(member.path,
                     fmt::format("{} is not the data directory of {}-{}", top,
                                 wheel.name->distribution, wheel.name->version),
                     {{"found", std::string(top)},
                      {"expected",
                       fmt::format("{}-{}.data", wheel.name->distribution, wheel.name->version)}},
                     std::string(top)));
      }
      const std::string_view rest = path.substr(top.size() + 1);
      const std::string scheme(top_level(rest));
      const bool known = std::ranges::find(schemes, scheme) != schemes.end();
      const bool file_beside_schemes = scheme.size() == rest.size();
      if (rest.empty() || (known && !file_beside_schemes)) continue;
      if (!seen.insert(fmt::format("{}/{}", top, scheme)).second) continue;
      report(fault(member.path,
                   fmt::format("\"{}\" is no installation scheme, expected one of {}", scheme,
                               join(schemes, ", ")),
                   {{"found", scheme}, {"expected", join(schemes, ", ")}}, scheme));
    }
    return seen.empty() && wheel.members.empty() ? Looked::nothing : Looked::something;
  };
}

}  // namespace

std::vector<Kind> wheel_name_kinds() {
  return {{"name.problem", problem},
          {"name.variant", variant},
          {"name.style", style},
          {"name.local-version", local_version},
          {"name.platform", platform},
          {"name.dist-info", dist_info},
          {"name.data-directory", data_directory}};
}

}  // namespace wheel_audit
