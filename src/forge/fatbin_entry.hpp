// One entry of a fat binary container, read from a recipe and written.
#pragma once

#include <optional>
#include <string>

#include "forge/fields.hpp"

namespace wheel_audit::forge {

inline constexpr std::uint16_t kPtx = 1;
inline constexpr std::uint16_t kCubin = 2;
inline constexpr std::uint16_t kLto = 8;

/// `9.0` in two numbers.
struct Dotted {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};

/// One entry as the recipe wants it.
struct Entry {
  std::uint16_t kind = kCubin;
  Dotted arch;
  char suffix = 0;
  Dotted isa;
  std::uint64_t flags = 0;
  std::optional<Dotted> toolkit;
  bool note = false;       // the toolkit in a note of ABI version 8, not in the header of version 7
  std::string compressed;  // empty, `lz4`, `zstd`
  std::uint64_t bytes = 0;

  std::uint32_t number() const { return arch.major * 10 + arch.minor; }
  std::string word() const {
    return std::to_string(number()) + (suffix == 0 ? std::string() : std::string(1, suffix));
  }
};

/// Reads `"sass 9.0"` or an object.
Result<Entry> read_entry(const Json& spec, const std::string& place, Build& build);

/// Appends the entry's header and payload.
void write_entry(Out& out, const Entry& entry);

}  // namespace wheel_audit::forge
