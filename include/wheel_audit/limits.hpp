// The limits of what is read of a wheel, by name. Each bounds time or memory against a file that
// was made to take all of it; what reaches one is unread, never passed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wheel_audit/result.hpp"

namespace wheel_audit {

struct Limits {
  std::uint64_t members = 200'000;
  std::uint64_t method_work = 4'000'000;
  std::uint64_t text_bytes = 16 << 20;
  std::uint64_t record_lines = 400'000;
  std::uint64_t header_lines = 16'384;
  std::uint64_t source_bytes = 1 << 20;
  std::uint64_t sources_bytes = 16 << 20;
  std::uint64_t source_items = 8192;
  std::uint64_t elf_table_bytes = 128 << 20;
  std::uint64_t elf_dynamic_bytes = 1 << 20;
  std::uint64_t elf_name_bytes = 16 << 20;
  std::uint64_t elf_path_bytes = 1 << 16;
  std::uint64_t gpu_containers = 1 << 18;
  std::uint64_t gpu_entries = 1 << 20;
  std::uint64_t gpu_container_entries = 1 << 16;
  std::uint64_t environment_files = 2'000'000;
  std::uint64_t load_needs = 1'000'000;
};

/// The most that a limit can be set to: sums and products of sizes within it do not overflow.
inline constexpr std::uint64_t kMostOfLimit = std::uint64_t{1} << 40U;

/// Refuses a name that is no limit's, with the nearest one that is, and a value that is not from 1
/// to kMostOfLimit.
Result<void> check_limit(std::string_view name, std::uint64_t value);

/// The limits in force.
const Limits& limits();

/// Sets one limit for the process; before the first wheel is read, for readers do not expect it to
/// change. Refuses what check_limit does.
Result<void> set_limit(std::string_view name, std::uint64_t value);

/// What a message says at its end of a limit that was reached: ` (--limit members=N allows more)`.
std::string limit_hint(std::uint64_t Limits::*value);

}  // namespace wheel_audit
