// How many of the environments that a wheel can be installed in are told apart.
#pragma once

#include <cstddef>

namespace wheel_audit {

/// `environments_of` gives at most so many: with as many, there may be others. Real wheels have
/// under a hundred.
inline constexpr std::size_t kMostEnvironments = 4096;

}  // namespace wheel_audit
