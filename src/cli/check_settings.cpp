// The first step of check: what its options mean.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check_steps.hpp"

namespace wheel_audit::cli {

namespace {

Result<Expectations> expectations_of(const CheckOptions& options) {
  Expectations expect;
  expect.train = options.train;
  if (!options.train.empty() && claim_of_local_version(options.train).accelerator.empty()) {
    return Error(fmt::format("--train {}: expected a train such as cu130 or cpu", options.train));
  }
  if (options.archs.empty()) return expect;
  Result<std::vector<ArchEntry>> archs = parse_arch_list(options.archs);
  if (!archs) return archs.error().in("--archs");
  expect.archs = std::move(*archs);
  return expect;
}

}  // namespace

Result<CheckSettings> settings_of(const CheckOptions& options) {
  CheckSettings settings;
  const std::optional<Severity> fail_on = parse_severity(options.fail_on);
  if (!fail_on) {
    return Error(fmt::format("--fail-on {}: expected error, warning or note", options.fail_on));
  }
  settings.fail_on = *fail_on;
  const Result<Selection> selection = selection_of(options.rules);
  if (!selection) return selection.error();
  Result<RuleSet> rules = load_rules(*selection);
  if (!rules) return rules.error();
  if (rules->rules.empty()) return Error("--select and --ignore leave no rule to ask");
  settings.rules = std::move(*rules);
  Result<Expectations> expect = expectations_of(options);
  if (!expect) return expect.error();
  settings.expect = std::move(*expect);
  settings.reading.hash = !options.no_hash;
  settings.reading.jobs = jobs_or_cores(options.jobs);
  settings.reading.symbols = asked_symbols(settings.rules);
  settings.reading.texts = asked_texts(settings.rules);
  settings.reading.all_symbols = !options.with.empty() || !options.env.empty() ||
                                 std::ranges::any_of(settings.rules.rules, &Rule::every_symbol);
  return settings;
}

}  // namespace wheel_audit::cli
