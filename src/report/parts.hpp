// What several report formats share: counting, words, grouping of findings that say the same, and
// fingerprints by which findings are known again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/report.hpp"

namespace wheel_audit {

/// Waived findings and those of the baseline are shown and decide nothing.
inline bool decides(const Finding& finding) { return !finding.waived && !finding.baseline; }

/// Why a finding decides nothing: `waived: <reason>`, `in the baseline`; empty when it decides.
std::string standing(const Finding& finding);

/// Counts over one wheel; `exit` as if the run had no other.
Summary summarize(const WheelReport& wheel, Severity fail_on);

/// `1 error`, `2 errors`.
std::string count(std::size_t number, std::string_view one, std::string_view many);

/// `1 error, 0 warnings, 2 notes, 1 waived, 0 unread`; waived ones only where there are some.
std::string counts_text(const Summary& summary);

/// How many wheels have which verdict: `1 clean, 0 with findings, 2 incomplete`.
std::string verdicts_text(const RunReport& run);

/// The line that a finding of the run speaks of, from 1; nothing where it names none.
std::optional<std::uint64_t> line_of(const Finding& finding);

/// A path as a URI reference (RFC 3986): a relative one stays relative, an absolute one is
/// `file:///…`; every byte that is not unreserved is percent-encoded.
std::string path_uri(std::string_view path);

/// The run's findings as reports on the files that they speak of (configuration, baseline), for
/// formats that know findings of files alone. They are no wheels and count as none.
std::vector<WheelReport> run_files(const RunReport& run);

/// Findings that differ in nothing but their member, subject and byte offset.
struct Group {
  const Finding* first = nullptr;
  std::optional<Finding> general;  ///< the first without its offset, where others have another
  /// What stands for all of them.
  const Finding& finding() const { return general ? *general : *first; }
  std::vector<std::string> members;  ///< each once, in order of the findings; none: whole wheel
  std::size_t findings = 0;
};

/// Equal findings as one, worst severity first, else in order of their first finding.
std::vector<Group> grouped(const std::vector<Finding>& findings);

/// The group's findings that a pack made silent, each rule and reason once, with their number.
struct Adjusted {
  std::string rule;
  std::string reason;
  std::size_t findings = 0;
};
std::vector<Adjusted> adjusted(const WheelReport& wheel);

/// One fingerprint (32 hex digits) for each finding of a wheel, in order, no two alike. It holds
/// from release to release: made of rule, distribution, tags, member and subject, without versions,
/// the hashes that repair tools put into names, and the words of messages.
std::vector<std::string> fingerprints(const std::string& file,
                                      const std::vector<Finding>& findings);

}  // namespace wheel_audit
