// The third step of check: every rule of every wheel, and of the wheels of one release together.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>

#include "base/threads.hpp"
#include "cli/check_steps.hpp"
#include "rules/order.hpp"
#include "wheel_audit/audit.hpp"
#include "wheel_audit/crosscheck.hpp"
#include "wheel_audit/sandbox.hpp"
#include "wheel_audit/set.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// A wheel of the context that could not be read leaves every answer open that it had a part in.
void add_unread_context(const std::vector<WheelFacts>& context, RunReport& run) {
  for (const WheelFacts& other : context) {
    for (const Unread& unread : other.unread) {
      // Digests of the context that a rule misses are told by that rule; of its device code none
      // asks.
      if (unread.what == "digest" || unread.what == "gpu") continue;
      for (WheelReport& wheel : run.wheels) {
        wheel.unread.push_back(
            {std::nullopt,
             fmt::format("{}: {}{}", other.given, unread.where ? *unread.where + ": " : "",
                         unread.reason),
             "context"});
      }
    }
  }
}

/// Adds what another parser reads otherwise.
void add_second_opinion(const WheelFacts& wheel, unsigned jobs, WheelReport& report) {
  std::ranges::move(cross_check(wheel, jobs), std::back_inserter(report.findings));
  put_in_order(report.findings);
}

/// Asks what concerns several of the wheels. Subjects are made anew: what those of the single
/// wheels worked out is large, and none of it is asked for here.
void judge_sets(const CheckInputs& inputs, const CheckSettings& settings, const Context& context,
                RunReport& run) {
  std::deque<Subject> subjects;
  std::vector<const Subject*> all;
  for (const WheelFacts& wheel : inputs.wheels)
    all.push_back(&subjects.emplace_back(wheel, settings.expect, context));
  audit_sets(all, settings.rules, settings.selection.require, run.wheels);
}

}  // namespace

RunReport judge(const CheckInputs& inputs, const CheckSettings& settings) {
  RunReport run;
  run.fail_on = settings.fail_on;
  Context context;
  for (const WheelFacts& other : inputs.context) context.wheels.push_back(&other);
  run.wheels = audit_wheels(inputs.wheels, settings.expect, context, settings.rules,
                            {.require = settings.selection.require,
                             .jobs = settings.reading.jobs,
                             .confine = settings.reading.confine});
  run_apart([&] {
    if (settings.reading.confine) confine_thread();
    judge_sets(inputs, settings, context, run);
  });
  // One thread again, as the children that are forked here want it.
  for (std::size_t i = 0; settings.cross_check && i < run.wheels.size(); ++i)
    add_second_opinion(inputs.wheels[i], settings.reading.jobs, run.wheels[i]);
  add_unread_context(inputs.context, run);
  for (const Rule& rule : settings.rules.rules) run.rules.emplace(rule.id, &rule);
  apply_waivers(settings.waivers, settings.today, run);
  run.show_notes = settings.notes || run.fail_on == Severity::note;
  return run;
}

bool accept_findings(RunReport& run, const CheckOptions& options, const CheckSettings& settings) {
  if (options.write_baseline.empty()) {
    apply_baseline(settings.known, run);
    return true;
  }
  const Baseline baseline = baseline_of(run, settings.known);
  apply_baseline(baseline, run);
  if (!write_output(options.write_baseline, baseline_text(baseline))) return false;
  fmt::print(stderr, "wheel-audit: {}: {} known finding{}\n", printable(options.write_baseline),
             baseline.known.size(), baseline.known.size() == 1 ? "" : "s");
  return true;
}

}  // namespace wheel_audit::cli
