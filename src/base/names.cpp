// SipHash, after "SipHash: a fast short-input PRF" (2012), section 2.
#include "wheel_audit/names.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <random>

#ifdef __linux__
#include <sys/auxv.h>
#endif

namespace wheel_audit {

namespace {

struct Key {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

class SipState {
 public:
  explicit SipState(Key key)
      : v0_(key.low ^ 0x736f6d6570736575),
        v1_(key.high ^ 0x646f72616e646f6d),
        v2_(key.low ^ 0x6c7967656e657261),
        v3_(key.high ^ 0x7465646279746573) {}

  template <int kRounds>
  void take(std::uint64_t word) {
    v3_ ^= word;
    rounds<kRounds>();
    v0_ ^= word;
  }

  template <int kRounds>
  std::uint64_t finish() {
    v2_ ^= 0xff;
    rounds<kRounds>();
    return v0_ ^ v1_ ^ v2_ ^ v3_;
  }

 private:
  template <int kRounds>
  void rounds() {
    for (int i = 0; i < kRounds; ++i) {
      v0_ += v1_;
      v1_ = std::rotl(v1_, 13) ^ v0_;
      v0_ = std::rotl(v0_, 32);
      v2_ += v3_;
      v3_ = std::rotl(v3_, 16) ^ v2_;
      v0_ += v3_;
      v3_ = std::rotl(v3_, 21) ^ v0_;
      v2_ += v1_;
      v1_ = std::rotl(v1_, 17) ^ v2_;
      v2_ = std::rotl(v2_, 32);
    }
  }

  std::uint64_t v0_;
  std::uint64_t v1_;
  std::uint64_t v2_;
  std::uint64_t v3_;
};

/// Words are little-endian; the last one has the rest of the text and, as its last byte, the
/// length.
template <int kWordRounds, int kLastRounds>
std::uint64_t sip_hash(Key key, std::string_view text) {
  SipState state(key);
  std::uint64_t last = std::uint64_t{text.size()} << 56U;
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    state.take<kWordRounds>(word);
    text.remove_prefix(sizeof word);
  }
  for (std::size_t i = 0; i < text.size(); ++i)
    last |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
  state.take<kWordRounds>(last);
  return state.finish<kLastRounds>();
}

/// Linux hands every process 16 bytes; reading them takes no call that a sandbox denies.
Key key_of_process() {
  Key key;
#ifdef __linux__
  const auto* bytes = std::bit_cast<const unsigned char*>(::getauxval(AT_RANDOM));
  if (bytes != nullptr) {
    std::memcpy(&key, bytes, sizeof key);
    return key;
  }
#endif
  std::random_device random;
  const auto word = [&random] { return (std::uint64_t{random()} << 32U) | random(); };
  key.low = word();
  key.high = word();
  return key;
}

}  // namespace

std::uint64_t keyed_hash(std::string_view text) {
  static const Key kKey = key_of_process();
  return sip_hash<1, 3>(kKey, text);
}

std::uint64_t sip_hash_2_4(std::uint64_t key_low, std::uint64_t key_high, std::string_view text) {
  return sip_hash<2, 4>({key_low, key_high}, text);
}

}  // namespace wheel_audit
