// What several report formats share: counting, and grouping of findings that say the same.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/report.hpp"

namespace wheel_audit {

/// Waived findings and those of the baseline are shown and decide nothing.
inline bool decides(const Finding& finding) { return !finding.waived && !finding.baseline; }

/// Counts over one wheel; `exit` as if the run had no other.
Summary summarize(const WheelReport& wheel, Severity fail_on);

/// Findings that differ in nothing but their member and subject.
struct Group {
  const Finding* first = nullptr;
  std::vector<std::string> members;  ///< each once, in order of the findings; none: whole wheel
  std::size_t findings = 0;
};

/// Equal findings as one, worst severity first, else in order of their first finding.
std::vector<Group> grouped(const std::vector<Finding>& findings);

}  // namespace wheel_audit
