// Decodes UTF-8 one code point at a time (RFC 3629).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wheel_audit {

/// A decoded code point; an invalid sequence is one byte long.
struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 1;
  bool valid = false;
};

/// Decodes the first code point of `text`, which is not empty.
inline CodePoint decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {lead, 1, false};
  std::uint32_t value = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {lead, 1, false};
    value = (value << 6U) | (byte(i) & 0x3fU);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (overlong || surrogate || value > 0x10ffff) return {lead, 1, false};
  return {value, length, true};
}

/// Code points that nobody sees and that move, join or hide the text about them: bidirectional and
/// C1 controls, zero-width and tag characters, soft hyphens, variation selectors, noncharacters.
bool is_deceptive(std::uint32_t point);

}  // namespace wheel_audit
