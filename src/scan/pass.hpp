// One pass over a member's bytes with every scanner that its first chunk calls for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scan/member.hpp"
#include "scan/object_kind.hpp"
#include "scan/secrets.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

/// The scanners of one pass. Which ones run is decided by the first chunk.
class Pass {
 public:
  Pass(const ArchiveMember& member, const MemberWishes& wishes)
      : member_(member), gpu_(member.size, 2) {
    if (wishes.hash) sha256_ = Digest::named("sha256");
    if (!wishes.other_digest.empty()) other_ = Digest::named(wishes.other_digest);
    keeps_text_ = wishes.text() && !wishes.past_budget;
    if (wishes.paths != nullptr && !wishes.paths->empty()) path_wishes_ = wishes.paths;
  }

  void feed(ByteView chunk, MemberScan& scan) {
    if (!begun_) begin(chunk, scan);
    if (sha256_) sha256_->update(chunk);
    if (other_) other_->update(chunk);
    if (keeper_) keeper_->feed(chunk);
    if (secrets_) secrets_->feed(chunk.text());
    if (paths_) paths_->feed(chunk);
    gpu_.feed(chunk);
    if (mentions_) feed_mentions();
    if (keeps_text_ && text_.size() <= limits().source_bytes) text_ += chunk.text();
    scan.stats.inflated += chunk.size();
    if (sha256_) scan.stats.hashed += chunk.size();
  }

  /// After a pass that ended well.
  void finish(MemberScan& scan) {
    if (sha256_) scan.facts.sha256 = sha256_->hex();
    if (other_) scan.other_digest = other_->hex();
    if (mentions_) scan.facts.mentions = mentions_->finish();
    if (secrets_) scan.facts.secret = secrets_->found();
  }

  /// The paths among an ELF file's strings, where they are wished for. What the loader reads is
  /// none of them: other rules judge that.
  void add_paths(ElfFacts& elf) {
    if (!paths_) return;
    std::vector<std::string> of_the_loader = {elf.soname, elf.interpreter.value_or("")};
    for (const auto* texts : {&elf.rpath, &elf.runpath, &elf.needed})
      of_the_loader.insert(of_the_loader.end(), texts->begin(), texts->end());
    elf.paths = paths_->finish(of_the_loader);
    elf.more_paths = paths_->more();
  }

  /// The member's text where it is wished for; longer than the limit when it was cut.
  const std::string& text() const { return text_; }
  RangeKeeper* keeper() { return keeper_.get(); }
  std::optional<GpuFacts> gpu(const std::vector<Section>& sections) {
    return gpu_.finish(sections);
  }

  /// Whether the mentions are to be looked for again, in the whole member.
  bool lost_mentions() const { return mentions_ && gpu_.left_out_too_much(); }

 private:
  /// What device code has among its bytes is no mention by the host's code, and there is much of
  /// it.
  void feed_mentions() {
    for (const GpuScanner::Piece& piece : gpu_.outside()) {
      if (piece.offset != mentions_end_) mentions_->leave_gap();
      mentions_->feed(piece.bytes);
      mentions_end_ = piece.offset + piece.bytes.size();
    }
  }

  void begin(ByteView head, MemberScan& scan) {
    begun_ = true;
    const ObjectKind kind = object_kind(head);
    scan.facts.kind = kind.kind;
    if (kind.kind == MemberKind::elf) {
      keeper_ = std::make_unique<RangeKeeper>(member_.size);
      gpu_ = GpuScanner(member_.size, 8);
      if (path_wishes_ != nullptr) paths_.emplace(*path_wishes_);
    }
    if (kind.kind == MemberKind::elf || kind.kind == MemberKind::text) mentions_.emplace();
    if (kind.kind == MemberKind::pe || kind.kind == MemberKind::macho ||
        kind.kind == MemberKind::ar) {
      const std::string_view format = kind.kind == MemberKind::pe      ? "pe"
                                      : kind.kind == MemberKind::macho ? "macho"
                                                                       : "ar";
      scan.object = std::make_unique<ObjectFacts>(
          ObjectFacts{scan.facts.path, std::string(format), kind.machine});
    }
    if (kind.kind == MemberKind::other && !kind.machine.empty()) {
      scan.object =
          std::make_unique<ObjectFacts>(ObjectFacts{scan.facts.path, "wasm", kind.machine});
    }
    if (kind.kind == MemberKind::text) {
      secrets_.emplace();
      if (head.text().starts_with("#!")) {
        constexpr std::size_t kLongestLine = 256;
        const std::string_view line = head.text().substr(2, kLongestLine);
        scan.facts.head = std::string(trim(line.substr(0, line.find('\n'))));
        if (scan.facts.head.empty()) scan.facts.head = " ";  // a shebang line that names nothing
      }
    }
  }

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
