// Asks the rules of several wheels over several threads: wheel by wheel, and the last ones rule by
// rule.
#include <algorithm>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>

#include "base/threads.hpp"
#include "wheel_audit/audit.hpp"
#include "wheel_audit/sandbox.hpp"

namespace wheel_audit {

namespace {

class Judgement {
 public:
  Judgement(const std::vector<WheelFacts>& wheels, const Expectations& expect,
            const Context& context, const RuleSet& rules, const AuditOptions& options)
      : wheels_(wheels),
        expect_(expect),
        context_(context),
        rules_(rules),
        options_(options),
        reports_(wheels.size()) {}

  /// What each thread does: its own wheels, then its share of others'.
  void work() {
    while (const std::shared_ptr<Begun> wheel = begin_next())
      take_part(wheel, WheelAudit::Order::forwards);
    while (const std::shared_ptr<Begun> wheel = join_another())
      take_part(wheel, WheelAudit::Order::backwards);
  }

  std::vector<WheelReport> reports() { return std::move(reports_); }

 private:
  /// A wheel that has rules left to ask.
  struct Begun {
    Begun(std::size_t number, const WheelFacts& wheel, const Judgement& of)
        : index(number), subject(wheel, of.expect_, of.context_), audit(subject, of.rules_) {}

    std::size_t index;
    Subject subject;
    WheelAudit audit;
    std::size_t threads = 1;  ///< at its rules
  };

  std::shared_ptr<Begun> begin_next() {
    std::size_t index = 0;
    {
      const std::scoped_lock lock(mutex_);
      if (next_ == wheels_.size()) return nullptr;
      index = next_++;
      ++beginning_;
    }
    auto wheel = std::make_shared<Begun>(index, wheels_[index], *this);
    const std::scoped_lock lock(mutex_);
    --beginning_;
    begun_.push_back(wheel);
    changed_.notify_all();
    return wheel;
  }

  /// Waits for one while there may be one.
  std::shared_ptr<Begun> join_another() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !begun_.empty() || beginning_ == 0; });
    if (begun_.empty()) return nullptr;
    ++begun_.front()->threads;
    return begun_.front();
  }

  /// Whoever is the last at a wheel writes its report.
  void take_part(const std::shared_ptr<Begun>& wheel, WheelAudit::Order order) {
    wheel->audit.ask(order);
    {
      const std::scoped_lock lock(mutex_);
      begun_.remove(wheel);
      if (--wheel->threads > 0) return;
    }
    reports_[wheel->index] = wheel->audit.report(options_.require);
  }

  const std::vector<WheelFacts>& wheels_;
  const Expectations& expect_;
  const Context& context_;
  const RuleSet& rules_;
  const AuditOptions& options_;
  std::vector<WheelReport> reports_;
  std::mutex mutex_;  ///< of what follows, and of each Begun's count
  std::condition_variable changed_;
  std::size_t next_ = 0;       ///< wheel that nobody has taken
  std::size_t beginning_ = 0;  ///< wheels taken whose rules cannot be asked yet
  std::list<std::shared_ptr<Begun>> begun_;
};

}  // namespace

std::vector<WheelReport> audit_wheels(const std::vector<WheelFacts>& wheels,
                                      const Expectations& expect, const Context& context,
                                      const RuleSet& rules, const AuditOptions& options) {
  Judgement judgement(wheels, expect, context, rules, options);
  // More threads than that at one wheel's rules wait for each other.
  constexpr std::size_t kMostHelpers = 3;
  const std::size_t most = std::min<std::size_t>(options.jobs, wheels.size() + kMostHelpers);
  {
    const std::vector<std::jthread> threads =
        further_threads(options.confine ? most : most - 1, [&] {
          if (options.confine) confine_thread();
          judgement.work();
        });
    if (!options.confine || threads.empty()) judgement.work();
  }
  return judgement.reports();
}

}  // namespace wheel_audit
