// Reads wheels over one pool of threads. An item of work is one member; wheels are opened as the
// queue runs low, so that the number of open files is bounded, and put together by the thread that
// finishes their last member.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "base/threads.hpp"
#include "scan/member.hpp"
#include "wheel/texts.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/read_progress.hpp"
#include "wheel_audit/sandbox.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/trim.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// A wheel being read.
struct Job {
  std::optional<Archive> archive;
  WheelFacts facts;
  std::vector<MemberScan> scans;
  std::vector<MemberWishes> wishes;               ///< one for each member
  NameMap<std::string> other_digests;             ///< path to algorithm
  std::vector<std::vector<DefinedName>> defined;  ///< by each member
  std::size_t left = 0;
};

/// Digest algorithms other than SHA-256 that RECORD asks for.
void note_other_digests(Job& job) {
  if (!job.facts.record) return;
  for (const RecordRow& row : job.facts.record->rows) {
    const std::string algorithm = lower(row.hash.substr(0, row.hash.find('=')));
    if (algorithm == "sha384" || algorithm == "sha512") job.other_digests[row.path] = algorithm;
  }
}

/// What is wanted of each member, decided in their order so that threads change nothing.
void decide_wishes(Job& job, const ReadOptions& options) {
  std::uint64_t text_bytes = 0;
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
    const auto other = job.other_digests.find(member.path);
    if (other != job.other_digests.end()) wishes.other_digest = other->second;
  }
}

void open_job(Job& job, Result<Archive> archive, const ReadOptions& options) {
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
  job.facts.archive_problems = job.archive->problems();
  if (job.archive->members().empty()) {
    job.facts.unread.push_back({std::nullopt, "the archive has no members", "archive"});
  }
  read_texts(*job.archive, job.facts);
  if (options.hash) note_other_digests(job);
  decide_wishes(job, options);
  job.scans.resize(job.archive->members().size());
  job.defined.resize(job.scans.size());
  job.left = job.scans.size();
}

/// `trim`: none where all symbols are wanted.
void scan_one(Job& job, std::size_t index, const std::optional<SymbolTrim>& trim,
              ReadProgress* progress) {
  MemberWishes wishes = job.wishes[index];
  wishes.progress = progress;
  MemberScan& scan = job.scans[index];
  scan = scan_member(*job.archive, index, wishes);
  if (trim && scan.elf) job.defined[index] = trim->take_definitions(*scan.elf);
}

/// Puts the facts of a wheel together once every member is scanned, and closes the archive.
void assemble(Job& job, const ReadOptions& options, const std::optional<SymbolTrim>& trim,
              ReadStats& stats) {
  WheelFacts& facts = job.facts;
  for (MemberScan& scan : job.scans) {
    if (!scan.other_digest.empty() && facts.record) {
      facts.record->other_digests.emplace(scan.facts.path, scan.other_digest);
    }
    std::ranges::move(scan.problems, std::back_inserter(facts.archive_problems));
    std::ranges::move(scan.unread, std::back_inserter(facts.unread));
    if (scan.elf) facts.elves.push_back(std::move(*scan.elf));
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
  if (trim) trim->drop_met_needs(facts.elves, job.defined);
  facts.claim = read_claim(facts);
  job.archive.reset();
  job.defined = {};
  job.scans.clear();
  job.scans.shrink_to_fit();
}

/// What trims the symbols, where that is wished for.
std::optional<SymbolTrim> trim_of(const ReadOptions& options) {
  if (options.all_symbols) return std::nullopt;
  return SymbolTrim(options.symbols);
}

constexpr std::size_t kMostOpen = 16;  // archives at once; far below any descriptor limit

/// The pool: a queue of members, fed with further wheels as it runs low.
class Pool {
 public:
  Pool(const std::vector<std::string>& paths, const ReadOptions& options,
       const std::function<void(std::size_t)>& done, ReadProgress* progress)
      : paths_(paths),
        options_(options),
        done_(done),
        progress_(progress),
        trim_(trim_of(options)),
        jobs_(paths.size()) {}

  std::vector<WheelFacts> run(ReadStats* stats) {
    const unsigned jobs = std::max(1U, options_.jobs);
    // A confined thread stays so: the caller, which writes reports later, only waits then.
    std::vector<std::jthread> threads = further_threads(options_.confine ? jobs : jobs - 1, [this] {
      if (options_.confine) confine_thread();
      work();
    });
    if (!options_.confine || threads.empty()) work();
    threads.clear();
    std::vector<WheelFacts> facts;
    for (Job& job : jobs_) facts.push_back(std::move(job.facts));
    if (stats != nullptr) *stats = stats_;
    return facts;
  }

 private:
  struct Item {
    std::uint64_t bytes = 0;
    std::size_t job = 0;
    std::size_t member = 0;
    bool operator<(const Item& other) const { return bytes < other.bytes; }
  };

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (next_ < paths_.size() && open_ < kMostOpen &&
          queue_.size() < std::size_t{4} * std::max(1U, options_.jobs)) {
        open_next(lock);
      } else if (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end());
        const Item item = queue_.back();
        queue_.pop_back();
        lock.unlock();
        if (progress_ != nullptr) progress_->current = item.job;
        Job& job = jobs_[item.job];
        scan_one(job, item.member, trim_, progress_);
        lock.lock();
        if (--job.left == 0) finish(item.job, lock);
      } else if (next_ == paths_.size() && open_ == 0) {
        changed_.notify_all();
        return;
      } else {
        changed_.wait(lock);
      }
    }
  }

  void open_next(std::unique_lock<std::mutex>& lock) {
    const std::size_t index = next_++;
    ++open_;
    lock.unlock();
    Job& job = jobs_[index];
    job.facts.given = paths_[index];
    open_job(job, Archive::open(paths_[index]), options_);
    if (options_.file_digest && job.archive) {
      Result<std::string> digest = file_sha256(paths_[index]);
      if (digest) job.facts.file_sha256 = std::move(*digest);
    }
    lock.lock();
    if (job.scans.empty()) return finish(index, lock);
    for (std::size_t i = 0; i < job.scans.size(); ++i) {
      queue_.push_back({job.archive->members()[i].size, index, i});
      std::push_heap(queue_.begin(), queue_.end());
    }
    changed_.notify_all();
  }

  /// Members told what is theirs; the rest of the file is headers and what lies between.
  void tell_finished(const Job& job) const {
    std::uint64_t rest = job.facts.file_size;
    if (job.archive) {
      for (const ArchiveMember& member : job.archive->members())
        rest -= std::min(rest, member.compressed);
    }
    progress_->bytes += rest;
    ++progress_->wheels;
  }

  void finish(std::size_t index, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    ReadStats stats;
    if (progress_ != nullptr) tell_finished(jobs_[index]);
    assemble(jobs_[index], options_, trim_, stats);
    lock.lock();
    --open_;
    stats_.inflated += stats.inflated;
    stats_.rescanned += stats.rescanned;
    stats_.hashed += stats.hashed;
    if (done_) done_(index);
    changed_.notify_all();
  }

  const std::vector<std::string>& paths_;
  const ReadOptions& options_;
  const std::function<void(std::size_t)>& done_;
  ReadProgress* progress_;  ///< null where nobody watches
  const std::optional<SymbolTrim> trim_;
  std::vector<Job> jobs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> queue_;  ///< a heap, largest member first
  std::size_t next_ = 0;
  std::size_t open_ = 0;
  ReadStats stats_;
};

}  // namespace

std::vector<WheelFacts> read_wheels(const std::vector<std::string>& paths,
                                    const ReadOptions& options, ReadStats* stats,
                                    const std::function<void(std::size_t)>& done) {
  return Pool(paths, options, done, nullptr).run(stats);
}

std::vector<WheelFacts> read_wheels_watched(const std::vector<std::string>& paths,
                                            const ReadOptions& options, ReadStats* stats,
                                            ReadProgress& progress) {
  return Pool(paths, options, {}, &progress).run(stats);
}

WheelFacts read_wheel(const std::string& path, const ReadOptions& options, ReadStats* stats) {
  return std::move(read_wheels({path}, options, stats).front());
}

WheelFacts read_wheel_bytes(const std::string& file_name, std::vector<std::uint8_t> bytes,
                            const ReadOptions& options) {
  Job job;
  job.facts.given = file_name;
  open_job(job, Archive::open_bytes(std::move(bytes)), options);
  const std::optional<SymbolTrim> trim = trim_of(options);
  for (std::size_t i = 0; i < job.scans.size(); ++i) scan_one(job, i, trim, nullptr);
  ReadStats stats;
  assemble(job, options, trim, stats);
  return std::move(job.facts);
}

}  // namespace wheel_audit
