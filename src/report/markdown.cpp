// The report as Markdown, for merge requests, release notes and GitHub's job summaries.
#include "report/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats.hpp"
#include "report/markup.hpp"
#include "report/parts.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::string sign(std::string_view verdict) {
  return verdict == "clean" ? "✅ clean" : verdict == "findings" ? "❌ findings" : "❗ incomplete";
}

std::string table(const RunReport& run) {
  std::string text =
      "| wheel | verdict | errors | warnings | notes | waived | unread |\n"
      "|---|---|--:|--:|--:|--:|--:|\n";
  for (const WheelReport& wheel : run.wheels) {
    const Summary s = summarize(wheel, run.fail_on);
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} |\n", markdown_code(base_name(wheel.file), true),
        sign(verdict(wheel, run.fail_on)), s.errors, s.warnings, s.notes, s.waived, s.unread);
  }
  return text;
}

std::string members_text(const std::vector<std::string>& members) {
  constexpr std::size_t kShown = 20;
  if (members.size() < 2) return {};
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, members.size()); ++i)
    text += fmt::format("  - {}\n", markdown_code(members[i]));
  if (members.size() > kShown) text += fmt::format("  - and {} more\n", members.size() - kShown);
  return text;
}

std::string group_text(const Group& group) {
  const Finding& finding = group.finding();
  std::string text =
      fmt::format("- **{}** {}", to_string(finding.severity), markdown_code(finding.rule));
  if (group.members.size() == 1) text += " in " + markdown_code(group.members.front());
  if (group.members.size() > 1) text += fmt::format(" in {} members", group.members.size());
  if (const auto line = line_of(finding)) text += fmt::format(" in line {}", *line);
  text += ": " + markdown(finding.message);
  if (!decides(finding)) text += fmt::format(" *({})*", markdown(standing(finding)));
  text += "\n" + members_text(group.members);
  if (!finding.fix.empty()) text += fmt::format("  - fix: {}\n", markdown(finding.fix));
  if (!finding.superseded.empty()) {
    text += "  - stands for:";
    for (const std::string& rule : finding.superseded) text += " " + markdown_code(rule);
    text += "\n";
  }
  return text;
}

std::string wheel_head(const RunReport& run, const WheelReport& wheel) {
  return fmt::format("\n### {}: {}\n\n", markdown_code(base_name(wheel.file)),
                     verdict(wheel, run.fail_on));
}

std::string wheel_foot(const WheelReport& wheel) {
  std::string text;
  for (const Adjusted& one : adjusted(wheel)) {
    text += fmt::format("- {} adjusted: {}: {}\n", one.findings, markdown_code(one.rule),
                        markdown(one.reason));
  }
  if (!text.empty()) text += "\n";
  std::vector<std::string> devices;
  for (const auto& [device, coverage] : wheel.devices) devices.push_back(device + " " + coverage);
  text += wheel.has_gpu_code ? "GPU: " + join(devices, " · ") : "GPU: no device code";
  return text + fmt::format("  \n{} asked, {} not applicable\n",
                            count(wheel.asked, "rule", "rules"), wheel.not_applicable.size());
}

}  // namespace

std::string markdown_report(const RunReport& run, std::size_t most_bytes) {
  constexpr std::size_t kForFeet = 1000;  // what ends a wheel, and the line about what is left out
  std::string text =
      fmt::format("## wheel-audit: {}\n\n{}", counts_text(summarize(run)), table(run));
  std::size_t left_out = 0;
  const auto add = [&](const std::string& part, std::size_t findings) {
    if (text.size() + part.size() + kForFeet > most_bytes) {
      left_out += findings;
    } else {
      text += part;
    }
  };
  for (const WheelReport& wheel : run.wheels) {
    const std::string head = wheel_head(run, wheel);
    add(head, 0);
    for (const Unread& unread : wheel.unread) {
      add(fmt::format("- **unread**{}: {}\n",
                      unread.where ? " " + markdown_code(*unread.where) : "",
                      markdown(unread.reason)),
          1);
    }
    const std::vector<Group> groups = grouped(wheel.findings);
    for (const Group& group : groups) add(group_text(group), group.findings);
    add((groups.empty() && wheel.unread.empty() ? "" : "\n") + wheel_foot(wheel), 0);
  }
  for (const WheelReport& file : run_files(run)) {
    add(fmt::format("\n### {}\n\n", markdown_code(file.file)), 0);
    for (const Group& group : grouped(file.findings)) add(group_text(group), group.findings);
  }
  if (left_out > 0)
    text += fmt::format("\n**{} more left out**: the page may hold no more\n", left_out);
  return text;
}

std::string render_markdown(const RunReport& run) { return markdown_report(run, SIZE_MAX); }

}  // namespace wheel_audit
