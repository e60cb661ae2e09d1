// The second opinion of `check --cross-check`: another project's parser (LIEF) reads every ELF
// member too, and what it sees otherwise is a finding. It is no part of the facts.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// Whether this build has the second parser.
bool has_second_reader();

/// Reads every ELF member of a wheel that was read from `wheel.given` a second time, `jobs` of them
/// at once, and compares. A difference is a `check/readers-disagree` (error) with both values; what
/// the second parser cannot read is a `check/not-cross-checked` (note), for its limits say nothing
/// about the wheel. The second parser runs in processes of its own, with bounds on time and memory:
/// a file that crashes it does not crash the audit. Call while no other thread runs. Without a
/// second parser: nothing.
std::vector<Finding> cross_check(const WheelFacts& wheel, unsigned jobs);

}  // namespace wheel_audit
