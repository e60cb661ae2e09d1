// Facts to JSON and back without loss (schema wheel-audit.facts/1).
#pragma once

#include "wheel_audit/facts.hpp"
#include "wheel_audit/json.hpp"

namespace wheel_audit {

/// The facts as JSON, settled keys first.
Json facts_to_json(const WheelFacts& wheel);

/// The facts again; refuses another schema, wrong types and values out of range.
Result<WheelFacts> facts_from_json(const Json& json);

}  // namespace wheel_audit
