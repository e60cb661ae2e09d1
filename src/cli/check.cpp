// check: reads wheels (or facts), asks the rules, reports.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/check_steps.hpp"

namespace wheel_audit::cli {

namespace {

/// How long each step took, on the clock.
class Stages {
 public:
  /// The step that ends now.
  void end(std::string_view name) {
    const Clock::time_point now = Clock::now();
    const double milliseconds = std::chrono::duration<double, std::milli>(now - begun_).count();
    told_ += fmt::format("{}{} {:.1f} ms", told_.empty() ? "" : ", ", name, milliseconds);
    begun_ = now;
  }
  const std::string& told() const { return told_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begun_ = Clock::now();
  std::string told_;
};

void print_stats(const ReadStats& stats, const Stages& stages) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  fmt::print(stderr,
             "wheel-audit: inflated {} bytes ({} of them again), hashed {}; {}; {:.2f} s of "
             "processor time, peak memory {} KiB\n",
             stats.inflated, stats.rescanned, stats.hashed, stages.told(),
             seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
}

/// Ends the process here, without freeing piece by piece what was read. Returns where leaks are
/// looked for at the end.
int end_with(int code) {
#ifndef __SANITIZE_ADDRESS__
  std::fflush(nullptr);
  ::_exit(code);
#endif
  return code;
}

}  // namespace

int check(const CheckOptions& options) {
  Stages stages;
  const Result<std::vector<Target>> targets = targets_of(options);
  if (!targets) return wrong_use(targets.error().message());
  const Result<CheckSettings> settings = check_settings(options);
  if (!settings) return wrong_use(settings.error().message());
  stages.end("rules");
  const Result<CheckInputs> inputs = read_inputs(options, *settings);
  if (!inputs) return wrong_use(inputs.error().message());
  stages.end("reading");
  RunReport run = judge(*inputs, *settings);
  stages.end("judging");
  const bool accepted = accept_findings(run, options, *settings);
  const bool written = publish(run, *targets);
  stages.end("reports");
  if (options.stats) print_stats(inputs->stats, stages);
  return end_with(written && accepted ? summarize(run).exit : kIncomplete);
}

}  // namespace wheel_audit::cli
