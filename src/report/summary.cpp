#include "wheel_audit/report.hpp"

namespace wheel_audit {

namespace {

/// Waived findings and those of the baseline are shown and decide nothing.
bool counts(const Finding& finding) { return !finding.waived && !finding.baseline; }

}  // namespace

Summary summarize(const RunReport& run) {
  Summary summary;
  summary.wheels = run.wheels.size();
  bool failed = false;
  for (const WheelReport& wheel : run.wheels) {
    summary.unread += wheel.unread.size();
    for (const Finding& finding : wheel.findings) {
      if (!counts(finding)) {
        ++summary.waived;
        continue;
      }
      failed = failed || finding.severity >= run.fail_on;
      if (finding.severity == Severity::error) ++summary.errors;
      if (finding.severity == Severity::warning) ++summary.warnings;
      if (finding.severity == Severity::note) ++summary.notes;
    }
  }
  constexpr int kIncomplete = 3;
  summary.exit = summary.unread > 0 ? kIncomplete : failed ? 1 : 0;
  return summary;
}

std::string_view verdict(const WheelReport& wheel, Severity fail_on) {
  if (!wheel.unread.empty()) return "incomplete";
  for (const Finding& finding : wheel.findings) {
    if (counts(finding) && finding.severity >= fail_on) return "findings";
  }
  return "clean";
}

}  // namespace wheel_audit
