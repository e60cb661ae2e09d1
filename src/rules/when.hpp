// The condition of a rule on wheels.
#pragma once

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// Reads a rule's `when`; null is the condition that always holds.
Result<When> parse_when(const Json& json);

}  // namespace wheel_audit
