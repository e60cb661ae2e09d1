// JUnit XML, for the test pages of Jenkins, GitLab and the like: one suite a wheel, one case for
// each rule that found nothing and for each finding.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/formats.hpp"
#include "report/markup.hpp"
#include "report/parts.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The cases of a wheel as XML, and how many came out how.
struct Suite {
  std::string cases;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
};

/// Adds a case; `outcome` is the element inside it, or empty for one that passed.
void add_case(Suite& suite, const std::string& wheel, const std::string& name,
              const std::string& outcome) {
  ++suite.tests;
  suite.cases +=
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(base_name(wheel)), xml(name));
  suite.cases += outcome.empty() ? "/>\n" : fmt::format(">\n      {}\n    </testcase>\n", outcome);
}

std::string skipped(std::string_view why) {
  return fmt::format("<skipped message=\"{}\"/>", xml(why));
}

std::string details(const Finding& finding) {
  std::string text = finding.where ? printable(*finding.where) + ": " : "";
  text += printable(finding.message);
  if (!finding.fix.empty()) text += "\nfix: " + printable(finding.fix);
  for (const auto& [key, value] : finding.evidence)
    text += "\n" + printable(key) + ": " + printable(value);
  if (!finding.superseded.empty())
    text += "\nstands for: " + printable(join(finding.superseded, ", "));
  std::string escaped;  // line by line, as line ends are ours
  for (const std::string_view line : split(text, '\n')) {
    if (!escaped.empty()) escaped += "\n";
    escaped += xml(line);
  }
  return escaped;
}

void add_finding(Suite& suite, const WheelReport& wheel, const Finding& finding, Severity fail_on) {
  std::string name = finding.rule;
  if (finding.where) name += " " + *finding.where;
  if (!finding.subject.empty()) name += " (" + finding.subject + ")";
  if (!decides(finding)) {
    ++suite.skipped;
    add_case(suite, wheel.file, name, skipped(standing(finding) + ": " + finding.message));
  } else if (finding.severity >= fail_on) {
    ++suite.failures;
    add_case(suite, wheel.file, name,
             fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>",
                         to_string(finding.severity), xml(finding.message), details(finding)));
  } else {
    add_case(suite, wheel.file, name,
             fmt::format("<system-out>{}: {}</system-out>", to_string(finding.severity),
                         details(finding)));
  }
}

Suite suite_of(const RunReport& run, const WheelReport& wheel) {
  Suite suite;
  for (const Unread& unread : wheel.unread) {
    ++suite.errors;
    add_case(suite, wheel.file, "unread" + (unread.where ? " " + *unread.where : ""),
             fmt::format("<error type=\"unread\" message=\"{}\"/>", xml(unread.reason)));
  }
  std::set<std::string> told;
  for (const Finding& finding : wheel.findings) {
    told.insert(finding.rule);
    told.insert(finding.superseded.begin(), finding.superseded.end());
    add_finding(suite, wheel, finding, run.fail_on);
  }
  for (const Adjusted& one : adjusted(wheel)) {
    told.insert(one.rule);
    ++suite.skipped;
    add_case(suite, wheel.file, one.rule,
             skipped(fmt::format("{} adjusted: {}", one.findings, one.reason)));
  }
  for (const std::string& rule : wheel.not_applicable) {
    if (!told.insert(rule).second) continue;
    ++suite.skipped;
    add_case(suite, wheel.file, rule, skipped("not applicable: it had nothing to look at"));
  }
  for (const auto& [id, rule] : run.rules) {
    if (!told.contains(id)) add_case(suite, wheel.file, id, "");
  }
  return suite;
}

std::string counts(const Suite& suite) {
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", suite.tests,
                     suite.failures, suite.errors, suite.skipped);
}

}  // namespace

std::string render_junit(const RunReport& run) {
  Suite total;
  const auto add = [&](const Suite& suite, const WheelReport& wheel) {
    total.tests += suite.tests;
    total.failures += suite.failures;
    total.errors += suite.errors;
    total.skipped += suite.skipped;
    total.cases += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml(wheel.file),
                               counts(suite), suite.cases);
  };
  for (const WheelReport& wheel : run.wheels) add(suite_of(run, wheel), wheel);
  for (const WheelReport& file : run_files(run)) {
    Suite suite;
    for (const Finding& finding : file.findings) add_finding(suite, file, finding, run.fail_on);
    add(suite, file);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wheel-audit\" {}>\n"
      "{}</testsuites>\n",
      counts(total), total.cases);
}

}  // namespace wheel_audit
