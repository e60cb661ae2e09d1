// The report as JSON, schema wheel-audit.report/1 (docs/design.md, section 4.4).
#include "facts/parts.hpp"
#include "report/formats.hpp"
#include "report/json_parts.hpp"

namespace wheel_audit {

Json finding_json(const Finding& finding) {
  Json evidence = Json::object();
  for (const auto& [key, value] : finding.evidence) {
    Json& said = evidence.at_or_add(key);
    said = said.is_null() ? value : said.as_string() + "; " + value;
  }
  Json json = Json::object();
  json.append("rule", finding.rule);
  json.append("severity", to_string(finding.severity));
  json.append("where", or_null(finding.where));
  json.append("message", finding.message);
  json.append("evidence", std::move(evidence));
  json.append("fix", finding.fix);
  json.append("superseded", finding.superseded);
  json.append("waived", or_null(finding.waived));
  json.append("baseline", finding.baseline);
  return json;
}

Json unread_json(const Unread& unread) {
  Json json = Json::object();
  json.append("where", or_null(unread.where));
  json.append("reason", unread.reason);
  return json;
}

void append_wheel_facts(const WheelReport& wheel, Json& json) {
  json.append("claim", claim_to_json(wheel.claim));
  Json devices = Json::object();
  if (wheel.has_gpu_code) {
    for (const auto& [device, coverage] : wheel.devices) devices.append(device, coverage);
  }
  Json gpu = Json::object();
  gpu.append("devices", std::move(devices));
  json.append("gpu", std::move(gpu));
  Json rules = Json::object();
  rules.append("asked", std::uint64_t{wheel.asked});
  rules.append("not_applicable", wheel.not_applicable);
  json.append("rules", std::move(rules));
}

Json tool_json() {
  Json tool = Json::object();
  tool.append("name", "wheel-audit");
  tool.append("version", WHEEL_AUDIT_VERSION);
  return tool;
}

Json summary_json(const Summary& summary) {
  Json counts = Json::object();
  counts.append("wheels", std::uint64_t{summary.wheels});
  counts.append("errors", std::uint64_t{summary.errors});
  counts.append("warnings", std::uint64_t{summary.warnings});
  counts.append("notes", std::uint64_t{summary.notes});
  counts.append("waived", std::uint64_t{summary.waived});
  counts.append("unread", std::uint64_t{summary.unread});
  counts.append("exit", summary.exit);
  return counts;
}

namespace {

Json wheel_json(const WheelReport& wheel, Severity fail_on) {
  Json json = Json::object();
  json.append("file", wheel.file);
  json.append("verdict", verdict(wheel, fail_on));
  json.append("findings", array_of(wheel.findings, finding_json));
  if (!wheel.adjusted.empty()) json.append("adjusted", array_of(wheel.adjusted, finding_json));
  json.append("unread", array_of(wheel.unread, unread_json));
  append_wheel_facts(wheel, json);
  return json;
}

}  // namespace

std::string render_json(const RunReport& run) {
  Json wheels = Json::array();
  for (const WheelReport& wheel : run.wheels) wheels.push(wheel_json(wheel, run.fail_on));
  Json json = Json::object();
  json.append("schema", "wheel-audit.report/1");
  json.append("tool", tool_json());
  json.append("summary", summary_json(summarize(run)));
  json.append("wheels", std::move(wheels));
  json.append("findings", array_of(run.findings, finding_json));
  return json.dump(1) + "\n";
}

}  // namespace wheel_audit
