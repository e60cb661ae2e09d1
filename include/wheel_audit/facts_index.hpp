// Finds the facts of a member by its path, for those who ask for many.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/names.hpp"

namespace wheel_audit {

/// Of a path that occurs several times, the first. Borrows the facts, which must not change.
class FactsIndex {
 public:
  explicit FactsIndex(const WheelFacts& wheel);
  const MemberFacts* member(std::string_view path) const;
  /// The member that a row of the wheel's RECORD names; null without one.
  const MemberFacts* of_row(const RecordRow& row) const {
    return of_rows_[static_cast<std::size_t>(&row - rows_)];
  }
  /// The paths of several members, and of how many.
  const std::map<std::string_view, std::size_t>& repeated() const { return repeated_; }
  const ElfFacts* elf(std::string_view path) const;
  const GpuFacts* gpu(std::string_view path) const;
  const HeaderFacts* header(std::string_view path) const;
  /// Whether something of the member could not be read.
  bool is_unread(std::string_view path) const;
  /// Whether the member itself could not.
  bool is_corrupt(std::string_view path) const;

 private:
  void find_rows(const WheelFacts& wheel);

  NameMap<const MemberFacts*> members_;
  std::map<std::string_view, std::size_t> repeated_;
  const RecordRow* rows_ = nullptr;          ///< RECORD's
  std::vector<const MemberFacts*> of_rows_;  ///< of each of them
  NameMap<const ElfFacts*> elves_;
  NameMap<const GpuFacts*> gpu_;
  NameMap<const HeaderFacts*> headers_;
  NameMap<const Unread*> unread_;
  NameSet corrupt_;
};

}  // namespace wheel_audit
