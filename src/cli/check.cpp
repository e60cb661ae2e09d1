// check: reads wheels (or facts), asks the rules, reports.
#include <fmt/format.h>
#include <sys/resource.h>

#include "cli/check_steps.hpp"

namespace wheel_audit::cli {

namespace {

void print_stats(const ReadStats& stats) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  fmt::print(stderr,
             "wheel-audit: inflated {} bytes ({} of them again), hashed {}; {:.2f} s of processor "
             "time, peak memory {} KiB\n",
             stats.inflated, stats.rescanned, stats.hashed,
             seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
}

}  // namespace

int check(const CheckOptions& options) {
  const Result<std::vector<Target>> targets = targets_of(options);
  if (!targets) return wrong_use(targets.error().message());
  const Result<CheckSettings> settings = check_settings(options);
  if (!settings) return wrong_use(settings.error().message());
  const Result<CheckInputs> inputs = read_inputs(options, *settings);
  if (!inputs) return wrong_use(inputs.error().message());
  RunReport run = judge(*inputs, *settings);
  const bool accepted = accept_findings(run, options, *settings);
  const bool written = publish(run, *targets);
  if (options.stats) print_stats(inputs->stats);
  return written && accepted ? summarize(run).exit : kIncomplete;
}

}  // namespace wheel_audit::cli
