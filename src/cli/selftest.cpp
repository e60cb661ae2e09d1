// selftest: every rule must reject its known-bad fixtures and accept its near misses.
#include "wheel_audit/selftest.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace wheel_audit::cli {

int selftest(const SelftestOptions& options) {
  const Result<RuleSet> rules = load_all_rules(options.folders);
  if (!rules) return wrong_use(rules.error().message());
  const Result<Fixtures> fixtures = load_fixtures(options.folders);
  if (!fixtures) return wrong_use(fixtures.error().message());
  const SelftestResult result = wheel_audit::selftest(*rules, *fixtures);
  std::string text;
  for (const SelftestFailure& failure : result.failures) {
    text += fmt::format("FAIL {}{}{}: {}\n", failure.rule, failure.fixture.empty() ? "" : "/",
                        failure.fixture, failure.reason);
  }
  text += fmt::format("selftest: {} rules, {} rejects, {} accepts, {} failure{}\n", result.rules,
                      result.rejects, result.accepts, result.failures.size(),
                      result.failures.size() == 1 ? "" : "s");
  if (!write_output("", text)) return kIncomplete;
  return result.failures.empty() ? kOk : kFindings;
}

}  // namespace wheel_audit::cli
