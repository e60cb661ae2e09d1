// Reports: one function and one file per format.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// A whole run.
struct RunReport {
  std::vector<WheelReport> wheels;
  /// About the run and no wheel: `where` is the configuration or baseline, the evidence has its
  /// line. They count like those of wheels.
  std::vector<Finding> findings;
  Severity fail_on = Severity::error;
  bool show_notes = false;                   ///< text: notes too
  bool colour = false;                       ///< text only
  std::map<std::string, const Rule*> rules;  ///< by id, for formats that describe them
};

/// Counts over a run.
struct Summary {
  std::size_t wheels = 0;
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t waived = 0;
  std::size_t unread = 0;
  int exit = 0;
};

/// Counts, and the exit code of design 4.2: 3 beats 1 beats 0.
Summary summarize(const RunReport& run);

/// `clean`, `findings` or `incomplete`.
std::string_view verdict(const WheelReport& wheel, Severity fail_on);

/// A report format: its name and the function that writes it.
struct Format {
  std::string_view name;
  std::string_view about;
  std::string (*render)(const RunReport& run);
  bool mixes = false;  ///< made of lines that others may stand before and after
  /// The environment variable that names the file to append to when none is given, or empty.
  std::string_view default_file = {};
};

/// Every format, in order of name.
const std::vector<Format>& formats();

}  // namespace wheel_audit
