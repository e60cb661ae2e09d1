// What reading a recipe adds to the strict reading of JSON objects: bytes, and a limit on them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"
#include "forge/bytes_out.hpp"

namespace wheel_audit::forge {

/// Bytes that one recipe may ask for: a typing error must not take the machine's memory.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

/// What the building of one recipe shares: where its files are, and how much it may still take.
struct Build {
  std::string folder;
  std::uint64_t left = kMostBytes;
  std::vector<std::pair<std::string, std::string>> words;  ///< `{dist-info}` and its like

  /// Counts bytes against the limit.
  bool take(std::uint64_t bytes) {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  }
  /// The path with `{dist-info}` and `{data}` replaced.
  std::string path(std::string_view text) const;
};

/// Bytes of hex digits (white space between them is skipped), or nothing.
std::optional<Bytes> from_hex(std::string_view text);
/// Bytes of base64 with padding, or nothing.
std::optional<Bytes> from_base64(std::string_view text);

/// The members of an object of a recipe.
class Fields : public wheel_audit::Fields {
 public:
  using wheel_audit::Fields::Fields;

  /// A number of bytes, counted against the limit of `build`.
  std::uint64_t size(std::string_view key, Build& build);
  Bytes hex(std::string_view key);
};

}  // namespace wheel_audit::forge
