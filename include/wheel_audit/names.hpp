// Sets and maps of names out of wheels. Whoever makes a wheel chooses its names, and with a hash
// that is known could choose thousands that meet in one bucket; this one has a key of the process.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace wheel_audit {

/// SipHash-1-3 (Aumasson and Bernstein, 2012) under a key that the system chose for this process.
std::uint64_t keyed_hash(std::string_view text);

/// The same with the key given and 2 and 4 rounds, for which the authors publish values.
std::uint64_t sip_hash_2_4(std::uint64_t key_low, std::uint64_t key_high, std::string_view text);

struct NameHash {
  using is_transparent = void;  // NOLINT(*-identifier-naming): what the library looks for
  std::size_t operator()(std::string_view text) const {
    return static_cast<std::size_t>(keyed_hash(text));
  }
};

// Their order differs from run to run: whoever walks one sorts what comes of it.
using NameSet = std::unordered_set<std::string_view, NameHash>;
using OwnNameSet = std::unordered_set<std::string, NameHash, std::equal_to<>>;
template <typename Value>
using NameMap = std::unordered_map<std::string_view, Value, NameHash>;
template <typename Value>
using NameMultimap = std::unordered_multimap<std::string_view, Value, NameHash>;
template <typename Value>
using OwnNameMap = std::unordered_map<std::string, Value, NameHash, std::equal_to<>>;

}  // namespace wheel_audit
