// Baselines: which findings are the same ones as before, although the wheel is another.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/lasting_name.hpp"
#include "facts/parts.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/triage.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

constexpr std::string_view kSchema = "wheel-audit.baseline/1";

/// What of a wheel's name stays from release to release.
struct WheelKey {
  std::string distribution;
  std::string platform;
  std::string versioned;  ///< `demo-1.0`, as texts of the wheel have it
};

/// A platform tag without the versions in it: a fault does not go away because a tag was raised.
std::string family_of(const std::string& platform) {
  const std::vector<PlatformTag> tags = linux_tags({platform});
  if (!tags.empty()) {
    const PlatformTag& tag = tags.front();
    const char* family = tag.libc == "glibc"  ? "manylinux_"
                         : tag.libc == "musl" ? "musllinux_"
                                              : "linux_";
    return family + tag.machine;
  }
  constexpr std::string_view kMac = "macosx_";
  if (!platform.starts_with(kMac)) return platform;
  const std::size_t machine = platform.find_first_not_of("0123456789_", kMac.size());
  return machine == std::string::npos ? platform : std::string(kMac) + platform.substr(machine);
}

WheelKey key_of(const std::string& file) {
  const std::string name(base_name(file));
  const Result<NameFacts> facts = parse_wheel_name(name);
  if (!facts) return {name, "", name};
  std::vector<std::string> families;
  for (const std::string& platform : facts->platform) families.push_back(family_of(platform));
  std::ranges::sort(families);
  families.erase(std::unique(families.begin(), families.end()), families.end());
  return {normalize_name(facts->distribution), join(families, "."),
          facts->distribution + "-" + facts->version};
}

std::string without(std::string text, const std::string& part, std::string_view instead) {
  for (std::size_t at = text.find(part); !part.empty() && at != std::string::npos;
       at = text.find(part, at + instead.size()))
    text.replace(at, part.size(), instead);
  return text;
}

/// A text without what changes from build to build: the version, hashes in names, the Python.
std::string lasting(const WheelKey& wheel, const std::string& text) {
  const std::string name = wheel.versioned.substr(0, wheel.versioned.find('-'));
  return without_abi_tag(without_hash(without(text, wheel.versioned, name)));
}

Known known_of(const WheelKey& wheel, const Finding& finding) {
  Known known;
  known.rule = finding.rule;
  known.distribution = wheel.distribution;
  known.platform = wheel.platform;
  if (finding.where) known.where = lasting(wheel, *finding.where);
  known.subject = lasting(wheel, finding.subject);
  known.message = finding.message;
  return known;
}

Result<Known> parse_known(const Json& json) {
  Known known;
  const std::vector<std::pair<std::string, std::string*>> texts = {
      {"rule", &known.rule},
      {"distribution", &known.distribution},
      {"platform", &known.platform},
      {"subject", &known.subject},
      {"message", &known.message}};
  std::vector<std::string> names = {"where"};
  for (const auto& [name, place] : texts) names.push_back(name);
  if (!json.is_object()) return Error("is no object");
  for (const auto& [key, value] : json.entries()) {
    if (std::ranges::find(names, key) == names.end())
      return Error(fmt::format("unknown key \"{}\"{}", key, did_you_mean(key, names)));
  }
  for (const auto& [name, place] : texts) {
    if (!json[name].is_string()) return Error(fmt::format("\"{}\" is missing or no text", name));
    *place = json[name].as_string();
  }
  const Json& where = json["where"];
  if (!where.is_null() && !where.is_string()) return Error("\"where\" is neither text nor null");
  if (where.is_string()) known.where = where.as_string();
  return known;
}

Json known_json(const Known& known) {
  Json json = Json::object();
  json.append("rule", known.rule);
  json.append("distribution", known.distribution);
  json.append("platform", known.platform);
  json.append("where", or_null(known.where));
  json.append("subject", known.subject);
  json.append("message", known.message);
  return json;
}

/// Whether the run would have found it again: a wheel of its kind was read whole and its rule
/// asked.
bool is_judged(const Known& known, const RunReport& run) {
  if (!run.rules.contains(known.rule)) return false;
  bool judged = false;
  for (const WheelReport& wheel : run.wheels) {
    const WheelKey key = key_of(wheel.file);
    if (key.distribution != known.distribution || key.platform != known.platform) continue;
    if (!wheel.unread.empty()) return false;
    judged = true;
  }
  return judged;
}

/// Each finding of the run that no waiver covers, with what it is known by.
std::set<Known> known_in(const RunReport& run, bool waived) {
  std::set<Known> all;
  for (const WheelReport& wheel : run.wheels) {
    const WheelKey key = key_of(wheel.file);
    for (const Finding& finding : wheel.findings) {
      if (waived || !finding.waived) all.insert(known_of(key, finding));
    }
  }
  return all;
}

std::string text_of(const Known& known) {
  return fmt::format("{}{}{}{}{}", known.rule, known.where ? " " : "", known.where.value_or(""),
                     known.subject.empty() ? "" : " ", known.subject);
}

}  // namespace

bool Known::operator<(const Known& other) const {
  return std::tie(distribution, platform, where, rule, subject) <
         std::tie(other.distribution, other.platform, other.where, other.rule, other.subject);
}

Result<Baseline> parse_baseline(std::string_view text, const std::string& file) {
  const Result<Json> json = Json::parse(text);
  if (!json) return json.error().in(file);
  if ((*json)["schema"].as_string() != kSchema || !(*json)["findings"].is_array()) {
    return Error(
        fmt::format("{}: is no baseline: expected \"schema\": \"{}\" and a list "
                    "\"findings\", as check --write-baseline writes them",
                    file, kSchema));
  }
  Baseline baseline;
  baseline.file = file;
  std::size_t index = 0;
  for (const Json& item : (*json)["findings"].items()) {
    Result<Known> known = parse_known(item);
    if (!known) return known.error().in(fmt::format("{}: findings/{}", file, index));
    baseline.known.insert(std::move(*known));
    ++index;
  }
  return baseline;
}

std::string baseline_text(const Baseline& baseline) {
  std::vector<std::string> lines;
  for (const Known& known : baseline.known) lines.push_back("  " + known_json(known).dump());
  // One finding a line: a change of the file reads as the findings that came and went.
  const std::string list = lines.empty() ? "[]" : fmt::format("[\n{}\n ]", join(lines, ",\n"));
  return fmt::format("{{\n \"schema\": \"{}\",\n \"findings\": {}\n}}\n", kSchema, list);
}

Baseline baseline_of(const RunReport& run, const Baseline& before) {
  Baseline baseline;
  baseline.known = known_in(run, false);
  for (const Known& known : before.known) {
    if (!is_judged(known, run)) baseline.known.insert(known);
  }
  return baseline;
}

void apply_baseline(const Baseline& baseline, RunReport& run) {
  for (WheelReport& wheel : run.wheels) {
    const WheelKey key = key_of(wheel.file);
    for (Finding& finding : wheel.findings) {
      if (!finding.waived) finding.baseline = baseline.known.contains(known_of(key, finding));
    }
  }
  const std::set<Known> found = known_in(run, true);
  std::vector<std::string> gone;
  for (const Known& known : baseline.known) {
    if (!found.contains(known) && is_judged(known, run)) gone.push_back(text_of(known));
  }
  if (gone.empty()) return;
  Finding finding;
  finding.rule = "config/baseline-fixed";
  finding.severity = Severity::note;
  finding.where = baseline.file;
  finding.message = fmt::format("{} known finding{} gone: {}", gone.size(),
                                gone.size() == 1 ? " is" : "s are", join(gone, "; "));
  finding.evidence = {{"found", fmt::format("{}", gone.size())}};
  finding.fix = "check with --write-baseline writes the file without them";
  run.findings.push_back(std::move(finding));
}

}  // namespace wheel_audit
