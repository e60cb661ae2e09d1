#include "wheel_audit/gpu.hpp"

#include "fuzz/targets.hpp"

namespace wheel_audit::fuzz {

namespace {

std::optional<GpuFacts> scanned(ByteView input, std::uint64_t alignment, std::uint64_t chunk) {
  GpuScanner scanner(input.size(), alignment);
  for (std::uint64_t at = 0; at < input.size(); at += chunk) scanner.feed(input.clamp(at, chunk));
  return scanner.finish({});
}

/// Whether the member is unread: what else is then told of it depends on cuts.
bool has_problems(const std::optional<GpuFacts>& facts) {
  return facts && !facts->problems.empty();
}

}  // namespace

// The first byte chooses the alignment and how the rest is cut.
void gpu(ByteView input) {
  if (input.empty()) return;
  const std::uint64_t alignment = (input[0] & 1U) != 0 ? 8 : 2;
  // Each cut inside what could be a magic takes one of the scanner's 24 places until a header's
  // bytes are there, so chunks are no smaller than the longest header. Archives' chunks have 256
  // KiB.
  const std::uint64_t chunk = 64 * (1 + std::uint64_t{input[0]} / 2);
  const ByteView bytes = input.clamp(1, input.size());
  const std::optional<GpuFacts> whole = scanned(bytes, alignment, bytes.size() + 1);
  const std::optional<GpuFacts> cut = scanned(bytes, alignment, chunk);
  require(has_problems(whole) == has_problems(cut), "cuts hide no broken container");
  require(has_problems(whole) || whole == cut, "cuts between chunks change nothing");
  if (const auto archs = parse_arch_list(bytes.text()))
    for (const ArchEntry& entry : *archs)
      require(parse_arch(to_string(entry.arch)) == entry.arch,
              "a printed architecture reads as itself");
}

}  // namespace wheel_audit::fuzz
