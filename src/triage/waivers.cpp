// Waivers: which findings they cover, and what is to be said about the waivers themselves.
#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"
#include "wheel_audit/triage.hpp"

namespace wheel_audit {

namespace {

bool any_matches(const std::vector<std::string>& globs, std::string_view text) {
  return globs.empty() || matches_any(globs, text);
}

bool is_about_wheel(const Waiver& waiver, std::string_view file) {
  return any_matches(waiver.wheel, base_name(file)) || any_matches(waiver.wheel, file);
}

bool has_evidence(const Finding& finding, const std::string& key, const std::string& glob) {
  return std::ranges::any_of(finding.evidence, [&](const auto& fact) {
    return fact.first == key && glob_match(glob, fact.second);
  });
}

bool covers(const Waiver& waiver, const Finding& finding) {
  if (!glob_match(waiver.rule, finding.rule)) return false;
  if (!waiver.where.empty() && !(finding.where && any_matches(waiver.where, *finding.where)))
    return false;
  return std::ranges::all_of(waiver.evidence, [&](const auto& wanted) {
    return has_evidence(finding, wanted.first, wanted.second);
  });
}

Finding about(const Waiver& waiver, std::string rule, Severity severity, std::string message,
              std::string fix) {
  Finding finding;
  finding.rule = std::move(rule);
  finding.severity = severity;
  finding.where = waiver.file;
  finding.message = std::move(message);
  finding.evidence = {{"line", waiver.line}, {"rule", waiver.rule}, {"until", waiver.until}};
  finding.fix = std::move(fix);
  finding.subject = waiver.line;
  return finding;
}

Finding expired(const Waiver& waiver, std::size_t matched) {
  return about(
      waiver, "config/waiver-expired", Severity::warning,
      fmt::format("the waiver of {} ended with {}; {}", waiver.rule, waiver.until,
                  matched == 0   ? "nothing that it matches is found any more"
                  : matched == 1 ? "1 finding that it matches counts again"
                                 : fmt::format("{} findings that it matches count again", matched)),
      matched > 0 ? "mend what it waived, or look at it again and set a later date" : "remove it");
}

/// Why a waiver matched nothing, as far as it can be told.
std::string why_unused(const Waiver& waiver, const RunReport& run) {
  const auto is_about = [&](const WheelReport& wheel) {
    return is_about_wheel(waiver, wheel.file);
  };
  if (std::ranges::none_of(run.wheels, is_about))
    return fmt::format("no wheel of this run is named {}", join(waiver.wheel, " or "));
  const auto is_meant = [&](const auto& rule) { return glob_match(waiver.rule, rule.first); };
  if (std::ranges::any_of(run.rules, is_meant)) return "its rule finds no such fault";
  std::vector<std::string> ids;
  for (const auto& [id, rule] : run.rules) ids.push_back(id);
  return "no rule that this run asks is named like that" + did_you_mean(waiver.rule, ids);
}

Finding unused(const Waiver& waiver, const RunReport& run) {
  return about(
      waiver, "config/waiver-unused", Severity::note,
      fmt::format("the waiver of {} matches nothing: {}", waiver.rule, why_unused(waiver, run)),
      "remove it where its fault is gone, or correct what it matches");
}

}  // namespace

void apply_waivers(const std::vector<Waiver>& waivers, std::string_view date, RunReport& run) {
  for (const Waiver& waiver : waivers) {
    const bool is_over = waiver.until < date;
    std::size_t matched = 0;
    for (WheelReport& wheel : run.wheels) {
      if (!is_about_wheel(waiver, wheel.file)) continue;
      for (Finding& finding : wheel.findings) {
        if (!covers(waiver, finding)) continue;
        ++matched;
        if (!is_over && !finding.waived)
          finding.waived = fmt::format("{} (until {})", waiver.reason, waiver.until);
      }
    }
    if (is_over) {
      run.findings.push_back(expired(waiver, matched));
    } else if (matched == 0) {
      run.findings.push_back(unused(waiver, run));
    }
  }
}

}  // namespace wheel_audit
