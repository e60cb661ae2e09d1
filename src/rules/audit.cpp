// Asks every rule of one wheel; merges equal faults, lets specific rules supersede general ones,
// applies the adjustments of packs.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "rules/order.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

std::string_view to_string(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::optional<Severity> parse_severity(std::string_view word) {
  if (word == "error") return Severity::error;
  if (word == "warning") return Severity::warning;
  if (word == "note") return Severity::note;
  return std::nullopt;
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
  if (globs.empty()) return true;
  return where && std::ranges::any_of(
                      globs, [&](const std::string& glob) { return glob_match(glob, *where); });
}

/// Asks one rule; its findings are appended. False when it had nothing to look at.
bool ask(const Rule& rule, const Subject& subject, WheelReport& report) {
  if (!rule.when.holds(subject)) return false;
  const bool trimmed = std::ranges::any_of(subject.wheel.elves,
                                           [](const ElfFacts& elf) { return !elf.all_symbols; });
  if (rule.every_symbol && trimmed) {
    report.unread.push_back(
        {std::nullopt,
         fmt::format("rule {} asks about every symbol, and these facts hold a part of them "
                     "(inspect --symbols writes all)",
                     rule.id),
         "symbols"});
    return true;
  }
  Report said;
  const Looked looked = rule.check(subject, said);
  std::set<std::pair<std::optional<std::string>, std::string>> seen;
  for (Fault& fault : said.faults) {
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
    report.findings.push_back(std::move(finding));
  }
  for (Unread& unread : said.unreads) report.unread.push_back(std::move(unread));
  return looked == Looked::something || !said.faults.empty();
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
    const auto found =
        std::ranges::find(finding.evidence, wanted.first, &Evidence::value_type::first);
    return found != finding.evidence.end() &&
           std::ranges::any_of(wanted.second, [&](const std::string& glob) {
             return glob_match(glob, found->second);
           });
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

/// A required rule that was left out is an answer that nobody gave.
void add_unasked(const RuleSet& rules, const std::vector<std::string>& require,
                 WheelReport& report) {
  for (const std::string& pattern : require) {
    const bool asked = std::ranges::any_of(
        rules.rules, [&](const Rule& rule) { return glob_match(pattern, rule.id); });
    if (asked) continue;
    report.unread.push_back(
        {std::nullopt,
         fmt::format("rule {} is required and was not asked: it is opt-in, or the selection "
                     "leaves it out",
                     pattern),
         "rule"});
  }
}

}  // namespace

void put_in_order(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    return std::tie(a.where, a.rule, a.subject) < std::tie(b.where, b.rule, b.subject);
  });
}

WheelReport audit(const Subject& subject, const RuleSet& rules,
                  const std::vector<std::string>& require) {
  const WheelFacts& wheel = subject.wheel;
  WheelReport report;
  report.file = wheel.given;
  report.unread = wheel.unread;
  report.claim = subject.claim();
  report.has_gpu_code =
      std::ranges::any_of(wheel.gpu, [](const GpuFacts& gpu) { return !gpu.code.empty(); });
  if (report.has_gpu_code) {
    for (const Arch& device : known_devices()) {
      report.devices.emplace_back(to_string(device), std::string(to_string(covers(wheel, device))));
    }
  }
  report.gpu = wheel.gpu;
  // Pages draw these; a wheel of hundreds of extensions that load hundreds of libraries each would
  // need more room for them than for all else.
  constexpr std::size_t kMostDrawn = 20'000;
  std::size_t drawn = 0;
  for (const Closure& closure : subject.closures(subject.libcs().front())) {
    drawn += closure.edges.size() + 1;
    if (drawn <= kMostDrawn) {
      report.loads.push_back(load_tree(closure));
    } else {
      ++report.more_loads;
    }
  }
  for (const Rule& rule : rules.rules) {
    ++report.asked;
    if (ask(rule, subject, report)) continue;
    --report.asked;
    report.not_applicable.push_back(rule.id);
    const bool required = std::ranges::any_of(
        require, [&](const std::string& pattern) { return glob_match(pattern, rule.id); });
    if (required) {
      report.unread.push_back(
          {std::nullopt, fmt::format("rule {} is required and had nothing to look at", rule.id),
           "rule"});
    }
  }
  add_unasked(rules, require, report);
  supersede(rules, report.findings);
  adjust(rules, report);
  put_in_order(report.findings);
  return report;
}

}  // namespace wheel_audit
