#include "wheel_audit/archive.hpp"

#include "fuzz/targets.hpp"

namespace wheel_audit::fuzz {

void archive(ByteView input) {
  constexpr std::uint64_t kMost = 1U << 20U;  // bytes of a member; bombs are another test's
  const auto bytes = input.span();
  const Result<Archive> opened = Archive::open_bytes({bytes.begin(), bytes.end()});
  if (!opened) return;
  for (std::size_t i = 0; i < opened->members().size() && i < 64; ++i) {
    std::uint64_t seen = 0;
    const Result<void> streamed = opened->stream(i, [&](ByteView chunk) {
      seen += chunk.size();
      return seen < kMost;
    });
    const std::uint64_t promised = opened->members()[i].size;
    require(seen <= promised, "a stream hands out at most what the directory says");
    require(!streamed || seen >= kMost || seen == promised, "a good stream is complete");
  }
}

}  // namespace wheel_audit::fuzz
