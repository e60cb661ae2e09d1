// Facts by path.
#include "wheel_audit/facts_index.hpp"
#include "wheel_audit/names.hpp"

namespace wheel_audit {

namespace {

template <typename T>
const T* found_in(const NameMap<const T*>& by_path, std::string_view path) {
  const auto found = by_path.find(path);
  return found == by_path.end() ? nullptr : found->second;
}

}  // namespace

FactsIndex::FactsIndex(const WheelFacts& wheel) {
  members_.reserve(wheel.members.size());
  for (const MemberFacts& member : wheel.members) {
    if (members_.emplace(member.path, &member).second) continue;
    ++repeated_.emplace(member.path, 1).first->second;
  }
  for (const ElfFacts& elf : wheel.elves) elves_.emplace(elf.path, &elf);
  for (const GpuFacts& gpu : wheel.gpu) gpu_.emplace(gpu.path, &gpu);
  for (const HeaderFacts& header : wheel.headers) headers_.emplace(header.path, &header);
  for (const Unread& unread : wheel.unread) {
    if (!unread.where) continue;
    unread_.emplace(*unread.where, &unread);
    if (unread.what == "member") corrupt_.insert(*unread.where);
  }
  if (wheel.record) find_rows(wheel);
}

/// Rows mostly follow each other as the members do: the next member is looked at before any is
/// looked for.
void FactsIndex::find_rows(const WheelFacts& wheel) {
  const std::vector<MemberFacts>& members = wheel.members;
  rows_ = wheel.record->rows.data();
  of_rows_.reserve(wheel.record->rows.size());
  std::size_t next = 0;
  for (const RecordRow& row : wheel.record->rows) {
    const bool follows = next < members.size() && members[next].path == row.path;
    const MemberFacts* found = follows && repeated_.empty() ? &members[next] : member(row.path);
    if (found != nullptr) next = static_cast<std::size_t>(found - members.data()) + 1;
    of_rows_.push_back(found);
  }
}

const MemberFacts* FactsIndex::member(std::string_view path) const {
  return found_in(members_, path);
}
const ElfFacts* FactsIndex::elf(std::string_view path) const { return found_in(elves_, path); }
const GpuFacts* FactsIndex::gpu(std::string_view path) const { return found_in(gpu_, path); }
const HeaderFacts* FactsIndex::header(std::string_view path) const {
  return found_in(headers_, path);
}
bool FactsIndex::is_corrupt(std::string_view path) const { return corrupt_.contains(path); }
bool FactsIndex::is_unread(std::string_view path) const { return unread_.contains(path); }

}  // namespace wheel_audit
