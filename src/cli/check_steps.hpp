// The steps of check, in order: what is asked, what is read, what comes of it, where it goes.
#pragma once

#include <vector>

#include "cli/commands.hpp"
#include "wheel_audit/report.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::cli {

/// What options and configuration mean, checked before anything is read.
struct CheckSettings : Settings {
  RuleSet rules;
  ReadOptions reading;
  Baseline known;            ///< findings that do not fail
  std::string today;         ///< what waivers are held to
  bool cross_check = false;  ///< another parser reads the ELF members too
};

/// Refuses words that mean nothing and a selection that leaves no rule to ask.
Result<CheckSettings> check_settings(const CheckOptions& options);

/// The facts that the rules are asked of.
struct CheckInputs {
  std::vector<WheelFacts> wheels;
  std::vector<WheelFacts> context;  ///< of `--with` or `--env`
  ReadStats stats;                  ///< of `wheels`
};

/// Reads wheels, or facts files with `--facts`. Refuses paths that do not exist and files that
/// hold no facts; what cannot be read of a wheel is in its facts.
Result<CheckInputs> read_inputs(const CheckOptions& options, const CheckSettings& settings);

/// Asks the rules of every wheel. The report borrows the settings.
RunReport judge(const CheckInputs& inputs, const CheckSettings& settings);

/// Writes what is found as known, for `--write-baseline`, and marks it so; false after a message
/// when the file could not be written.
bool accept_findings(RunReport& run, const CheckOptions& options, const CheckSettings& settings);

/// A report to write.
struct Target {
  const Format* format = nullptr;
  std::string file;     ///< empty: standard output
  bool append = false;  ///< adds to the file, as GitHub's job summaries want it
};

/// The reports that `--format` and `--output` ask for. Refuses unknown formats, one file for two
/// reports, and reports on standard output that would make each other unreadable.
Result<std::vector<Target>> targets_of(const CheckOptions& options);

/// Writes every report; false after a message when one could not be written.
bool publish(RunReport& run, const std::vector<Target>& targets);

}  // namespace wheel_audit::cli
