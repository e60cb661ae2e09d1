// One self-contained HTML page: no script, no network, and a policy that forbids both, so that a
// name that got through the escaping could still do nothing.
#include "report/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "report/formats.hpp"
#include "report/markup.hpp"
#include "report/parts.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// What a finding shows as: its severity, or `waived` where it decides nothing.
std::string_view shown_as(const Finding& finding) {
  return decides(finding) ? to_string(finding.severity) : "waived";
}

std::string members_html(const std::vector<std::string>& members) {
  if (members.size() < 2) return {};
  std::string html = fmt::format("<details{}><summary>{} members</summary><ul class=\"members\">",
                                 members.size() <= 5 ? " open" : "", members.size());
  for (const std::string& member : members)
    html += fmt::format("<li><code>{}</code></li>", xml(member));
  return html + "</ul></details>\n";
}

std::string evidence_html(const Finding& finding) {
  if (finding.evidence.empty()) return {};
  std::string html = "<dl>";
  for (const auto& [key, value] : finding.evidence)
    html += fmt::format("<dt>{}</dt><dd><code>{}</code></dd>", xml(key), xml(value));
  return html + "</dl>\n";
}

std::string rule_html(const RunReport& run, const std::string& id) {
  const auto found = run.rules.find(id);
  if (found == run.rules.end()) return {};
  std::string html = fmt::format("<p class=\"why\">{}</p>\n", xml(found->second->why));
  std::string refs;
  for (const std::string& ref : found->second->refs) {
    const bool link = ref.starts_with("https://");
    refs += refs.empty() ? "" : " · ";
    refs += link ? fmt::format("<a rel=\"noreferrer\" href=\"{0}\">{0}</a>", xml(ref)) : xml(ref);
  }
  if (!refs.empty()) html += fmt::format("<p class=\"refs\">{}</p>\n", refs);
  return html;
}

std::string group_html(const RunReport& run, const Group& group) {
  const Finding& finding = group.finding();
  const std::string_view as = shown_as(finding);
  std::string html = fmt::format(
      "<details class=\"finding {0}\"{1}><summary><span class=\"badge\">{2}</span> "
      "<code class=\"rule\">{3}</code> ",
      as, as == "error" || as == "warning" ? " open" : "",
      decides(finding) ? std::string(as) : std::string(finding.waived ? "waived" : "known"),
      xml(finding.rule));
  if (group.members.size() == 1)
    html += fmt::format("<code class=\"where\">{}</code> ", xml(group.members.front()));
  if (group.members.size() > 1)
    html += fmt::format("<span class=\"where\">{} members</span> ", group.members.size());
  if (const auto line = line_of(finding))
    html += fmt::format("<span class=\"where\">line&#160;{}</span> ", *line);
  html += fmt::format("<span class=\"message\">{}</span></summary>\n<div>\n", xml(finding.message));
  if (!decides(finding)) {
    html += fmt::format("<p class=\"standing\">{}: {}</p>\n", to_string(finding.severity),
                        xml(standing(finding)));
  }
  if (!finding.fix.empty())
    html += fmt::format("<p class=\"fix\"><b>Fix</b> {}</p>\n", xml(finding.fix));
  html += evidence_html(finding) + members_html(group.members);
  if (!finding.superseded.empty())
    html += fmt::format("<p>stands for: {}</p>\n", xml(join(finding.superseded, ", ")));
  return html + rule_html(run, finding.rule) + "</div></details>\n";
}

std::string findings_html(const RunReport& run, const WheelReport& wheel) {
  std::string html;
  for (const Unread& unread : wheel.unread) {
    html += fmt::format(
        "<p class=\"finding unread\"><span class=\"badge\">unread</span> {}"
        "<span class=\"message\">{}</span></p>\n",
        unread.where ? "<code class=\"where\">" + xml(*unread.where) + "</code> " : "",
        xml(unread.reason));
  }
  // What decides comes before what does not.
  std::vector<Group> groups = grouped(wheel.findings);
  std::stable_partition(groups.begin(), groups.end(),
                        [](const Group& g) { return decides(*g.first); });
  for (const Group& group : groups) html += group_html(run, group);
  for (const Adjusted& one : adjusted(wheel)) {
    html += fmt::format(
        "<p class=\"finding waived\"><span class=\"badge\">adjusted</span> "
        "<code class=\"rule\">{}</code> <span class=\"message\">{}: {}</span></p>\n",
        xml(one.rule), one.findings, xml(one.reason));
  }
  if (html.empty()) return "<p>No rule found anything.</p>\n";
  return "<section>\n<h3>Findings</h3>\n" + html + "</section>\n";
}

std::string claim_text(const Claim& claim) {
  if (claim.accelerator.empty()) return "claims no accelerator";
  const std::string& what = claim.train.empty() ? claim.accelerator : claim.train;
  return fmt::format("claims {} ({})", xml(what), xml(claim.from));
}

std::string wheel_html(const RunReport& run, const WheelReport& wheel, std::size_t number) {
  const std::string_view word = verdict(wheel, run.fail_on);
  std::string rules;
  for (const std::string& id : wheel.not_applicable) rules += (rules.empty() ? "" : ", ") + xml(id);
  if (!rules.empty()) {
    rules = fmt::format(
        "<details class=\"rules\"><summary>{} not applicable</summary><p>{}</p>"
        "</details>\n",
        count(wheel.not_applicable.size(), "rule", "rules"), rules);
  }
  return fmt::format(
      "<article id=\"w{}\" class=\"{}\">\n<h2><span class=\"badge\">{}</span> <span "
      "class=\"name\">{}"
      "</span></h2>\n<p class=\"facts\">{} · {} asked · {} · {}</p>\n{}{}{}{}</article>\n",
      number, word, word, xml(base_name(wheel.file)), counts_text(summarize(wheel, run.fail_on)),
      count(wheel.asked, "rule", "rules"), claim_text(wheel.claim),
      wheel.has_gpu_code ? "has device code" : "no device code", findings_html(run, wheel),
      html_gpu(wheel), html_loads(wheel), rules);
}

std::string contents_html(const RunReport& run) {
  if (run.wheels.size() < 2) return {};
  std::string html = "<nav aria-label=\"wheels\"><ul>\n";
  for (std::size_t i = 0; i < run.wheels.size(); ++i) {
    const std::string_view word = verdict(run.wheels[i], run.fail_on);
    html += fmt::format(
        "<li class=\"{0}\"><a href=\"#w{1}\"><span class=\"badge\">{0}</span> {2}</a>"
        "</li>\n",
        word, i, xml(base_name(run.wheels[i].file)));
  }
  return html + "</ul></nav>\n";
}

/// Boxes that hide findings, by style alone.
std::string filters_html(const RunReport& run) {
  std::string html;
  for (const std::string_view as : {"error", "warning", "note", "waived"}) {
    const auto is_shown = [&](const Finding& finding) { return shown_as(finding) == as; };
    auto number = static_cast<std::size_t>(std::ranges::count_if(run.findings, is_shown));
    for (const WheelReport& wheel : run.wheels) {
      number += static_cast<std::size_t>(std::ranges::count_if(wheel.findings, is_shown));
      if (as == "waived") number += wheel.adjusted.size();
    }
    if (number == 0) continue;
    html += fmt::format(
        "<label class=\"{0}\"><input type=\"checkbox\" id=\"show-{0}\" checked> {1}"
        "</label>\n",
        as,
        as == "waived" ? fmt::format("{} waived", number)
                       : count(number, as, std::string(as) + "s"));
  }
  return html.empty() ? html
                      : "<form class=\"filters\" aria-label=\"show\">\n" + html + "</form>\n";
}

/// Findings about the run and no wheel: waivers and baselines that do not fit what was found.
std::string run_findings_html(const RunReport& run) {
  std::string html;
  for (const WheelReport& file : run_files(run)) {
    html += fmt::format("<article>\n<h2>{}</h2>\n<section>\n", xml(file.file));
    for (const Group& group : grouped(file.findings)) html += group_html(run, group);
    html += "</section>\n</article>\n";
  }
  return html;
}

std::string_view run_verdict(const Summary& summary) {
  constexpr std::array<std::string_view, 4> kWords = {"clean", "findings", "", "incomplete"};
  return kWords[static_cast<std::size_t>(summary.exit)];
}

}  // namespace

std::string render_html(const RunReport& run) {
  const Summary summary = summarize(run);
  const std::string_view word = run_verdict(summary);
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; form-action 'none'; base-uri 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>wheel-audit: {}</title>\n"
      "<style>\n{}</style>\n</head>\n<body>\n",
      word, html_style());
  html += fmt::format(
      "<header class=\"{0}\">\n<h1>wheel-audit <span class=\"badge\">{0}</span></h1>\n"
      "<p>{1} ({2}): {3}</p>\n{4}{5}</header>\n<main>\n",
      word, count(run.wheels.size(), "wheel", "wheels"), verdicts_text(run), counts_text(summary),
      filters_html(run), contents_html(run));
  for (std::size_t i = 0; i < run.wheels.size(); ++i) html += wheel_html(run, run.wheels[i], i);
  html += run_findings_html(run);
  return html + fmt::format(
                    "</main>\n<footer>wheel-audit {}; fails on {} and worse</footer>\n"
                    "</body>\n</html>\n",
                    WHEEL_AUDIT_VERSION, to_string(run.fail_on));
}

}  // namespace wheel_audit
