// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace wheel_audit {

/// Bytes in decimal units with three digits at least: `999 B`, `1.23 kB`, `45.6 MB`, `1.20 GB`.
std::string size_text(std::uint64_t bytes);

}  // namespace wheel_audit
