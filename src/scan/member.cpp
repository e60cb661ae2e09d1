// One pass over a member's bytes with every scanner that its first chunk calls for, and more passes
// only where an ELF file's tables lie scattered.
#include "scan/member.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "scan/object_kind.hpp"
#include "scan/relay.hpp"
#include "scan/secrets.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

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

/// Why a text is not read; empty when it is.
std::string unread_text(const Pass& pass, const MemberWishes& wishes) {
  if (wishes.past_budget)
    return fmt::format("comes after {} bytes of such texts, the most that are read of one wheel{}",
                       limits().sources_bytes, limit_hint(&Limits::sources_bytes));
  if (pass.text().size() > limits().source_bytes)
    return fmt::format("is longer than {} bytes, the most that is read of such a text{}",
                       limits().source_bytes, limit_hint(&Limits::source_bytes));
  return {};
}

/// Tells how much of the archive was read, from the decoded bytes: in all the member's stored ones.
class Meter {
 public:
  Meter(const ArchiveMember& member, ReadProgress* progress)
      : member_(member), progress_(progress) {}
  ~Meter() {
    if (progress_ != nullptr) progress_->bytes += member_.compressed - told_;
  }
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

  void add(std::uint64_t decoded) {
    if (progress_ == nullptr || member_.size == 0) return;
    given_ += decoded;
    const double share = static_cast<double>(given_) / static_cast<double>(member_.size);
    const auto now = static_cast<std::uint64_t>(static_cast<double>(member_.compressed) * share);
    const std::uint64_t most = std::clamp(now, told_, member_.compressed);
    progress_->bytes += most - told_;
    told_ = most;
  }

 private:
  const ArchiveMember& member_;
  ReadProgress* progress_;
  std::uint64_t given_ = 0;
  std::uint64_t told_ = 0;
};

/// Reads what is wished for of a text.
void read_text(const Pass& pass, const MemberWishes& wishes, MemberScan& scan) {
  const std::string problem = unread_text(pass, wishes);
  const std::string_view text =
      problem.empty() ? std::string_view(pass.text()) : std::string_view();
  if (wishes.header) {
    scan.header = std::make_unique<HeaderFacts>(parse_header(scan.facts.path, text));
    if (!problem.empty()) scan.header->problem = problem;
  }
  if (wishes.cmake) {
    scan.cmake = std::make_unique<CMakeFacts>(parse_cmake(scan.facts.path, text));
    if (!problem.empty()) scan.cmake->problem = problem;
  }
}

constexpr int kMostRescans = 4;

/// Trims symbols as they are read.
class Trimming final : public SymbolFilter {
 public:
  Trimming(const SymbolTrim& trim, std::vector<DefinedName>& defined)
      : trim_(trim), defined_(defined) {}
  void expect(std::uint64_t count) override {
    defined_.clear();
    defined_.reserve(static_cast<std::size_t>(count));
  }
  bool keeps(const Symbol& symbol) override { return trim_.keeps(symbol, defined_); }

 private:
  const SymbolTrim& trim_;
  std::vector<DefinedName>& defined_;
};

/// Runs the ELF reader, streaming the member again for what it missed.
Result<ElfFacts> read_with_rescans(const Archive& archive, std::size_t index, RangeKeeper& keeper,
                                   SymbolFilter* filter, ReadStats& stats) {
  for (int scans = 0;; ++scans) {
    Result<ElfFacts> elf = read_elf(keeper, filter);
    if (keeper.misses().empty()) return elf;
    if (scans == kMostRescans) {
      return Error(
          fmt::format("its tables are scattered: {} passes did not gather them", scans + 1));
    }
    keeper.rewind();
    const Result<void> streamed = archive.stream(index, [&](ByteView chunk) {
      keeper.feed(chunk);
      stats.inflated += chunk.size();
      stats.rescanned += chunk.size();
      return true;
    });
    if (!streamed) return streamed.error();
  }
}

/// Decodes the member once for the scanners of the pass.
Result<void> run_pass(const Archive& archive, std::size_t index, const MemberWishes& wishes,
                      Pass& pass, MemberScan& scan) {
  Meter meter(archive.members()[index], wishes.progress);
  const Relay::Scan take = [&](ByteView chunk) {
    pass.feed(chunk, scan);
    meter.add(chunk.size());
  };
  std::optional<Relay::Stream> relayed;
  if (wishes.relay != nullptr) relayed.emplace(*wishes.relay, take);
  return archive.stream(
      index,
      [&](ByteView chunk) {
        relayed ? relayed->give(chunk) : take(chunk);
        return true;
      },
      [&] { return relayed ? relayed->room() : std::span<std::uint8_t>(); });
}

/// Looks for mentions in a pass of their own.
Result<void> scan_mentions(const Archive& archive, std::size_t index, MemberScan& scan) {
  MentionScanner mentions;
  Result<void> streamed = archive.stream(index, [&](ByteView chunk) {
    mentions.feed(chunk);
    scan.stats.inflated += chunk.size();
    scan.stats.rescanned += chunk.size();
    return true;
  });
  if (streamed) scan.facts.mentions = mentions.finish();
  return streamed;
}

MemberFacts member_facts(const ArchiveMember& member) {
  MemberFacts facts;
  facts.path = member.path;
  facts.size = member.size;
  facts.compressed = member.compressed;
  facts.mode = member.mode;
  facts.crc32 = member.crc32;
  facts.method = member.method;
  facts.host = member.host;
  facts.utf8_name = member.utf8_name;
  if (member.directory) facts.kind = MemberKind::directory;
  return facts;
}

}  // namespace

MemberScan scan_member(const Archive& archive, std::size_t index, const MemberWishes& wishes) {
  const ArchiveMember& member = archive.members()[index];
  MemberScan scan;
  scan.facts = member_facts(member);
  if (member.directory && member.size == 0) return scan;
  Pass pass(member, wishes);
  const Result<void> streamed = run_pass(archive, index, wishes, pass, scan);
  if (!streamed) {
    const std::string& reason = streamed.error().message();
    scan.unread.push_back({member.path, reason, "member"});
    scan.problems.push_back({"corrupt", member.path, member.header_offset, reason});
    return scan;
  }
  if (member.size == 0) pass.feed(ByteView(), scan);  // an empty member has a digest too
  pass.finish(scan);
  if (wishes.text()) read_text(pass, wishes, scan);
  if (pass.keeper() != nullptr) {
    std::optional<Trimming> trimming;
    if (wishes.trim != nullptr) trimming.emplace(*wishes.trim, scan.defined);
    Result<ElfFacts> elf = read_with_rescans(archive, index, *pass.keeper(),
                                             trimming ? &*trimming : nullptr, scan.stats);
    if (elf) {
      elf->path = member.path;
      pass.add_paths(*elf);
      scan.elf = std::make_unique<ElfFacts>(std::move(*elf));
    } else {
      scan.defined.clear();  // its pool is gone
      scan.unread.push_back({member.path, elf.error().message(), "elf"});
    }
  }
  if (auto gpu = pass.gpu(scan.elf ? scan.elf->sections : std::vector<Section>())) {
    scan.gpu = std::make_unique<GpuFacts>(std::move(*gpu));
    scan.gpu->path = member.path;
    for (const std::string& problem : scan.gpu->problems) {
      scan.unread.push_back({member.path, problem, "gpu"});
    }
  }
  if (pass.lost_mentions()) {
    const Result<void> again = scan_mentions(archive, index, scan);
    if (!again) scan.unread.push_back({member.path, again.error().message(), "member"});
  }
  return scan;
}

}  // namespace wheel_audit
