#include "wheel_audit/elf.hpp"

#include "fuzz/targets.hpp"
#include "wheel_audit/facts_json.hpp"
#include "wheel_audit/scan.hpp"

namespace wheel_audit::fuzz {

namespace {

/// The facts as text, or the reason why there are none.
std::string text_of(Result<ElfFacts> elf) {
  if (!elf) return elf.error().message();
  WheelFacts wheel;
  wheel.elves.push_back(std::move(*elf));
  return facts_to_json(wheel).dump();
}

/// Reads as the scan does: in chunks, and again for what was missed.
std::string streamed(ByteView input, std::uint64_t chunk) {
  RangeKeeper keeper(input.size());
  for (int pass = 0; pass < 5; ++pass) {
    for (std::uint64_t at = 0; at < input.size(); at += chunk) keeper.feed(input.clamp(at, chunk));
    Result<ElfFacts> elf = read_elf(keeper);
    if (keeper.misses().empty()) return text_of(std::move(elf));
    keeper.rewind();
  }
  return {};  // given up
}

}  // namespace

void elf(ByteView input) {
  WholeMember whole(input);
  for (const Range& range : wanted_ranges(whole)) {
    require(input.slice(range.offset, range.length).has_value(), "a wish lies inside the member");
  }
  const std::string at_once = text_of(read_elf(whole));
  const std::string in_parts = streamed(input, 1 + input.size() / 7);
  require(in_parts.empty() || in_parts == at_once, "a streamed file reads like one that is there");
}

}  // namespace wheel_audit::fuzz
