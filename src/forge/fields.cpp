// Values that only recipes have: hexadecimal and base64 bytes, sizes, paths of files beside them.
#include "forge/fields.hpp"

#include <fmt/format.h>

#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

/// Position in an alphabet, or nothing.
std::optional<std::uint32_t> digit(std::string_view alphabet, char c) {
  const std::size_t at = alphabet.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(at);
}

}  // namespace

std::string Build::path(std::string_view text) const {
  std::string out(text);
  for (const auto& [word, value] : words) {
    const std::size_t at = out.find(word);
    if (at != std::string::npos) out.replace(at, word.size(), value);
  }
  return out;
}

std::optional<Bytes> from_hex(std::string_view text) {
  Bytes out;
  std::optional<std::uint32_t> high;
  for (const char c : lower(text)) {
    if (c == ' ' || c == '\n') continue;
    const std::optional<std::uint32_t> value = digit("0123456789abcdef", c);
    if (!value) return std::nullopt;
    if (high) {
      out.push_back(static_cast<std::uint8_t>(*high << 4U | *value));
      high.reset();
    } else {
      high = value;
    }
  }
  if (high) return std::nullopt;
  return out;
}

std::optional<Bytes> from_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  while (text.ends_with('=')) text.remove_suffix(1);
  Bytes out;
  std::uint32_t bits = 0;
  std::uint32_t count = 0;
  for (const char c : text) {
    const std::optional<std::uint32_t> value = digit(kAlphabet, c);
    if (!value) return std::nullopt;
    bits = (bits << 6U | *value) & 0xffffU;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<std::uint8_t>(bits >> count));
    }
  }
  return out;
}

std::uint64_t Fields::size(std::string_view key, Build& build) {
  const std::uint64_t bytes = number(key, 0, UINT64_MAX);
  if (build.take(bytes)) return bytes;
  fail(key, fmt::format("is {}, and a recipe may ask for {} bytes in all", bytes, kMostBytes));
  return 0;
}

Bytes Fields::hex(std::string_view key) {
  const std::optional<Bytes> bytes = from_hex(text(key));
  if (!bytes) fail(key, "expected pairs of hex digits");
  return bytes.value_or(Bytes());
}

}  // namespace wheel_audit::forge
