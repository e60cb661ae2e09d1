// Asks every rule of one wheel.
#include "wheel_audit/audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rules/findings.hpp"
#include "wheel_audit/environments.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"

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

/// Asks one rule.
RuleAnswer ask_rule(const Rule& rule, const Subject& subject) {
  RuleAnswer answer;
  if (!rule.when.holds(subject)) return answer;
  const bool trimmed = std::ranges::any_of(subject.wheel.elves,
                                           [](const ElfFacts& elf) { return !elf.all_symbols; });
  if ((rule.every_symbol || rule.symbols_beyond_facts) && trimmed) {
    answer.said.unreads.push_back(
        {std::nullopt,
         fmt::format("rule {} asks about {}, and these facts hold a part of them (inspect "
                     "--symbols writes all)",
                     rule.id, rule.every_symbol ? "every symbol" : "symbols of its own"),
         "symbols"});
    answer.looked = Looked::something;
  } else if (rule.texts_beyond_facts) {
    answer.said.unreads.push_back(
        {std::nullopt,
         fmt::format("rule {} asks about texts that facts do not hold: they have those of the "
                     "shipped rules; check the wheel itself",
                     rule.id),
         "texts"});
    answer.looked = Looked::something;
  } else {
    answer.looked = rule.check(subject, answer.said);
    if (!answer.said.faults.empty()) answer.looked = Looked::something;
  }
  return answer;
}

/// Where requirements have markers, a wheel of more environments than are told apart may need in
/// the others what it does not in these.
void add_environments(const Subject& subject, WheelReport& report) {
  if (subject.environments().size() < kMostEnvironments) return;
  const auto marked = std::ranges::find_if(
      subject.requirements(), [](const Requirement& one) { return !one.marker.empty(); });
  if (marked == subject.requirements().end()) return;
  report.unread.push_back(
      {std::nullopt,
       fmt::format("the tags of its file name stand for {} environments or more, so that markers "
                   "such as that of \"{}\" are not evaluated in all of them",
                   kMostEnvironments, marked->text),
       "rule"});
}

/// Extras that ask for each other without end may bring anything.
void add_extras(const Subject& subject, WheelReport& report) {
  if (!subject.extras_cut()) return;
  report.unread.push_back({std::nullopt,
                           "its requirements ask for more of its own extras than are followed, so "
                           "that what they bring is not known",
                           "rule"});
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

WheelAudit::WheelAudit(const Subject& subject, const RuleSet& rules)
    : subject_(subject), rules_(rules), answers_(rules.rules.size()), end_(answers_.size()) {}

std::optional<std::size_t> WheelAudit::take(Order order) {
  const std::scoped_lock lock(mutex_);
  if (begin_ == end_) return std::nullopt;
  return order == Order::forwards ? begin_++ : --end_;
}

void WheelAudit::ask(Order order) {
  while (const std::optional<std::size_t> i = take(order)) {
    const Rule& rule = rules_.rules[*i];
    if (rule.check) answers_[*i] = ask_rule(rule, subject_);
  }
}

WheelReport WheelAudit::report(const std::vector<std::string>& require) {
  const Subject& subject = subject_;
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
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    const Rule& rule = rules_.rules[i];
    if (!rule.check) continue;  // it is about sets
    RuleAnswer& answer = answers_[i];
    add_findings(rule, std::move(answer.said.faults), report.findings);
    std::ranges::move(answer.said.unreads, std::back_inserter(report.unread));
    if (answer.looked == Looked::something) {
      ++report.asked;
      continue;
    }
    report.not_applicable.push_back(rule.id);
    note_if_required(rule, require, report);
  }
  if (subject.closures_cut()) {
    report.unread.push_back({std::nullopt,
                             fmt::format("what loads with its files was followed for {} needs, "
                                         "and not further{}",
                                         limits().load_needs, limit_hint(&Limits::load_needs)),
                             "elf"});
  }
  add_unasked(rules_, require, report);
  add_environments(subject, report);
  add_extras(subject, report);
  settle(rules_, report);
  return report;
}

WheelReport audit(const Subject& subject, const RuleSet& rules,
                  const std::vector<std::string>& require) {
  WheelAudit audit(subject, rules);
  audit.ask(WheelAudit::Order::forwards);
  return audit.report(require);
}

}  // namespace wheel_audit
