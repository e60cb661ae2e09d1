// GitLab's code quality report: a JSON array that merge requests show. It knows no suppression:
// findings that decide nothing are of severity `info` and say why.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/formats.hpp"
#include "report/parts.hpp"
#include "wheel_audit/digest.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::string_view severity_word(const Finding& finding) {
  if (!decides(finding) || finding.severity == Severity::note) return "info";
  return finding.severity == Severity::error ? "critical" : "minor";
}

Json issue(const WheelReport& wheel, const std::optional<std::string>& where, std::string_view rule,
           std::string_view severity, const std::string& text, const std::string& fingerprint,
           std::uint64_t line = 1) {
  Json lines = Json::object();
  lines.append("begin", line);  // GitLab refuses an issue without a line
  Json location = Json::object();
  location.append("path",
                  printable(wheel.file) + (where ? "/" + printable(*where) : std::string()));
  location.append("lines", std::move(lines));
  Json json = Json::object();
  json.append("description", text);
  json.append("check_name", rule);
  json.append("fingerprint", fingerprint);
  json.append("severity", severity);
  json.append("location", std::move(location));
  return json;
}

std::string description(const Finding& finding) {
  std::string text = printable(finding.message);
  if (!decides(finding)) text = "[" + standing(finding) + "] " + text;
  if (!finding.fix.empty()) text += ". Fix: " + printable(finding.fix);
  return text;
}

}  // namespace

std::string render_gitlab(const RunReport& run) {
  Json issues = Json::array();
  std::vector<WheelReport> files = run.wheels;
  std::ranges::move(run_files(run), std::back_inserter(files));
  for (const WheelReport& wheel : files) {
    for (const Unread& unread : wheel.unread) {
      const std::string print =
          text_sha256("unread\n" + printable(wheel.file) + "\n" +
                      printable(unread.where.value_or("")) + "\n" + printable(unread.reason));
      issues.push(issue(wheel, unread.where, "unread", "blocker",
                        "unread: " + printable(unread.reason), print.substr(0, 32)));
    }
    std::vector<Finding> all = wheel.findings;
    all.insert(all.end(), wheel.adjusted.begin(), wheel.adjusted.end());
    const std::vector<std::string> prints = fingerprints(wheel.file, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      issues.push(issue(wheel, all[i].where, all[i].rule, severity_word(all[i]),
                        description(all[i]), prints[i], line_of(all[i]).value_or(1)));
    }
  }
  return issues.dump(1) + "\n";
}

}  // namespace wheel_audit
