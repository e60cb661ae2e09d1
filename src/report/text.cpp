// The report for people: grouped by wheel, worst first, equal findings on many members as one.
#include "wheel_audit/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "report/formats.hpp"

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

/// Findings that differ in their member alone.
struct Group {
  const Finding* first = nullptr;
  std::vector<std::string> members;
};

std::vector<Group> grouped(const std::vector<Finding>& findings) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, Evidence, bool>, std::size_t> places;
  for (const Finding& finding : findings) {
    const auto [place, fresh] = places.emplace(
        std::tuple(finding.rule, finding.message, finding.evidence, finding.waived.has_value()),
        groups.size());
    if (fresh) groups.push_back({&finding, {}});
    if (finding.where) groups[place->second].members.push_back(*finding.where);
  }
  std::ranges::stable_sort(
      groups, [](const Group& a, const Group& b) { return a.first->severity > b.first->severity; });
  return groups;
}

std::string members_text(const std::vector<std::string>& members) {
  if (members.empty()) return {};
  if (members.size() == 1) return printable(members.front()) + ": ";
  return fmt::format("{} members: ", members.size());
}

std::string group_text(const RunReport& run, const Group& group) {
  const Finding& finding = *group.first;
  const std::string state = finding.waived
                                ? fmt::format(" (waived: {})", printable(*finding.waived))
                            : finding.baseline ? " (in the baseline)"
                                               : "";
  std::string text =
      fmt::format("  {} {}: {}{}{}\n",
                  tinted(run, tone_of(finding.severity), std::string(to_string(finding.severity))),
                  finding.rule, members_text(group.members), printable(finding.message), state);
  constexpr std::size_t kShown = 5;
  if (group.members.size() > 1) {
    for (std::size_t i = 0; i < std::min(kShown, group.members.size()); ++i) {
      text += fmt::format("      {}\n", printable(group.members[i]));
    }
    if (group.members.size() > kShown)
      text += fmt::format("      and {} more\n", group.members.size() - kShown);
  }
  if (!finding.fix.empty()) text += fmt::format("      fix: {}\n", printable(finding.fix));
  if (!finding.superseded.empty())
    text += fmt::format("      stands for: {}\n", join(finding.superseded, ", "));
  return text;
}

std::string gpu_text(const WheelReport& wheel) {
  if (wheel.devices.empty()) return "  GPU: no device code\n";
  std::vector<std::string> parts;
  for (const auto& [device, coverage] : wheel.devices)
    parts.push_back(fmt::format("{} {}", device, coverage));
  return "  GPU: " + join(parts, ", ") + "\n";
}

std::string count(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string counts_text(const Summary& s) {
  std::string text =
      fmt::format("{}, {}, {}", count(s.errors, "error", "errors"),
                  count(s.warnings, "warning", "warnings"), count(s.notes, "note", "notes"));
  if (s.waived > 0) text += fmt::format(", {} waived", s.waived);
  return text + fmt::format(", {} unread", s.unread);
}

std::string wheel_text(const RunReport& run, const WheelReport& wheel) {
  const std::string_view word = verdict(wheel, run.fail_on);
  const Tone tone = word == "clean" ? Tone::good : word == "findings" ? Tone::bad : Tone::warn;
  std::string text =
      fmt::format("{}: {}\n", printable(wheel.file), tinted(run, tone, std::string(word)));
  for (const Unread& unread : wheel.unread) {
    text +=
        fmt::format("  {}: {}{}\n", tinted(run, Tone::warn, "unread"),
                    unread.where ? printable(*unread.where) + ": " : "", printable(unread.reason));
  }
  std::size_t hidden = 0;
  for (const Group& group : grouped(wheel.findings)) {
    if (group.first->severity == Severity::note && !run.show_notes) {
      hidden += std::max<std::size_t>(1, group.members.size());
    } else {
      text += group_text(run, group);
    }
  }
  for (const Group& group : grouped(wheel.adjusted)) {
    text += fmt::format("  adjusted {}: {}{}\n", group.first->rule, members_text(group.members),
                        printable(group.first->waived.value_or("")));
  }
  text += gpu_text(wheel);
  RunReport alone;
  alone.wheels.push_back(wheel);
  const Summary summary = summarize(alone);
  text += fmt::format("  {} asked, {} not applicable; {}{}\n", count(wheel.asked, "rule", "rules"),
                      wheel.not_applicable.size(), counts_text(summary),
                      hidden > 0 ? " (--notes shows the notes)" : "");
  return text;
}

}  // namespace

std::string render_text(const RunReport& run) {
  std::string text;
  for (const WheelReport& wheel : run.wheels) text += wheel_text(run, wheel) + "\n";
  const Summary summary = summarize(run);
  text += fmt::format("{} audited: {}\n", count(summary.wheels, "wheel", "wheels"),
                      counts_text(summary));
  return text;
}

}  // namespace wheel_audit
