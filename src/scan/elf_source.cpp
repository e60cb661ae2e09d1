// The ELF reader's window on a member: remembers what was asked for, so that the same code that
// reads can also tell which ranges it will want.
#include <algorithm>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

std::optional<ByteView> Source::want(std::uint64_t offset, std::uint64_t length) {
  if (!inside(offset, length)) return std::nullopt;
  if (length == 0) return ByteView();
  wanted_.push_back({offset, length});
  std::optional<ByteView> bytes =
      misses_ == Misses::noted ? ranges_.at(offset, length) : ranges_.peek(offset, length);
  if (!bytes) complete_ = false;
  return bytes;
}

std::vector<Range> Source::wanted() const { return merged(wanted_); }

std::vector<Range> merged(std::vector<Range> ranges) {
  std::erase_if(ranges, [](const Range& range) { return range.length == 0; });
  std::ranges::sort(ranges, {}, &Range::offset);
  std::vector<Range> result;
  for (const Range& range : ranges) {
    if (result.empty() || range.offset > result.back().offset + result.back().length) {
      result.push_back(range);
      continue;
    }
    Range& last = result.back();
    last.length = std::max(last.length, range.offset + range.length - last.offset);
  }
  return result;
}

}  // namespace wheel_audit::elf_reader
