// By blocks, for what is looked through are the debug sections of unstripped libraries, hundreds of
// megabytes full of dots.
#include "scan/section_names.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "scan/wide.hpp"

namespace wheel_audit {

namespace {

// `.s` occurs about five times in a megabyte of C++'s debug sections. One load at an even place and
// one at an odd place see every pair.
constexpr auto kBegin = std::bit_cast<std::uint16_t>(std::array{'.', 's'});
constexpr std::size_t kStride = 4 * sizeof(Block);  ///< bytes tested between branches

WHEEL_AUDIT_WIDE std::size_t skip_to_own_name(const char* bytes, std::size_t at, std::size_t size) {
  BlockOfHalves even;
  BlockOfHalves odd;
  for (; at + kStride + 1 <= size; at += kStride) {
    auto hits = BlockOfHalves{} != BlockOfHalves{};
    for (std::size_t i = at; i < at + kStride; i += sizeof(BlockOfHalves)) {
      load_block(bytes + i, even);     // NOLINT(*-pointer-arithmetic)
      load_block(bytes + i + 1, odd);  // NOLINT(*-pointer-arithmetic)
      hits |= (even == kBegin) | (odd == kBegin);
    }
    if (any_of_block(hits)) break;
  }
  return at;
}

}  // namespace

std::size_t find_own_name(std::string_view bytes) {
  constexpr std::string_view kOwnName = ".shstrtab";
  for (std::size_t at = 0; at < bytes.size();) {
    at = skip_to_own_name(bytes.data(), at, bytes.size());
    const std::size_t end = std::min(bytes.size(), at + kStride);
    for (; at < end; ++at) {
      if (bytes[at] == '.' && bytes.substr(at, kOwnName.size()) == kOwnName) return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace wheel_audit
