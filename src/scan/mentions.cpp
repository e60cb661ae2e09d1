// Finds the names of libraries and packages that a member's bytes mention. Three bytes lead to
// every wanted name, so binary data costs little more than reading it. Each find depends only on
// the bytes near it, so that chunk boundaries change nothing.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "scan/wide.hpp"
#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

#ifdef WHEEL_AUDIT_X86_VERSIONS
#include <immintrin.h>
#endif

namespace wheel_audit {

namespace {

constexpr std::size_t kMostMentions = 512;
constexpr std::size_t kLongestName = 128;
constexpr std::size_t kLongestWord = 80;
// Context that a decision needs to the left and to the right of the bytes that led to it.
constexpr std::size_t kLeft = kLongestName + 8;
constexpr std::size_t kRight = kLongestName;

constexpr std::string_view kWord = "nvidia";
// The name that the CUDA runtime gives its shared memory. It is in every libcudart from 11.8 to
// 13.0 and in what is linked with libcudart_static.a, and not in what is linked with libcudart.so.
constexpr std::string_view kRuntimeMarker = "/cudart.shm.";

constexpr bool is_alnum(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_name(char c) {
  return is_alnum(c) || c == '_' || c == '+' || c == '-' || c == '.';
}

/// Whether bytes, two or more of them, may begin a wanted suffix (`.so`, `.a`, `.lib`), word
/// (`nvidia`) or marker. In texts `.a` is mostly a name's beginning, which a third letter tells.
constexpr bool is_anchor(std::string_view bytes) {
  const char third = bytes.size() > 2 ? bytes[2] : '\0';
  if (bytes[0] == 'n') return bytes[1] == 'v' && third == 'i';
  if (bytes[0] != '.') return false;
  if (bytes[1] == 's') return third == 'o' || third == 'h';
  return (bytes[1] == 'l' && third == 'i') || (bytes[1] == 'a' && (third < 'a' || third > 'z'));
}

constexpr std::size_t kPlaces = 64;  ///< places that are looked at between branches

/// The first anchor at or after `at` and before `to`, where it begins in a whole run of kPlaces;
/// else where the last whole run ends. The two bytes from `to` on must be there.
WHEEL_AUDIT_VERSION_FOR("default")
std::size_t first_anchor(std::string_view bytes, std::size_t at, std::size_t to) {
  for (; at + kPlaces <= to; at += kPlaces) {
    auto hits = Block{} != Block{};
    for (std::size_t i = at; i < at + kPlaces; i += sizeof(Block)) {
      Block first;
      Block second;
      load_block(bytes.data() + i, first);       // NOLINT(*-pointer-arithmetic)
      load_block(bytes.data() + i + 1, second);  // NOLINT(*-pointer-arithmetic)
      hits |= ((first == '.') & ((second == 's') | (second == 'a') | (second == 'l'))) |
              ((first == 'n') & (second == 'v'));
    }
    if (!any_of_block(hits)) continue;
    for (std::size_t i = at; i < at + kPlaces; ++i) {
      if (is_anchor(bytes.substr(i, 3))) return i;
    }
  }
  return at;
}

#ifdef WHEEL_AUDIT_X86_VERSIONS
// The second byte of an anchor tells the first one by its lower half: a look into a table and two
// comparisons find the places where both may be right. So may others (`.c`, `nf`): is_anchor tells.
constexpr std::array<char, 16> kFirstBytes = [] {
  std::array<char, 16> first{};
  for (char& byte : first) byte = '\x17';  // of no anchor, and rare before a letter
  for (const std::string_view anchor : {".s", ".a", ".l", "nv"})
    first[static_cast<unsigned char>(anchor[1]) & 0xfU] =
        anchor[0];  // NOLINT(*-constant-array-index)
  return first;
}();
constexpr char kUpperBits = '\xe0';
constexpr char kLetter = '\x60';  // upper bits of `a` to `z`

WHEEL_AUDIT_VERSION_FOR("avx2")
inline std::uint64_t half_of_places(const char* bytes) {
  __m256i first;
  __m256i second;
  __m128i table;
  std::memcpy(&first, bytes, sizeof first);
  std::memcpy(&second, bytes + 1, sizeof second);  // NOLINT(*-pointer-arithmetic)
  std::memcpy(&table, kFirstBytes.data(), sizeof table);
  const __m256i wanted = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(table), second);
  const __m256i upper = _mm256_and_si256(second, _mm256_set1_epi8(kUpperBits));
  const __m256i both = _mm256_and_si256(_mm256_cmpeq_epi8(first, wanted),
                                        _mm256_cmpeq_epi8(upper, _mm256_set1_epi8(kLetter)));
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(both));
}

WHEEL_AUDIT_VERSION_FOR("avx2")
std::size_t first_anchor(std::string_view bytes, std::size_t at, std::size_t to) {
  for (; at + kPlaces <= to; at += kPlaces) {
    const char* run = bytes.data() + at;  // NOLINT(*-pointer-arithmetic)
    std::uint64_t places = half_of_places(run) | half_of_places(run + sizeof(__m256i))
                                                     << 32U;  // NOLINT(*-arithmetic)
    for (; places != 0; places &= places - 1) {
      const std::size_t place = at + static_cast<std::size_t>(std::countr_zero(places));
      if (is_anchor(bytes.substr(place, 3))) return place;
    }
  }
  return at;
}
#endif

/// The first anchor at or after `at` and before `to`, or npos.
std::size_t next_anchor(std::string_view bytes, std::size_t at, std::size_t to) {
  if (bytes.empty()) return std::string_view::npos;
  to = std::min(to, bytes.size() - 1);  // an anchor has a second byte
  if (at < to) at = first_anchor(bytes, at, std::min(to, bytes.size() - 2));
  for (; at < to; ++at) {
    if (is_anchor(bytes.substr(at, 3))) return at;
  }
  return std::string_view::npos;
}

/// Whether a file name may end at `end`: before what is no part of names, or a full stop.
bool may_end(std::string_view bytes, std::size_t end) {
  if (end < bytes.size() && bytes[end] == '.') ++end;  // of a sentence, or before `%d`
  return end >= bytes.size() || !is_name(bytes[end]);
}

/// The end of the file name whose suffix is at `dot`, or 0 when no wanted suffix is. `.so` may
/// have a version: `.1`, `.13.0`.
std::size_t file_name_end(std::string_view bytes, std::size_t dot) {
  const std::string_view rest = bytes.substr(dot);
  std::size_t end = 0;
  if (rest.starts_with(".so")) {
    end = dot + 3;
    while (end + 1 < bytes.size() && bytes[end] == '.' && is_digit(bytes[end + 1])) {
      ++end;
      while (end < bytes.size() && is_digit(bytes[end])) ++end;
    }
  } else if (rest.starts_with(".lib")) {
    end = dot + 4;
  } else if (rest.starts_with(".a")) {
    end = dot + 2;
  }
  return end != 0 && may_end(bytes, end) ? end : 0;
}

/// The file name around the suffix at `dot`, or nothing.
std::string_view file_name(std::string_view bytes, std::size_t dot) {
  bytes = bytes.substr(0, dot + kRight);  // no decision depends on how much was fed
  const std::size_t end = file_name_end(bytes, dot);
  if (end == 0) return {};
  std::size_t begin = dot;
  while (begin > 0 && dot - begin < kLeft && is_name(bytes[begin - 1])) --begin;
  if (begin == dot || end - begin > kLongestName) return {};
  const bool is_lib = dot - begin > 3 && bytes.substr(begin, 3) == "lib";
  if (!is_lib && bytes.substr(dot, 4) != ".lib") return {};
  return bytes.substr(begin, end - begin);
}

/// The word that begins with `nvidia` at `at`, at most kLongestWord long, or nothing.
std::string_view package_word(std::string_view bytes, std::size_t at) {
  if (bytes.substr(at, kWord.size()) != kWord) return {};
  if (at > 0 && is_name(bytes[at - 1])) return {};  // `developer.nvidia.com` is another word
  std::size_t end = at + kWord.size();
  while (end < bytes.size() && end - at < kLongestWord &&
         (is_name(bytes[end]) || bytes[end] == '/')) {
    ++end;
  }
  std::string_view word = bytes.substr(at, end - at);
  while (!is_alnum(word.back())) word.remove_suffix(1);
  // Longer words of letters (`nvidiaml`) are none of the names.
  return word.size() > kWord.size() && !is_alnum(word[kWord.size()]) ? word : std::string_view();
}

bool is_runtime_marker(std::string_view bytes, std::size_t dot) {
  constexpr std::size_t kBefore = std::string_view("/cudart").size();
  return dot >= kBefore && bytes.substr(dot - kBefore, kRuntimeMarker.size()) == kRuntimeMarker;
}

void add(std::vector<std::string>& found, std::string_view name) {
  if (name.empty() || found.size() >= kMostMentions) return;
  const auto at = std::lower_bound(found.begin(), found.end(), name);
  if (at == found.end() || *at != name) found.emplace(at, name);
}

/// Adds what has its anchor in [from, to).
void collect(std::string_view bytes, std::size_t from, std::size_t to,
             std::vector<std::string>& found) {
  for (std::size_t at = next_anchor(bytes, from, to); at != std::string_view::npos;
       at = next_anchor(bytes, at + 1, to)) {
    if (found.size() >= kMostMentions) return;
    if (bytes[at] == 'n') {
      add(found, package_word(bytes, at));
    } else if (is_runtime_marker(bytes, at)) {
      add(found, "cudart_static");
    } else {
      add(found, file_name(bytes, at));
    }
  }
}

}  // namespace

MentionScanner::MentionScanner() : seam_(kLeft, kRight) {}

void MentionScanner::feed(ByteView chunk) {
  seam_.feed(chunk.text(), [this](std::string_view bytes, std::size_t from, std::size_t to) {
    collect(bytes, from, to, found_);
  });
}

std::vector<std::string> MentionScanner::finish() {
  seam_.finish([this](std::string_view bytes, std::size_t from, std::size_t to) {
    collect(bytes, from, to, found_);
  });
  return std::move(found_);
}

}  // namespace wheel_audit
