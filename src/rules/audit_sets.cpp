// Asks the rules about several wheels, of each group of wheels of one version.
#include <algorithm>
#include <map>
#include <utility>

#include "rules/findings.hpp"
#include "wheel_audit/set.hpp"

namespace wheel_audit {

namespace {

/// The wheels of one distribution and version (1.0 is 1.0.0), local labels aside; a wheel whose
/// name does not parse is nobody's sibling.
std::vector<Siblings> releases(const std::vector<const Subject*>& subjects) {
  std::map<std::pair<std::string, Version>, Siblings> groups;
  for (const Subject* subject : subjects) {
    if (!subject->wheel.name) continue;
    const NameFacts& name = *subject->wheel.name;
    const Result<Version> version = escaped_version(name.version);
    if (!version) continue;
    groups[{normalize_name(name.distribution), version->base()}].push_back(subject);
  }
  std::vector<Siblings> found;
  for (auto& [key, wheels] : groups) {
    // What is said of them must not depend on the order in which they were given.
    std::ranges::stable_sort(wheels, {}, [](const Subject* subject) {
      return std::pair(subject->wheel.file_name, subject->wheel.given);
    });
    found.push_back(std::move(wheels));
  }
  return found;
}

/// The wheels of each release that a rule is about, where they are several.
std::vector<Siblings> asked_of(const Rule& rule, const std::vector<Siblings>& all) {
  std::vector<Siblings> found;
  for (const Siblings& wheels : all) {
    if (wheels.size() < 2) continue;
    Siblings meant;
    std::ranges::copy_if(wheels, std::back_inserter(meant),
                         [&](const Subject* subject) { return rule.when.holds(*subject); });
    if (meant.size() > 1) found.push_back(std::move(meant));
  }
  return found;
}

/// What one rule says of all releases.
SetReport ask(const Rule& rule, const SetKind& kind, const Tables& tables,
              const std::vector<Siblings>& all) {
  SetReport said;
  const std::vector<Siblings> asked = asked_of(rule, all);
  if (asked.empty()) return said;  // most runs; tables take longer to read than all else here
  Params params(rule.params, tables);
  const SetCheck check = kind.bind(params);
  for (const Siblings& wheels : asked) check(wheels, said);
  return said;
}

}  // namespace

void audit_sets(const std::vector<const Subject*>& subjects, const RuleSet& rules,
                const std::vector<std::string>& require, std::vector<WheelReport>& reports) {
  const std::vector<Siblings> all = releases(subjects);
  bool any = false;
  for (const Rule& rule : rules.rules) {
    const SetKind* kind = set_kind(rule.kind);
    if (kind == nullptr) continue;
    any = true;
    SetReport said = ask(rule, *kind, *rules.tables, all);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      WheelReport& report = reports[i];
      if (!said.looked.contains(subjects[i])) {
        report.not_applicable.push_back(rule.id);
        note_if_required(rule, require, report);
        continue;
      }
      ++report.asked;
      add_findings(rule, std::move(said.faults[subjects[i]]), report.findings);
    }
  }
  if (!any) return;
  for (WheelReport& report : reports) {
    std::ranges::sort(report.not_applicable);
    settle(rules, report);
  }
}

}  // namespace wheel_audit
