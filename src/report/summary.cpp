// Counts, verdicts and exit codes of what was found.
#include "report/parts.hpp"

namespace wheel_audit {

namespace {

constexpr int kFindings = 1;
constexpr int kIncomplete = 3;

void add_findings(const std::vector<Finding>& findings, Severity fail_on, Summary& summary) {
  for (const Finding& finding : findings) {
    if (finding.waived) ++summary.waived;
    if (!decides(finding)) continue;
    if (finding.severity == Severity::error) ++summary.errors;
    if (finding.severity == Severity::warning) ++summary.warnings;
    if (finding.severity == Severity::note) ++summary.notes;
    if (finding.severity >= fail_on) summary.exit = kFindings;
  }
}

}  // namespace

Summary summarize(const WheelReport& wheel, Severity fail_on) {
  Summary summary;
  summary.wheels = 1;
  summary.unread = wheel.unread.size();
  add_findings(wheel.findings, fail_on, summary);
  if (summary.unread > 0) summary.exit = kIncomplete;
  return summary;
}

Summary summarize(const RunReport& run) {
  Summary total;
  add_findings(run.findings, run.fail_on, total);
  for (const WheelReport& wheel : run.wheels) {
    const Summary one = summarize(wheel, run.fail_on);
    total.wheels += one.wheels;
    total.errors += one.errors;
    total.warnings += one.warnings;
    total.notes += one.notes;
    total.waived += one.waived;
    total.unread += one.unread;
    if (one.exit > total.exit) total.exit = one.exit;  // 3 beats 1 beats 0
  }
  return total;
}

std::string_view verdict(const WheelReport& wheel, Severity fail_on) {
  const int exit = summarize(wheel, fail_on).exit;
  return exit == kIncomplete ? "incomplete" : exit == kFindings ? "findings" : "clean";
}

}  // namespace wheel_audit
