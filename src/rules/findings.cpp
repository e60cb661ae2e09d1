// What comes of faults: merges equal ones, lets specific rules supersede general ones, applies the
// adjustments of packs.
#include "rules/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "rules/order.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

const std::string* evidence_of(const Finding& finding, std::string_view key) {
  const auto found = std::ranges::find(finding.evidence, key, &Evidence::value_type::first);
  return found == finding.evidence.end() ? nullptr : &found->second;
}

namespace {

/// The rule's fix with `{key}` replaced by the evidence of that key.
std::string filled_fix(const Rule& rule, const Fault& fault) {
  if (!fault.fix.empty()) return fault.fix;
  std::string fix = rule.fix;
  for (const auto& [key, value] : fault.evidence) {
    const std::string word = "{" + key + "}";
    for (std::size_t at = fix.find(word); at != std::string::npos;
         at = fix.find(word, at + value.size())) {
      fix.replace(at, word.size(), value);
    }
  }
  return fix;
}

bool concerns(const std::vector<std::string>& globs, const std::optional<std::string>& where) {
  return globs.empty() || (where && matches_any(globs, *where));
}

/// Removes findings that a more specific rule's finding for the same member and subject covers.
void supersede(const RuleSet& rules, std::vector<Finding>& findings) {
  using Place = std::pair<std::optional<std::string>, std::string>;
  std::map<std::pair<std::string, Place>, std::size_t> places;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    places.emplace(std::pair(findings[i].rule, Place(findings[i].where, findings[i].subject)), i);
  }
  std::vector<bool> gone(findings.size(), false);
  for (Finding& finding : findings) {
    const Rule* rule = rules.find(finding.rule);
    std::set<Place> spoken_of(finding.covers.begin(), finding.covers.end());
    spoken_of.emplace(finding.where, finding.subject);
    for (const std::string& weaker : rule->supersedes) {
      bool any = false;
      for (const Place& place : spoken_of) {
        const auto found = places.find(std::pair(weaker, place));
        if (found == places.end()) continue;
        gone[found->second] = true;
        any = true;
      }
      if (any) finding.superseded.push_back(weaker);
    }
  }
  std::size_t index = 0;
  std::erase_if(findings, [&](const Finding&) { return gone[index++]; });
}

/// Whether a finding is one that an adjustment means.
bool is_meant(const Adjustment& wish, const Finding& finding) {
  if (!glob_match(wish.rule, finding.rule) || !concerns(wish.members, finding.where)) return false;
  return std::ranges::all_of(wish.evidence, [&](const auto& wanted) {
    const std::string* found = evidence_of(finding, wanted.first);
    return found != nullptr && matches_any(wanted.second, *found);
  });
}

/// Makes findings weaker or silent as packs wish; silent ones are listed apart with the reason.
void adjust(const RuleSet& rules, WheelReport& report) {
  std::erase_if(report.findings, [&](Finding& finding) {
    for (const Adjustment& wish : rules.adjustments) {
      if (!is_meant(wish, finding)) continue;
      if (wish.severity) {
        finding.severity = std::min(finding.severity, *wish.severity);
        continue;
      }
      Finding silent = std::move(finding);
      silent.waived = fmt::format("{} ({} pack)", wish.reason, wish.pack);
      report.adjusted.push_back(std::move(silent));
      return true;
    }
    return false;
  });
}

}  // namespace

void add_findings(const Rule& rule, std::vector<Fault> faults, std::vector<Finding>& findings) {
  std::set<std::pair<std::optional<std::string>, std::string>> seen;
  for (Fault& fault : faults) {
    if (!concerns(rule.when.member, fault.where)) continue;
    if (!seen.insert({fault.where, fault.subject}).second) continue;
    Finding finding;
    finding.rule = rule.id;
    finding.severity = rule.severity;
    finding.fix = filled_fix(rule, fault);
    finding.where = std::move(fault.where);
    finding.message = std::move(fault.message);
    finding.evidence = std::move(fault.evidence);
    finding.subject = std::move(fault.subject);
    finding.covers = std::move(fault.covers);
    findings.push_back(std::move(finding));
  }
}

void note_if_required(const Rule& rule, const std::vector<std::string>& require,
                      WheelReport& report) {
  if (!matches_any(require, rule.id)) return;
  report.unread.push_back({std::nullopt,
                           fmt::format("rule {} is required and had nothing to look at", rule.id),
                           "rule"});
}

void put_in_order(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return std::tie(a.where, a.rule, a.subject) < std::tie(b.where, b.rule, b.subject);
  });
}

void settle(const RuleSet& rules, WheelReport& report) {
  supersede(rules, report.findings);
  adjust(rules, report);
  put_in_order(report.findings);
}

}  // namespace wheel_audit
