// Reads wheels over one pool of threads. An item of work is one member; wheels are opened as the
// queue runs low, so that the number of open files is bounded, and put together by the thread that
// finishes their last member. Threads that find no item left help with large members.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/threads.hpp"
#include "scan/relay.hpp"
#include "wheel/read_job.hpp"
#include "wheel_audit/read_progress.hpp"
#include "wheel_audit/sandbox.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kMostOpen = 16;  // archives at once; far below any descriptor limit
constexpr std::uint64_t kWorthHelp = 4ULL
                                     << 20U;  ///< bytes of a member; below, it is read too soon

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
    for (ReadJob& job : jobs_) facts.push_back(std::move(job.facts));
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

  void push(Item item) {
    queue_.push_back(item);
    std::push_heap(queue_.begin(), queue_.end());
    queued_ = true;
  }

  Item pop() {
    std::pop_heap(queue_.begin(), queue_.end());
    const Item item = queue_.back();
    queue_.pop_back();
    queued_ = !queue_.empty();
    return item;
  }

  // Not with exceptions: what waits for this thread would wait for good.
  void work() noexcept {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (next_ < paths_.size() && open_ < kMostOpen &&
          queue_.size() < std::size_t{4} * std::max(1U, options_.jobs)) {
        open_next(lock);
      } else if (!queue_.empty()) {
        scan_next(lock);
      } else if (next_ == paths_.size() && open_ == 0) {
        changed_.notify_all();
        return;
      } else if (const std::shared_ptr<Relay> relay = join_any()) {
        lock.unlock();
        relay->help([this] { return queued_.load(); });
        lock.lock();
      } else {
        changed_.wait(lock);
      }
    }
  }

  void scan_next(std::unique_lock<std::mutex>& lock) {
    const Item item = pop();
    ReadJob& job = jobs_[item.job];
    std::shared_ptr<Relay> relay;
    if (item.bytes >= kWorthHelp && options_.jobs > 1) {
      relay = relays_.emplace_back(std::make_shared<Relay>([this] { tell_idle(); }));
    }
    lock.unlock();
    if (progress_ != nullptr) progress_->current = item.job;
    scan_one(job, item.member, trim_, progress_, relay.get());
    lock.lock();
    if (relay) std::erase(relays_, relay);
    if (--job.left == 0) finish(item.job, lock);
  }

  /// Wakes a thread that found nothing to do.
  void tell_idle() {
    { const std::lock_guard lock(mutex_); }  // it waits already, or has not looked yet
    changed_.notify_one();
  }

  /// A large member whose scanning this thread now does for the one that decodes it; null for none.
  std::shared_ptr<Relay> join_any() {
    for (const std::shared_ptr<Relay>& relay : relays_) {
      if (relay->join()) return relay;
    }
    return nullptr;
  }

  void open_next(std::unique_lock<std::mutex>& lock) {
    const std::size_t index = next_++;
    ++open_;
    lock.unlock();
    ReadJob& job = jobs_[index];
    job.facts.given = paths_[index];
    open_job(job, Archive::open_uncompared(paths_[index]), options_);
    job.left = job.scans.size() + 1;  // the rest of this is one more
    // What digests are wanted is known from the texts. Others need not wait for them.
    if (!options_.hash) hand_out(index);
    read_job_texts(job, options_);
    if (options_.hash) hand_out(index);
    compare_job(job);
    if (options_.file_digest && job.archive) {
      Result<std::string> digest = file_sha256(paths_[index]);
      if (digest) job.facts.file_sha256 = std::move(*digest);
    }
    lock.lock();
    if (--job.left == 0) finish(index, lock);
  }

  /// Queues the members of a wheel.
  void hand_out(std::size_t index) {
    const std::lock_guard lock(mutex_);
    const ReadJob& job = jobs_[index];
    for (std::size_t i = 0; i < job.scans.size(); ++i)
      push({job.archive->members()[i].size, index, i});
    for (const std::shared_ptr<Relay>& relay : relays_) relay->look_up();
    changed_.notify_all();
  }

  /// Members told what is theirs; the rest of the file is headers and what lies between.
  void tell_finished(const ReadJob& job) const {
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
  std::vector<ReadJob> jobs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Item> queue_;           ///< a heap, largest member first
  std::atomic<bool> queued_ = false;  ///< it holds something; asked by who does not hold the mutex
  std::vector<std::shared_ptr<Relay>> relays_;  ///< of the large members that are being read
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
  ReadJob job;
  job.facts.given = file_name;
  open_job(job, Archive::open_bytes(std::move(bytes)), options);
  read_job_texts(job, options);
  const std::optional<SymbolTrim> trim = trim_of(options);
  for (std::size_t i = 0; i < job.scans.size(); ++i) scan_one(job, i, trim, nullptr, nullptr);
  ReadStats stats;
  assemble(job, options, trim, stats);
  return std::move(job.facts);
}

}  // namespace wheel_audit
