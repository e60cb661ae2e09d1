// Which scanners a member gets, and what each is handed (see the header).
#include "scan/pass.hpp"

#include <string_view>
#include <utility>

#include "scan/object_kind.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

Pass::Pass(const ArchiveMember& member, const MemberWishes& wishes)
    : member_(member), gpu_(member.size, 2) {
  if (wishes.hash) sha256_ = Digest::named("sha256");
  if (!wishes.other_digest.empty()) other_ = Digest::named(wishes.other_digest);
  keeps_text_ = wishes.text() && !wishes.past_budget;
  if (wishes.paths != nullptr && !wishes.paths->empty()) path_wishes_ = wishes.paths;
}

void Pass::feed(ByteView chunk, MemberScan& scan) {
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

void Pass::finish(MemberScan& scan) {
  if (sha256_) scan.facts.sha256 = sha256_->hex();
  if (other_) scan.other_digest = other_->hex();
  if (mentions_) scan.facts.mentions = mentions_->finish();
  if (secrets_) scan.facts.secret = secrets_->found();
}

void Pass::add_paths(ElfFacts& elf) {
  if (!paths_) return;
  std::vector<std::string> of_the_loader = {elf.soname, elf.interpreter.value_or("")};
  for (const auto* texts : {&elf.rpath, &elf.runpath, &elf.needed})
    of_the_loader.insert(of_the_loader.end(), texts->begin(), texts->end());
  elf.paths = paths_->finish(of_the_loader);
  elf.more_paths = paths_->more();
}

void Pass::feed_mentions() {
  for (const GpuScanner::Piece& piece : gpu_.outside()) {
    if (piece.offset != mentions_end_) mentions_->leave_gap();
    mentions_->feed(piece.bytes);
    mentions_end_ = piece.offset + piece.bytes.size();
  }
}

void Pass::begin(ByteView head, MemberScan& scan) {
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
    scan.object = std::make_unique<ObjectFacts>(ObjectFacts{scan.facts.path, "wasm", kind.machine});
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

}  // namespace wheel_audit
