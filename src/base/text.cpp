// Splitting, globs, escapes for terminals and shells. No locale: bytes, or UTF-8 where it says so.
#include "wheel_audit/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "wheel_audit/utf8.hpp"

namespace wheel_audit {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) out += separator;
    out += part;
  }
  return out;
}

namespace {

/// Matches one pattern unit at `pattern` against `c`; returns the unit's length, 0 for no match.
std::size_t match_unit(std::string_view pattern, char c) {
  if (pattern.front() == '?') return 1;
  if (pattern.front() == '[') {
    const std::size_t close = pattern.find(']', 2);
    if (close != std::string_view::npos) {
      std::string_view set = pattern.substr(1, close - 1);
      const bool negated = set.front() == '!';
      if (negated) set.remove_prefix(1);
      bool inside = false;
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (i + 2 < set.size() && set[i + 1] == '-') {
          inside = inside || (set[i] <= c && c <= set[i + 2]);
          i += 2;
        } else {
          inside = inside || set[i] == c;
        }
      }
      return inside != negated ? close + 1 : 0;
    }
  }
  return pattern.front() == c ? 1 : 0;
}

/// Every rule asks it of every member, and `rfind` goes a byte at a time.
std::size_t last_slash(std::string_view path) {
#ifdef __linux__  // glibc and musl have it
  if (path.empty()) return std::string_view::npos;
  const void* found = ::memrchr(path.data(), '/', path.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - path.data());
#else
  return path.rfind('/');
#endif
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  // Most globs are asked of many names that differ from them in the first or the last letter.
  const auto differs = [](char of_pattern, char of_text) {
    return of_pattern != of_text && of_pattern != '*' && of_pattern != '?' && of_pattern != '[' &&
           of_pattern != ']';
  };
  if (!pattern.empty() && !text.empty() &&
      (differs(pattern.front(), text.front()) || differs(pattern.back(), text.back()))) {
    return false;
  }
  // The classic two-pointer walk: only the last star is ever gone back to.
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    const std::size_t unit = p < pattern.size() ? match_unit(pattern.substr(p), text[t]) : 0;
    if (unit > 0) {
      p += unit;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool matches_any(std::span<const std::string> globs, std::string_view text) {
  return std::ranges::any_of(globs,
                             [&](const std::string& glob) { return glob_match(glob, text); });
}

std::string clipped(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

std::string shortened(std::span<const std::string> parts, std::size_t most) {
  if (parts.size() <= most) return join(parts, ", ");
  return join(parts.first(most), ", ") + " and " + std::to_string(parts.size() - most) + " more";
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (!point.valid) return false;
    text.remove_prefix(point.length);
  }
  return true;
}

bool is_deceptive(std::uint32_t point) {
  // Unicode's Bidi_Control and Default_Ignorable_Code_Point, C1 controls, line and paragraph
  // separators, interlinear annotation; in order.
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  static constexpr Range kRanges[] = {
      {0x80, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
      {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},
      {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfdd0, 0xfdef},
      {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
      {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
  };
  const bool noncharacter = (point & 0xfffeU) == 0xfffe;
  return noncharacter || std::ranges::any_of(kRanges, [point](const Range& range) {
           return range.first <= point && point <= range.last;
         });
}

namespace {

void append_hex(std::string& out, std::string_view prefix, std::uint32_t value, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += prefix;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += kDigits[(value >> shift) & 0xfU];
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (!point.valid || point.value < 0x20 || point.value == 0x7f) {
      append_hex(out, "\\x", static_cast<std::uint8_t>(text.front()), 2);
    } else if (is_deceptive(point.value)) {
      append_hex(out, "\\u{", point.value, point.value > 0xffff ? 5 : 4);
      out += '}';
    } else {
      out += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
  }
  return out;
}

namespace {

/// Levenshtein distance with transpositions of neighbours.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t kLongestWord = 100;  // longer words are no typing errors
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  constexpr std::size_t kShortest = 3;  // that counts as a word cut short
  for (const std::string& candidate : known) {
    if (candidate.size() > kLongestWord) continue;
    const bool is_cut = word.size() >= kShortest && candidate.starts_with(word);
    const std::size_t away = is_cut ? 1 : distance(word, candidate);
    if (away < best_distance) {
      best = candidate;
      best_distance = away;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string_view near = nearest(word, known);
  return near.empty() ? std::string() : " (did you mean \"" + std::string(near) + "\"?)";
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = last_slash(path);
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string_view directory_name(std::string_view path) {
  const std::size_t slash = last_slash(path);
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace wheel_audit
