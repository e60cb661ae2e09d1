// The kinds of sets, one a source file, and what they ask of siblings alike.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wheel_audit/set.hpp"

namespace wheel_audit {

SetKind arch_set_kind();
SetKind content_set_kind();
SetKind duplicate_set_kind();
SetKind metadata_set_kind();

/// What a wheel says to be a build for: its local version and its variant label. Builds for
/// different accelerators may differ in all that rules compare.
std::string build_of(const Subject& subject);

/// The operating system of the platform tags: `linux`, `win`, `macosx`…, `any`.
std::string system_of(const Subject& subject);

/// Siblings by what keeps them apart, those without a key left out; groups of two and more.
using Key = std::function<std::optional<std::string>(const Subject&)>;
std::vector<Siblings> apart(const Siblings& wheels, const Key& key);

/// `demo-1.0-….whl`, or that and how many more.
std::string named(const Siblings& wheels);

/// The wheels by a value of theirs, and the value of most of them; of equally frequent ones, the
/// first wheel's.
template <typename Value>
struct Votes {
  std::map<Value, Siblings> by_value;
  const Value* usual = nullptr;
  const Siblings& majority() const { return by_value.at(*usual); }
};

template <typename Value, typename ValueOf>
Votes<Value> votes(const Siblings& wheels, ValueOf value_of) {
  Votes<Value> votes;
  for (const Subject* wheel : wheels) votes.by_value[value_of(*wheel)].push_back(wheel);
  std::size_t most = 0;
  for (const Subject* wheel : wheels) {
    const auto found = votes.by_value.find(value_of(*wheel));
    if (found->second.size() <= most) continue;
    most = found->second.size();
    votes.usual = &found->first;
  }
  return votes;
}

}  // namespace wheel_audit
