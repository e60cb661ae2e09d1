// The order in which reports list findings.
#pragma once

#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// Puts findings in the order of reports: by member, rule and subject.
void put_in_order(std::vector<Finding>& findings);

}  // namespace wheel_audit
