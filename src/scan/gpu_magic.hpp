// Finds the magics of containers and of ELF files in bytes that are hardly ever one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wheel_audit::gpu {

/// From `at` on, in steps: the first place of a magic, or the first step at which fewer than four
/// bytes are left.
std::size_t skip_to_magic(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t step);

}  // namespace wheel_audit::gpu
