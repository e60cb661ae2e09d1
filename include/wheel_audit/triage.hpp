// What people decided about findings: waivers (live with it until a date) and baselines (known
// before; only new ones fail). Neither hides a finding, and neither covers what is unread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/report.hpp"

namespace wheel_audit {

/// Findings that somebody decided to live with until a date. Lists match when one glob does; empty
/// ones match everything.
struct Waiver {
  std::string rule;                             ///< an id or glob
  std::vector<std::string> wheel;               ///< globs of the file name, or of the path as given
  std::vector<std::string> where;               ///< globs of members
  std::map<std::string, std::string> evidence;  ///< key to glob; all must match
  std::string reason;
  std::string until;  ///< the last day on which it waives
  std::string file;   ///< the configuration that it is written in
  std::string line;
};

/// Marks what waivers cover as waived, with reason and date. Adds `config/waiver-expired` (warning)
/// for each one past its date and `config/waiver-unused` (note) for each one that matched nothing.
void apply_waivers(const std::vector<Waiver>& waivers, std::string_view date, RunReport& run);

/// A finding that was there before. It is known again by rule, distribution, platform, member and
/// subject, none of which holds a version, a hash of a bundled library's name, or a Python: those
/// change with every release, and the fault does not.
struct Known {
  std::string rule;
  std::string distribution;          ///< normalised
  std::string platform;              ///< `manylinux_x86_64`: tags without versions
  std::optional<std::string> where;  ///< a member
  std::string subject;
  std::string message;  ///< for people; not compared
  bool operator<(const Known& other) const;
};

struct Baseline {
  std::string file;
  std::set<Known> known;
};

/// Reads what baseline_text wrote; the error names the file.
Result<Baseline> parse_baseline(std::string_view text, const std::string& file);
std::string baseline_text(const Baseline& baseline);

/// The findings of a run that no waiver covers, and what was known before that the run could not
/// judge (other wheels, unread ones, rules that were not asked).
Baseline baseline_of(const RunReport& run, const Baseline& before);

/// Marks findings that are known; apply waivers first. Adds a note `config/baseline-fixed` where
/// known findings are gone.
void apply_baseline(const Baseline& baseline, RunReport& run);

}  // namespace wheel_audit
