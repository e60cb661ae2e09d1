// One pass over a member's bytes with every scanner that its first chunk calls for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scan/member.hpp"
#include "scan/secrets.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/scan.hpp"

namespace wheel_audit {

/// The scanners of one pass. Which ones run is decided by the first chunk.
class Pass {
 public:
  Pass(const ArchiveMember& member, const MemberWishes& wishes);

  /// The next bytes of the member.
  void feed(ByteView chunk, MemberScan& scan);
  /// After a pass that ended well.
  void finish(MemberScan& scan);
  /// The paths among an ELF file's strings, where they are wished for. What the loader reads is
  /// none of them: other rules judge that.
  void add_paths(ElfFacts& elf);
  /// The member's text where it is wished for; longer than the limit when it was cut.
  const std::string& text() const { return text_; }
  /// What was kept of an ELF file; null for others.
  RangeKeeper* keeper() { return keeper_.get(); }
  /// The device code, once all bytes were fed.
  std::optional<GpuFacts> gpu(const std::vector<Section>& sections) {
    return gpu_.finish(sections);
  }
  /// Whether the mentions are to be looked for again, in the whole member; after `gpu`.
  bool lost_mentions() const { return mentions_ && gpu_.left_out_too_much(); }

 private:
  /// What device code has among its bytes is no mention by the host's code, and there is much of
  /// it.
  void feed_mentions();
  void begin(ByteView head, MemberScan& scan);

  const ArchiveMember& member_;
  bool begun_ = false;
  std::optional<Digest> sha256_;
  std::optional<Digest> other_;
  std::unique_ptr<RangeKeeper> keeper_;
  std::optional<MentionScanner> mentions_;
  std::uint64_t mentions_end_ = 0;  ///< of the last piece that they were looked for in
  std::optional<SecretScanner> secrets_;
  const std::vector<PathWish>* path_wishes_ = nullptr;
  std::optional<PathScanner> paths_;
  GpuScanner gpu_;
  bool keeps_text_ = false;
  std::string text_;
};

}  // namespace wheel_audit
