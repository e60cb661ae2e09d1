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
