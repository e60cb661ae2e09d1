// Reading wheels while a line on the terminal says how far it is.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/wheel.hpp"

namespace wheel_audit::cli {

/// `read_wheels`. When it takes more than about a second and standard error is a terminal (not a
/// dumb one, not one of a CI system), a line shows bytes done of all, the rate and the wheel; it is
/// cleared before this returns.
std::vector<WheelFacts> read_with_progress(const std::vector<std::string>& paths,
                                           const ReadOptions& options, ReadStats* stats = nullptr);

}  // namespace wheel_audit::cli
