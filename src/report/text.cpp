// The report for people: grouped by wheel, worst first, equal findings on many members as one.
#include "wheel_audit/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/formats.hpp"
#include "report/parts.hpp"

namespace wheel_audit {

namespace {

enum class Tone : std::uint8_t { plain, bad, warn, good, dim };

std::string tinted(const RunReport& run, Tone tone, std::string text) {
  if (!run.colour || tone == Tone::plain) return text;
  constexpr std::array<std::string_view, 5> kCodes = {"", "31;1", "33;1", "32", "2"};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(tone)], text);
}

Tone tone_of(Severity severity) {
  return severity == Severity::error     ? Tone::bad
         : severity == Severity::warning ? Tone::warn
                                         : Tone::dim;
}

/// Which members, before the message.
std::string members_text(const std::vector<std::string>& members) {
  if (members.empty()) return {};
  if (members.size() == 1) return " " + printable(members.front());
  return fmt::format(" {} members", members.size());
}

std::string members_list(const std::vector<std::string>& members) {
  constexpr std::size_t kShown = 5;
  std::string text;
  if (members.size() < 2) return text;
  for (std::size_t i = 0; i < std::min(kShown, members.size()); ++i)
    text += fmt::format("    {}\n", printable(members[i]));
  if (members.size() > kShown) text += fmt::format("    and {} more\n", members.size() - kShown);
  return text;
}

std::string group_text(const RunReport& run, const Group& group) {
  const Finding& finding = group.finding();
  std::string text =
      fmt::format("  {} {}{}: {}",
                  tinted(run, tone_of(finding.severity), std::string(to_string(finding.severity))),
                  printable(finding.rule), members_text(group.members), printable(finding.message));
  if (!decides(finding)) text += fmt::format(" [{}]", standing(finding));
  text += "\n" + members_list(group.members);
  if (!finding.fix.empty()) text += fmt::format("    fix: {}\n", printable(finding.fix));
  if (!finding.superseded.empty())
    text += fmt::format("    stands for: {}\n", printable(join(finding.superseded, ", ")));
  return text;
}

std::string unread_text(const RunReport& run, const Unread& unread) {
  return fmt::format("  {}{}: {}\n", tinted(run, Tone::warn, "unread"),
                     unread.where ? " " + printable(*unread.where) : "", printable(unread.reason));
}

std::string findings_text(const RunReport& run, const WheelReport& wheel) {
  std::string text;
  std::size_t hidden = 0;
  for (const Group& group : grouped(wheel.findings)) {
    if (group.finding().severity == Severity::note && !run.show_notes) {
      hidden += group.findings;
    } else {
      text += group_text(run, group);
    }
  }
  if (hidden > 0) {
    const std::string line = fmt::format("{} (--notes shows {})", count(hidden, "note", "notes"),
                                         hidden == 1 ? "it" : "them");
    text += "  " + tinted(run, Tone::dim, line) + "\n";
  }
  return text;
}

/// One line for each rule and reason for which a pack made findings silent.
std::string adjusted_text(const RunReport& run, const WheelReport& wheel) {
  std::string text;
  for (const Adjusted& one : adjusted(wheel)) {
    const std::string line = fmt::format("{} adjusted: {}: {}", one.findings, printable(one.rule),
                                         printable(one.reason));
    text += "  " + tinted(run, Tone::dim, line) + "\n";
  }
  return text;
}

std::string gpu_text(const WheelReport& wheel) {
  if (!wheel.has_gpu_code) return "  GPU: no device code\n";
  std::vector<std::string> parts;
  for (const auto& [device, coverage] : wheel.devices)
    parts.push_back(fmt::format("{} {}", device, coverage));
  return "  GPU: " + join(parts, " · ") + "\n";
}

/// The last line of a wheel: what was asked, and what came of it.
std::string asked_text(const RunReport& run, const WheelReport& wheel) {
  std::string text;
  if (run.show_notes && !wheel.not_applicable.empty())
    text += fmt::format("  not applicable: {}\n", printable(join(wheel.not_applicable, ", ")));
  const auto known = std::ranges::count_if(wheel.findings, &Finding::baseline);
  return text + fmt::format("  {} asked, {} not applicable, {}{}\n",
                            count(wheel.asked, "rule", "rules"), wheel.not_applicable.size(),
                            counts_text(summarize(wheel, run.fail_on)),
                            known > 0 ? fmt::format(", {} in the baseline", known) : "");
}

std::string wheel_text(const RunReport& run, const WheelReport& wheel) {
  const std::string_view word = verdict(wheel, run.fail_on);
  const Tone tone = word == "clean" ? Tone::good : word == "findings" ? Tone::bad : Tone::warn;
  std::string text =
      fmt::format("{}: {}\n", printable(wheel.file), tinted(run, tone, std::string(word)));
  for (const Unread& unread : wheel.unread) text += unread_text(run, unread);
  text += findings_text(run, wheel);
  text += adjusted_text(run, wheel);
  text += gpu_text(wheel);
  text += asked_text(run, wheel);
  return text;
}

/// Findings about the run: each with the file and line that it speaks of.
std::string run_findings_text(const RunReport& run) {
  std::string text;
  for (const Finding& finding : run.findings) {
    const std::optional<std::uint64_t> line = line_of(finding);
    text += fmt::format(
        "{}{}: {} {}: {}\n", printable(finding.where.value_or("this run")),
        line ? fmt::format(":{}", *line) : "",
        tinted(run, tone_of(finding.severity), std::string(to_string(finding.severity))),
        finding.rule, printable(finding.message));
    if (!finding.fix.empty()) text += fmt::format("  fix: {}\n", printable(finding.fix));
  }
  return text.empty() || run.wheels.empty() ? text : "\n" + text;
}

}  // namespace

std::string render_text(const RunReport& run) {
  std::string text;
  for (const WheelReport& wheel : run.wheels) {
    if (!text.empty()) text += "\n";
    text += wheel_text(run, wheel);
  }
  text += run_findings_text(run);
  if (run.wheels.size() != 1) {
    text += fmt::format("{}{} wheels ({}): {}\n", text.empty() ? "" : "\n", run.wheels.size(),
                        verdicts_text(run), counts_text(summarize(run)));
  }
  return text;
}

}  // namespace wheel_audit
