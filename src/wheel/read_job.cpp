// A wheel from its archive to its facts (see the header).
#include "wheel/read_job.hpp"

#include <algorithm>
#include <iterator>

#include "wheel/texts.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Digest algorithms other than SHA-256 that RECORD asks for.
void note_other_digests(ReadJob& job) {
  if (!job.facts.record) return;
  NameMap<std::string> asked;  // by path
  for (const RecordRow& row : job.facts.record->rows) {
    const std::string algorithm = lower(row.hash.substr(0, row.hash.find('=')));
    if (algorithm == "sha384" || algorithm == "sha512") asked[row.path] = algorithm;
  }
  if (asked.empty()) return;
  for (std::size_t i = 0; i < job.wishes.size(); ++i) {
    const auto other = asked.find(job.archive->members()[i].path);
    if (other != asked.end()) job.wishes[i].other_digest = other->second;
  }
}

/// What is wanted of each member, decided in their order so that threads change nothing.
void decide_wishes(ReadJob& job, const ReadOptions& options) {
  std::uint64_t text_bytes = 0;
  job.wishes.reserve(job.archive->members().size());
  const Globs headers(options.texts.headers);
  const Globs cmake(options.texts.cmake);
  for (const ArchiveMember& member : job.archive->members()) {
    MemberWishes& wishes = job.wishes.emplace_back();
    wishes.hash = options.hash;
    wishes.header = headers.match(member.path);
    wishes.cmake = cmake.match(member.path);
    wishes.paths = &options.texts.paths;
    if (wishes.text()) text_bytes += std::min(member.size, limits().source_bytes);
    wishes.past_budget = text_bytes > limits().sources_bytes;
  }
}

}  // namespace

void open_job(ReadJob& job, Result<Archive> archive, const ReadOptions& options) {
  const std::string_view file = base_name(job.facts.given);
  job.facts.file_name = std::string(file);
  Result<NameFacts> name = parse_wheel_name(file);
  if (name) {
    job.facts.name = std::move(*name);
  } else {
    job.facts.name_problem = name.error().message();
  }
  if (!archive) {
    job.facts.unread.push_back({std::nullopt, archive.error().message(), "archive"});
    return;
  }
  job.archive = std::move(*archive);
  job.facts.file_size = job.archive->file_size();
  if (job.archive->members().empty()) {
    job.facts.unread.push_back({std::nullopt, "the archive has no members", "archive"});
  }
  decide_wishes(job, options);
  job.scans.resize(job.archive->members().size());
}

void read_job_texts(ReadJob& job, const ReadOptions& options) {
  if (!job.archive) return;
  read_texts(*job.archive, job.facts);
  if (options.hash) note_other_digests(job);
}

void compare_job(ReadJob& job) {
  if (!job.archive) return;
  const Result<void> compared = job.archive->compare();
  if (!compared) job.facts.unread.push_back({std::nullopt, compared.error().message(), "archive"});
}

void scan_one(ReadJob& job, std::size_t index, const std::optional<SymbolTrim>& trim,
              ReadProgress* progress, Relay* relay) {
  MemberWishes wishes = job.wishes[index];
  wishes.progress = progress;
  wishes.relay = relay;
  wishes.trim = trim ? &*trim : nullptr;
  job.scans[index] = scan_member(*job.archive, index, wishes);
}

void assemble(ReadJob& job, const ReadOptions& options, const std::optional<SymbolTrim>& trim,
              ReadStats& stats) {
  WheelFacts& facts = job.facts;
  if (job.archive) facts.archive_problems = job.archive->problems();
  std::vector<std::vector<DefinedName>> defined;
  facts.members.reserve(job.scans.size());
  for (MemberScan& scan : job.scans) {
    if (!scan.other_digest.empty() && facts.record) {
      facts.record->other_digests.emplace(scan.facts.path, scan.other_digest);
    }
    std::ranges::move(scan.problems, std::back_inserter(facts.archive_problems));
    std::ranges::move(scan.unread, std::back_inserter(facts.unread));
    if (scan.elf) facts.elves.push_back(std::move(*scan.elf));
    if (!scan.defined.empty()) defined.push_back(std::move(scan.defined));
    if (scan.gpu) facts.gpu.push_back(std::move(*scan.gpu));
    if (scan.header) facts.headers.push_back(std::move(*scan.header));
    if (scan.cmake) facts.cmake.push_back(std::move(*scan.cmake));
    if (scan.object) facts.objects.push_back(std::move(*scan.object));
    facts.members.push_back(std::move(scan.facts));
    stats.inflated += scan.stats.inflated;
    stats.rescanned += scan.stats.rescanned;
    stats.hashed += scan.stats.hashed;
  }
  if (!options.hash && job.archive) {
    facts.unread.push_back({std::nullopt, "digests were not computed (--no-hash)", "digest"});
  }
  if (trim) trim->drop_met_needs(facts.elves, defined);
  facts.claim = read_claim(facts);
  job.archive.reset();
  job.scans.clear();
  job.scans.shrink_to_fit();
}

std::optional<SymbolTrim> trim_of(const ReadOptions& options) {
  if (options.all_symbols) return std::nullopt;
  return SymbolTrim(options.symbols);
}

}  // namespace wheel_audit
