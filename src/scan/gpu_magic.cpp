// Looks for magics a block at a time: every word of it at once, and one branch for 256 bytes.
#include "scan/gpu_magic.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "scan/gpu_container.hpp"
#include "scan/wide.hpp"

namespace wheel_audit::gpu {

namespace {

constexpr auto kContainerWord = std::bit_cast<std::uint32_t>(gpu::kContainerMagic);
constexpr auto kElfWord = std::bit_cast<std::uint32_t>(gpu::kElfMagic);

constexpr std::size_t kStride = 8 * sizeof(BlockOfWords);  ///< bytes tested between branches

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.subspan(at, sizeof word).data(), sizeof word);
  return word;
}

/// From `at` on, in whole blocks: the first one with a word of a magic, wherever in it that begins,
/// or the first that reaches beyond the bytes. With steps of eight bytes every other word counts.
template <std::size_t kStep>
[[gnu::always_inline]] inline std::size_t skip_blocks(const std::uint8_t* bytes, std::size_t at,
                                                      std::size_t size) {
  constexpr BlockOfWords kEvery = BlockOfWords{} == BlockOfWords{};
  constexpr BlockOfWords kWanted =
      kStep == 8 ? BlockOfWords{~0U, 0, ~0U, 0, ~0U, 0, ~0U, 0} : kEvery;
  for (; at + kStride + sizeof(std::uint32_t) <= size; at += kStride) {
    auto hits = BlockOfWords{} != BlockOfWords{};
    for (std::size_t shift = 0; shift < sizeof(std::uint32_t);
         shift += std::min<std::size_t>(kStep, 4)) {
      for (std::size_t i = at + shift; i < at + kStride; i += sizeof(BlockOfWords)) {
        BlockOfWords words;
        std::memcpy(&words, bytes + i, sizeof words);  // NOLINT(*-pointer-arithmetic)
        hits |= (words == kContainerWord) | (words == kElfWord);
      }
    }
    if (any_of_block(hits & kWanted)) break;
  }
  return at;
}

WHEEL_AUDIT_WIDE std::size_t skip_blocks_by_8(const std::uint8_t* bytes, std::size_t at,
                                              std::size_t size) {
  return skip_blocks<8>(bytes, at, size);
}

WHEEL_AUDIT_WIDE std::size_t skip_blocks_by_2(const std::uint8_t* bytes, std::size_t at,
                                              std::size_t size) {
  return skip_blocks<2>(bytes, at, size);
}

}  // namespace

std::size_t skip_to_magic(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t step) {
  while (at + sizeof(std::uint32_t) <= bytes.size()) {
    if (step == 8) at = skip_blocks_by_8(bytes.data(), at, bytes.size());
    if (step == 2) at = skip_blocks_by_2(bytes.data(), at, bytes.size());
    const std::size_t end = std::min(bytes.size(), at + kStride);
    for (; at + sizeof(std::uint32_t) <= bytes.size() && at < end; at += step) {
      const std::uint32_t word = word_at(bytes, at);
      if (word == kContainerWord || word == kElfWord) return at;
    }
  }
  return at;
}

}  // namespace wheel_audit::gpu
