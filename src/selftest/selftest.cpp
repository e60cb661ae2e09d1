// Holds each rule to its fixtures: rejects are found as described, accepts are not.
#include "wheel_audit/selftest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/set.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

const std::vector<std::string> kKeys = {"base", "why", "change", "expect", "options"};

/// A finding, and of which wheel where that is not the fixture's own but one of its set.
struct Found {
  std::string wheel;
  Finding finding;
};

std::vector<Found> all_found(const std::vector<WheelReport>& reports) {
  std::vector<Found> all;
  for (const WheelReport& report : reports) {
    const bool own = &report == &reports.front();
    for (const Finding& finding : report.findings)
      all.push_back({own ? std::string() : report.file, finding});
  }
  return all;
}

/// Whether a finding is the one that an item of `expect` describes.
bool is_expected(const Found& found_in, const Json& expected) {
  const Finding& finding = found_in.finding;
  if (found_in.wheel != expected["wheel"].as_string()) return false;
  const Json& where = expected["where"];
  if (where.is_string() ? finding.where != where.as_string() : finding.where.has_value())
    return false;
  const std::string& message = expected["message"].as_string();
  if (finding.message.find(message) == std::string::npos) return false;
  for (const auto& [key, value] : expected["evidence"].entries()) {
    const std::string* found = evidence_of(finding, key);
    if (found == nullptr || *found != value.as_string()) return false;
  }
  return true;
}

std::string describe(const Found& found) {
  const Finding& finding = found.finding;
  std::string evidence;
  for (const auto& [key, value] : finding.evidence) evidence += fmt::format(" {}={}", key, value);
  return printable(fmt::format("{}{}: {}{}",
                               found.wheel.empty() ? std::string() : found.wheel + ": ",
                               finding.where.value_or("(wheel)"), finding.message, evidence));
}

/// The first `{key}` of a fix for which the finding has no evidence; empty where there is none.
std::string unfilled(const std::string& fix) {
  for (std::size_t at = fix.find('{'); at != std::string::npos; at = fix.find('{', at + 1)) {
    const std::size_t end = fix.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 1);
    const bool is_shell = at > 0 && fix[at - 1] == '$';  // ${ORIGIN} and the like are meant
    if (end != std::string::npos && end > at + 1 && fix[end] == '}' && !is_shell)
      return fix.substr(at, end + 1 - at);
  }
  return {};
}

/// What is wrong with a reject's findings; empty when they are what it expects.
std::string judge_reject(const Fixture& fixture, const std::vector<Found>& findings) {
  const std::vector<Json>& expected = fixture.json["expect"].items();
  if (expected.empty()) return "expects nothing; a reject names the findings that it expects";
  std::vector<bool> matched(findings.size(), false);
  for (const Json& item : expected) {
    std::size_t i = 0;
    while (i < findings.size() && (matched[i] || !is_expected(findings[i], item))) ++i;
    if (i < findings.size()) {
      matched[i] = true;
      const std::string word = unfilled(findings[i].finding.fix);
      if (word.empty()) continue;
      return fmt::format("the fix has {} and the finding no such evidence: {}", word,
                         findings[i].finding.fix);
    }
    std::string found = findings.empty() ? "nothing" : "";
    for (const Found& finding : findings) found += "\n    " + describe(finding);
    return fmt::format("expected {}, found {}", item.dump(), found);
  }
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!matched[i]) return "also found, and not expected: " + describe(findings[i]);
  }
  return {};
}

/// The fixture's base alone, without the change and the options: no rule may find anything there,
/// so that what a reject finds comes from its change.
Fixture base_alone(const Fixture& fixture) {
  Fixture base = fixture;
  base.json.erase("change");
  base.json.erase("options");
  return base;
}

std::string judge(const Fixtures& fixtures, const Fixture& fixture, const Rule& rule,
                  const RuleSet& rules) {
  for (const auto& [key, value] : fixture.json.entries()) {
    if (std::ranges::find(kKeys, key) == kKeys.end()) {
      return fmt::format("unknown key \"{}\"{}", key, did_you_mean(key, kKeys));
    }
  }
  if (!fixture.is_reject() && !fixture.name.starts_with("accept-")) {
    return "its name starts with neither reject- nor accept-";
  }
  if (fixture.json["why"].as_string().empty()) return "has no \"why\"";
  const Result<std::vector<WheelReport>> base =
      run_fixture(fixtures, base_alone(fixture), rule, rules);
  if (!base) return base.error().message();
  const std::vector<Found> of_base = all_found(*base);
  if (!of_base.empty())
    return "its base alone already breaks the rule: " + describe(of_base.front());
  const Result<std::vector<WheelReport>> reports = run_fixture(fixtures, fixture, rule, rules);
  if (!reports) return reports.error().message();
  const std::vector<Found> findings = all_found(*reports);
  if (fixture.is_reject()) return judge_reject(fixture, findings);
  if (!findings.empty()) return "is accepted nowhere: " + describe(findings.front());
  const Result<Json> recipe = recipe_of(fixtures, fixture);
  const bool changes = recipe && *recipe != fixtures.bases.at(fixture.json["base"].as_string());
  return changes || fixture.json.find("options") != nullptr ? "" : "changes nothing";
}

/// `has no reject fixture`, and the files that would be one.
std::string none_there(const Fixtures& fixtures, const std::string& rule, const std::string& word) {
  std::vector<std::string> looked;
  for (const std::string& root : fixtures.roots)
    looked.push_back(fmt::format("{}/{}/{}-*.json", root, rule, word));
  return fmt::format("has no {} fixture; looked for {}", word, join(looked, " and "));
}

}  // namespace

SelftestResult selftest(const RuleSet& rules, const Fixtures& fixtures) {
  SelftestResult result;
  result.rules = rules.rules.size();
  for (const Rule& rule : rules.rules) {
    std::size_t rejects = 0;
    std::size_t accepts = 0;
    for (const Fixture& fixture : fixtures.fixtures) {
      if (fixture.rule != rule.id) continue;
      ++(fixture.is_reject() ? rejects : accepts);
      const std::string wrong = judge(fixtures, fixture, rule, rules);
      if (!wrong.empty()) result.failures.push_back({rule.id, fixture.name, wrong});
    }
    for (const auto& [count, word] : {std::pair(rejects, "reject"), std::pair(accepts, "accept")})
      if (count == 0) result.failures.push_back({rule.id, "", none_there(fixtures, rule.id, word)});
    result.rejects += rejects;
    result.accepts += accepts;
  }
  for (const Fixture& fixture : fixtures.fixtures) {
    if (rules.find(fixture.rule) == nullptr) {
      result.failures.push_back({fixture.rule, fixture.name, "names no rule"});
    }
  }
  std::vector<std::string_view> all;
  for (const Kind& kind : kinds()) all.push_back(kind.name);
  for (const SetKind& kind : set_kinds()) all.push_back(kind.name);
  for (const std::string_view kind : all) {
    const bool used =
        std::ranges::any_of(rules.rules, [&](const Rule& r) { return r.kind == kind; });
    if (!used) result.failures.push_back({"", "", fmt::format("kind {} is used by no rule", kind)});
  }
  return result;
}

}  // namespace wheel_audit
