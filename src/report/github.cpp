// GitHub annotations: workflow commands on standard output, which the runner turns into notes on
// the pull request. It shows ten of each level a step, so that equal findings are one and the worst
// come first.
#include <fmt/format.h>

#include "report/formats.hpp"
#include "report/parts.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// A command's data: what follows `::`. Line ends of ours stay, as %0A.
std::string command_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\n') {
      out += "%0A";
    } else if (c == '\r') {
      out += "%0D";
    } else {
      out += c;
    }
  }
  return out;
}

/// A command's property, where `:` and `,` are syntax too.
std::string command_property(std::string_view text) {
  std::string out;
  for (const char c : command_text(printable(text))) {
    if (c == ':') {
      out += "%3A";
    } else if (c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

std::string annotation(std::string_view command, const WheelReport& wheel, std::string_view title,
                       std::string_view text, std::optional<std::uint64_t> line = {}) {
  return fmt::format("::{} file={},{}title={}::{}\n", command, command_property(wheel.file),
                     line ? fmt::format("line={},", *line) : "", command_property(title),
                     command_text(text));
}

std::string group_annotation(const WheelReport& wheel, const Group& group) {
  const Finding& finding = group.finding();
  const std::string_view command = !decides(finding)                       ? "notice"
                                   : finding.severity == Severity::error   ? "error"
                                   : finding.severity == Severity::warning ? "warning"
                                                                           : "notice";
  std::string title = finding.rule;
  std::string text = printable(finding.message);
  if (!decides(finding)) text += " [" + standing(finding) + "]";
  if (group.members.size() == 1) title += " " + group.members.front();
  if (group.members.size() > 1) {
    title += fmt::format(" {} members", group.members.size());
    for (const std::string& member : group.members) text += "\n" + printable(member);
  }
  if (!finding.fix.empty()) text += "\nfix: " + printable(finding.fix);
  return annotation(command, wheel, title, text, line_of(finding));
}

}  // namespace

std::string render_github(const RunReport& run) {
  std::string text;
  for (const WheelReport& wheel : run.wheels) {
    for (const Unread& unread : wheel.unread) {
      text += annotation("error", wheel, "unread" + (unread.where ? " " + *unread.where : ""),
                         printable(unread.reason));
    }
  }
  for (const WheelReport& wheel : run.wheels) {
    for (const Group& group : grouped(wheel.findings)) text += group_annotation(wheel, group);
    for (const Adjusted& one : adjusted(wheel)) {
      text += annotation("notice", wheel, one.rule,
                         fmt::format("{} adjusted: {}", one.findings, printable(one.reason)));
    }
  }
  for (const WheelReport& file : run_files(run)) {
    for (const Group& group : grouped(file.findings)) text += group_annotation(file, group);
  }
  return text + fmt::format("wheel-audit: {} ({}): {}\n",
                            count(run.wheels.size(), "wheel", "wheels"), verdicts_text(run),
                            counts_text(summarize(run)));
}

}  // namespace wheel_audit
