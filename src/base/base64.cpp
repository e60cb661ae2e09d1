// The URL-safe alphabet of base64 (RFC 4648, section 5), in which RECORD writes digests.
#include "base/base64.hpp"

#include <array>
#include <cstdint>

namespace wheel_audit {

namespace {

/// The value of each digit of urlsafe base64; 64 for what is none.
constexpr std::array<std::uint8_t, 256> kBase64 = [] {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::array<std::uint8_t, 256> values{};
  values.fill(64);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  return values;
}();

}  // namespace

std::optional<std::string> hex_of_urlsafe_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string hex;
  hex.reserve(text.size() / 2 * 3);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (const char c : text) {
    const std::uint8_t value = kBase64[static_cast<unsigned char>(c)];
    if (value == 64) return std::nullopt;
    bits = (bits << 6U) | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    constexpr std::string_view kDigits = "0123456789abcdef";
    hex += kDigits[(bits >> (held + 4U)) & 0xfU];
    hex += kDigits[(bits >> held) & 0xfU];
  }
  return hex;
}

}  // namespace wheel_audit
