// Asks the rules of wheels, over as many threads as there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// What a rule said about a wheel.
struct RuleAnswer {
  Looked looked = Looked::nothing;
  Report said;
};

/// The rules of one wheel, asked by one thread or by several.
class WheelAudit {
 public:
  /// Borrows both.
  WheelAudit(const Subject& subject, const RuleSet& rules);
  /// From which end of the rules a thread takes. Those of one pack share what is worked out first,
  /// for which threads that come from the same end would wait.
  enum class Order : std::uint8_t { forwards, backwards };
  /// Asks rules that no thread has taken, until none is left; others may still be at theirs.
  void ask(Order order);
  /// What came of it, the same whoever asked; when every `ask` has returned. `require` lists ids
  /// and globs: those rules must have been asked and must have had something to look at.
  WheelReport report(const std::vector<std::string>& require);

 private:
  std::optional<std::size_t> take(Order order);

  const Subject& subject_;
  const RuleSet& rules_;
  std::vector<RuleAnswer> answers_;  ///< one for each rule
  std::mutex mutex_;                 ///< of what follows
  std::size_t begin_ = 0;            ///< the rules that no thread has taken
  std::size_t end_;
};

/// Asks every rule of one wheel in this thread.
WheelReport audit(const Subject& subject, const RuleSet& rules,
                  const std::vector<std::string>& require = {});

/// How wheels are asked.
struct AuditOptions {
  std::vector<std::string> require;  ///< see WheelAudit::report
  unsigned jobs = 1;                 ///< threads
  bool confine = false;              ///< in threads of their own that may do nothing but compute
};

/// Asks every rule of every wheel. Threads that find no further wheel help with the rules of those
/// that others are at. Reports are in the order of the wheels.
std::vector<WheelReport> audit_wheels(const std::vector<WheelFacts>& wheels,
                                      const Expectations& expect, const Context& context,
                                      const RuleSet& rules, const AuditOptions& options);

}  // namespace wheel_audit
