#include "wheel_audit/gpu.hpp"

#include "fuzz/targets.hpp"

namespace wheel_audit::fuzz {

namespace {

std::optional<GpuFacts> scanned(ByteView input, std::uint64_t alignment, std::uint64_t chunk) {
  GpuScanner scanner(input.size(), alignment);
  for (std::uint64_t at = 0; at < input.size(); at += chunk) scanner.feed(input.clamp(at, chunk));
  return scanner.finish({});
}

}  // namespace

// The first byte chooses the alignment and how the rest is cut.
void gpu(ByteView input) {
  if (input.empty()) return;
  const std::uint64_t alignment = (input[0] & 1U) != 0 ? 8 : 2;
  const std::uint64_t chunk = 1 + (input[0] >> 1U);
  const ByteView bytes = input.clamp(1, input.size());
  require(scanned(bytes, alignment, bytes.size() + 1) == scanned(bytes, alignment, chunk),
          "cuts between chunks change nothing");
  if (const auto archs = parse_arch_list(bytes.text()))
    for (const ArchEntry& entry : *archs)
      require(parse_arch(to_string(entry.arch)) == entry.arch,
              "a printed architecture reads as itself");
}

}  // namespace wheel_audit::fuzz
