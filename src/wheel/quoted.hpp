// How the texts' readers name what they found in an error: quoted, printable, and never a page
// long.
#pragma once

#include <string>
#include <string_view>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

/// The text in quotes, made printable and cut to 120 bytes.
inline std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  const bool cut = text.size() > kLongest;
  return "\"" + printable(text.substr(0, kLongest)) + (cut ? "…" : "") + "\"";
}

/// The text with a UTF-8 byte order mark removed; whether there was one.
inline bool drop_byte_order_mark(std::string_view& text) {
  if (!text.starts_with("\xef\xbb\xbf")) return false;
  text.remove_prefix(3);
  return true;
}

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_alphanumeric(char c) { return is_digit(c) || is_letter(c); }
/// What `\w` matches in ASCII.
inline bool is_word(char c) { return is_alphanumeric(c) || c == '_'; }

}  // namespace wheel_audit
