// Reading wheels while somebody watches how far it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

/// How far reading is; another thread may look at any time.
struct ReadProgress {
  std::atomic<std::uint64_t> bytes = 0;  ///< read of the wheels' files
  std::atomic<std::size_t> wheels = 0;   ///< finished
  std::atomic<std::size_t> current = 0;  ///< the index of the wheel that was worked on last
};

/// `read_wheels`, which keeps `progress` up to date.
std::vector<WheelFacts> read_wheels_watched(const std::vector<std::string>& paths,
                                            const ReadOptions& options, ReadStats* stats,
                                            ReadProgress& progress);

}  // namespace wheel_audit
