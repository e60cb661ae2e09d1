// Finds the facts of a member by its path, for those who ask for many.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// Of a path that occurs several times, the first. Borrows the facts, which must not change.
class FactsIndex {
 public:
  explicit FactsIndex(const WheelFacts& wheel);
  const MemberFacts* member(std::string_view path) const;
  /// The paths of several members, and of how many.
  const std::unordered_map<std::string_view, std::size_t>& repeated() const { return repeated_; }
  const ElfFacts* elf(std::string_view path) const;
  const GpuFacts* gpu(std::string_view path) const;
  const HeaderFacts* header(std::string_view path) const;
  /// Whether something of the member could not be read.
  bool is_unread(std::string_view path) const;
  /// Whether the member itself could not.
  bool is_corrupt(std::string_view path) const;

 private:
  std::unordered_map<std::string_view, const MemberFacts*> members_;
  std::unordered_map<std::string_view, std::size_t> repeated_;
  std::unordered_map<std::string_view, const ElfFacts*> elves_;
  std::unordered_map<std::string_view, const GpuFacts*> gpu_;
  std::unordered_map<std::string_view, const HeaderFacts*> headers_;
  std::unordered_map<std::string_view, const Unread*> unread_;
  std::unordered_set<std::string_view> corrupt_;
};

}  // namespace wheel_audit
