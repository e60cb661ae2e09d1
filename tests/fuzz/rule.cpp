#include "fuzz/audit.hpp"
#include "fuzz/targets.hpp"
#include "rules/load.hpp"

namespace wheel_audit::fuzz {

void rule(ByteView input) {
  Result<Rule> read = detail::read_rule("fuzz", "rule.json", input.text());
  if (!read) return;
  RuleSet alone;
  alone.tables = every_rule().tables;
  const Result<void> bound = detail::bind(*read, alone);
  if (!bound) return;
  alone.rules.push_back(std::move(*read));
  const Expectations expect;
  const Context context;
  for (const WheelFacts& wheel : sound_wheels()) {
    const WheelReport report = audit(Subject(wheel, expect, context), alone);
    // Neither where it is about several wheels together.
    require(report.asked + report.not_applicable.size() <= 1, "a rule is asked or not applicable");
  }
}

}  // namespace wheel_audit::fuzz
