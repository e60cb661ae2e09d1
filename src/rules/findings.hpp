// What comes of the faults that rules report, the same for rules about one wheel and about several.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// Makes findings of a rule's faults: those that its `when` keeps, each member and subject once.
void add_findings(const Rule& rule, std::vector<Fault> faults, std::vector<Finding>& findings);

/// Notes, where the rule is required, that it had nothing to look at.
void note_if_required(const Rule& rule, const std::vector<std::string>& require,
                      WheelReport& report);

/// Lets specific findings stand for general ones, makes findings weaker or silent as packs wish,
/// and sorts them. Findings that were settled before stay as they are.
void settle(const RuleSet& rules, WheelReport& report);

}  // namespace wheel_audit
