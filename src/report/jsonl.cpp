// The report as JSON lines, for logs and for `jq` and `grep`: one object a line, whose `type` says
// what it is (docs/design.md, section 4.4).
#include "report/formats.hpp"
#include "report/json_parts.hpp"
#include "report/parts.hpp"

namespace wheel_audit {

namespace {

/// A line: `type` and `file` first, then the members of `rest`.
void add_line(std::string_view type, const WheelReport& wheel, const Json& rest,
              std::string& text) {
  Json json = Json::object();
  json.append("type", type);
  json.append("file", wheel.file);
  for (const auto& [key, value] : rest.entries()) json.append(key, value);
  text += json.dump() + "\n";
}

Json wheel_line(const WheelReport& wheel, Severity fail_on) {
  Json json = Json::object();
  json.append("verdict", verdict(wheel, fail_on));
  json.append("summary", summary_json(summarize(wheel, fail_on)));
  append_wheel_facts(wheel, json);
  return json;
}

Json finding_line(const Finding& finding, const std::string& fingerprint) {
  Json json = finding_json(finding);
  json.append("fingerprint", fingerprint);
  return json;
}

}  // namespace

std::string render_jsonl(const RunReport& run) {
  Json first = Json::object();
  first.append("type", "run");
  first.append("schema", "wheel-audit.report-lines/1");
  first.append("tool", tool_json());
  std::string text = first.dump() + "\n";
  for (const WheelReport& wheel : run.wheels) {
    add_line("wheel", wheel, wheel_line(wheel, run.fail_on), text);
    const std::vector<std::string> prints = fingerprints(wheel.file, wheel.findings);
    for (std::size_t i = 0; i < wheel.findings.size(); ++i)
      add_line("finding", wheel, finding_line(wheel.findings[i], prints[i]), text);
    for (const Finding& finding : wheel.adjusted)
      add_line("adjusted", wheel, finding_json(finding), text);
    for (const Unread& unread : wheel.unread) add_line("unread", wheel, unread_json(unread), text);
  }
  for (const Finding& finding : run.findings) {
    Json line = Json::object();
    line.append("type", "run-finding");
    const Json parts = finding_json(finding);
    for (const auto& [key, value] : parts.entries()) line.append(key, value);
    text += line.dump() + "\n";
  }
  Json last = Json::object();
  last.append("type", "summary");
  const Json counts = summary_json(summarize(run));
  for (const auto& [key, value] : counts.entries()) last.append(key, value);
  return text + last.dump() + "\n";
}

}  // namespace wheel_audit
