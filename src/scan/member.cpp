// One pass over a member (see pass.hpp), and more only where an ELF file's tables lie scattered, or
// what was taken for device code is none.
#include "scan/member.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "scan/pass.hpp"
#include "scan/relay.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

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
