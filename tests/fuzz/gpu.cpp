#include "wheel_audit/gpu.hpp"

#include "fuzz/targets.hpp"

namespace wheel_audit::fuzz {

namespace {

struct Scanned {
  std::optional<GpuFacts> facts;
  std::string outside;  ///< the bytes outside of containers, joined
  bool left_out_too_much = false;
  bool operator==(const Scanned&) const = default;

  /// Whether the member is unread: what else is then told of it depends on cuts.
  bool has_problems() const { return facts && !facts->problems.empty(); }
};

Scanned scanned(ByteView input, std::uint64_t alignment, std::uint64_t chunk) {
  GpuScanner scanner(input.size(), alignment);
  Scanned result;
  std::uint64_t end = 0;
  for (std::uint64_t at = 0; at < input.size(); at += chunk) {
    scanner.feed(input.clamp(at, chunk));
    for (const GpuScanner::Piece& piece : scanner.outside()) {
      require(piece.offset >= end, "pieces follow each other");
      require(piece.bytes.text() == input.clamp(piece.offset, piece.bytes.size()).text(),
              "pieces are the member's bytes");
      end = piece.offset + piece.bytes.size();
      result.outside += piece.bytes.text();
    }
  }
  result.facts = scanner.finish({});
  result.left_out_too_much = scanner.left_out_too_much();
  return result;
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
  const Scanned whole = scanned(bytes, alignment, bytes.size() + 1);
  const Scanned cut = scanned(bytes, alignment, chunk);
  require(whole.has_problems() == cut.has_problems(), "cuts hide no broken container");
  require(whole.has_problems() || whole == cut, "cuts between chunks change nothing");
  require(whole.has_problems() || !whole.left_out_too_much,
          "what is left out too much is in a broken container");
  if (const auto archs = parse_arch_list(bytes.text()))
    for (const ArchEntry& entry : *archs)
      require(parse_arch(to_string(entry.arch)) == entry.arch,
              "a printed architecture reads as itself");
}

}  // namespace wheel_audit::fuzz
