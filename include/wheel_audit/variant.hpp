// What values of variant properties (PEP 825, a draft) mean.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wheel_audit/gpu.hpp"

namespace wheel_audit {

/// What a value of `nvidia :: sm_arch` promises: `90_real`, `sm_90a` and `90` machine code,
/// `90_virtual` and `compute_90` PTX. Refuses a value that is no architecture.
Result<std::vector<ArchEntry>> parse_sm_arch(std::string_view value);

/// The number of a value of `x86_64 :: level`: 3 of `v3`; nothing for what is none of v1 to v4.
std::optional<int> parse_x86_64_level(std::string_view value);

}  // namespace wheel_audit
