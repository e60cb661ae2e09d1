// Looks at 64 places between branches, with AVX2 where the processor has it.
#include "scan/mention_anchors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "scan/wide.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace wheel_audit {

namespace {

constexpr std::size_t kPlaces = 64;
constexpr std::array<std::string_view, 4> kAnchors = {".s", ".a", ".l", "nv"};

/// Whether bytes, two or more of them, may begin a wanted suffix (`.so`, `.a`, `.lib`), word
/// (`nvidia`) or marker. In texts `.a` is mostly a name's beginning, which a third letter tells.
constexpr bool is_anchor(std::string_view bytes) {
  const std::string_view two = bytes.substr(0, 2);
  const char third = bytes.size() > 2 ? bytes[2] : '\0';
  if (two == ".s") return third == 'o' || third == 'h';
  if (two == ".a") return third < 'a' || third > 'z';
  return (two == ".l" || two == "nv") && third == 'i';
}

// Each finder returns the first anchor in whole runs of kPlaces from `at` on, else where the last
// run that ends at or before `to` ends. The byte behind that must be there.

std::size_t find_in_runs(std::string_view bytes, std::size_t at, std::size_t to) {
  for (; at + kPlaces <= to; at += kPlaces) {
    auto hits = Block{} != Block{};
    for (std::size_t i = at; i < at + kPlaces; i += sizeof(Block)) {
      Block first;
      Block second;
      load_block(bytes.data() + i, first);       // NOLINT(*-pointer-arithmetic)
      load_block(bytes.data() + i + 1, second);  // NOLINT(*-pointer-arithmetic)
      for (const std::string_view anchor : kAnchors)
        hits |= (first == anchor[0]) & (second == anchor[1]);
    }
    if (!any_of_block(hits)) continue;
    for (std::size_t i = at; i < at + kPlaces; ++i) {
      if (is_anchor(bytes.substr(i, 3))) return i;
    }
  }
  return at;
}

#ifdef __x86_64__
// The second byte of an anchor tells the first one by its lower half: a look into a table and two
// comparisons find the places where both may be right. So may others (`.c`, `nf`): is_anchor tells.
constexpr std::array<char, 16> kFirstBytes = [] {
  std::array<char, 16> first{};
  for (char& byte : first) byte = '\x17';  // of no anchor, and rare before a letter
  for (const std::string_view anchor : kAnchors) {
    char& place = first.at(static_cast<unsigned char>(anchor[1]) & 0xfU);
    if (place != '\x17') throw "another anchor has this lower half";  // at compile time
    place = anchor[0];
  }
  return first;
}();
constexpr char kUpperBits = '\xe0';
constexpr char kLetter = '\x60';  // upper bits of `a` to `z`

[[gnu::target("avx2")]] std::uint64_t half_of_places(const char* bytes) {
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

[[gnu::target("avx2")]] std::size_t find_in_runs_by_avx2(std::string_view bytes, std::size_t at,
                                                         std::size_t to) {
  for (; at + kPlaces <= to; at += kPlaces) {
    const char* run = bytes.data() + at;                            // NOLINT(*-pointer-arithmetic)
    const std::uint64_t upper = half_of_places(run + kPlaces / 2);  // NOLINT(*-pointer-arithmetic)
    for (std::uint64_t places = half_of_places(run) | upper << 32U; places != 0;
         places &= places - 1) {
      const std::size_t place = at + static_cast<std::size_t>(std::countr_zero(places));
      if (is_anchor(bytes.substr(place, 3))) return place;
    }
  }
  return at;
}
#endif

template <typename Find>
std::size_t next_by(const Find& find, std::string_view bytes, std::size_t at, std::size_t to) {
  if (bytes.empty()) return std::string_view::npos;
  to = std::min(to, bytes.size() - 1);  // an anchor has a second byte
  if (at < to) at = find(bytes, at, to);
  for (; at < to; ++at) {
    if (is_anchor(bytes.substr(at, 3))) return at;
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t next_anchor_anywhere(std::string_view bytes, std::size_t at, std::size_t to) {
  return next_by(find_in_runs, bytes, at, to);
}

std::size_t next_anchor(std::string_view bytes, std::size_t at, std::size_t to) {
#ifdef __x86_64__
  static const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;
  if (kHasAvx2) return next_by(find_in_runs_by_avx2, bytes, at, to);
#endif
  return next_anchor_anywhere(bytes, at, to);
}

}  // namespace wheel_audit
