// What several targets do with facts: every shipped rule is asked, every report is written.
#pragma once

#include "wheel_audit/audit.hpp"
#include "wheel_audit/facts.hpp"
#include "wheel_audit/report.hpp"

namespace wheel_audit::fuzz {

/// Every shipped rule, opt-in ones included, loaded once.
const RuleSet& every_rule();

/// The report of a wheel by every shipped rule.
WheelReport audited(const WheelFacts& wheel);

/// Writes the report in every format.
void render(WheelReport report);

/// The facts of forged wheels that break no rule.
const std::vector<WheelFacts>& sound_wheels();

}  // namespace wheel_audit::fuzz
