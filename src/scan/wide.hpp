// Many bytes at once, for scanners that look at everything that streams by: the compilers' own
// vector type, which makes each comparison one instruction or two, where a plain loop becomes a
// chain of branches. Where the processor has AVX2, that is used.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

// A function that works on blocks stands behind this word. What chooses between its clones takes
// glibc's loader, and runs before ThreadSanitizer's runtime is there.
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define WHEEL_AUDIT_ONE_CLONE
#endif
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_THREAD__) && \
    !defined(WHEEL_AUDIT_ONE_CLONE)
#define WHEEL_AUDIT_WIDE [[gnu::target_clones("avx2", "default")]]
#else
#define WHEEL_AUDIT_WIDE
#endif

namespace wheel_audit {

using Block [[gnu::vector_size(32)]] = unsigned char;
using BlockOfHalves [[gnu::vector_size(32)]] = std::uint16_t;
using BlockOfWords [[gnu::vector_size(32)]] = std::uint32_t;

/// Loads the block at `bytes`. Not a result: vectors that are returned change the ABI.
template <typename Byte, typename Wide>
[[gnu::always_inline]] inline void load_block(const Byte* bytes, Wide& block) {
  std::memcpy(&block, bytes, sizeof block);
}

/// Whether a comparison of blocks holds anywhere.
template <typename Mask>
[[gnu::always_inline]] inline bool any_of_block(const Mask& mask) {
  std::array<std::uint64_t, sizeof(Mask) / sizeof(std::uint64_t)> parts{};
  std::memcpy(parts.data(), &mask, sizeof parts);
  return (parts[0] | parts[1] | parts[2] | parts[3]) != 0;
}

}  // namespace wheel_audit
