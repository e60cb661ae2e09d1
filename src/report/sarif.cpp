// SARIF 2.1.0 (OASIS), for code scanning pages and viewers. A wheel is an artifact and its members
// are artifacts nested in it; what was unread is a notification of the invocation, and makes it
// unsuccessful.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/formats.hpp"
#include "report/markup.hpp"
#include "report/parts.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

using Object = Json::Object;

/// A plain text message. `[x](1)` would be a link (section 3.11.6), so that brackets of names are
/// escaped where one could be meant.
Json message(std::string_view text) {
  std::string plain = printable(text);
  if (plain.find("](") != std::string::npos) {
    std::string escaped;
    for (const char c : plain) {
      if (c == '[' || c == ']' || c == '\\') escaped += '\\';
      escaped += c;
    }
    plain = std::move(escaped);
  }
  return Json(Object{{"text", plain}});
}

/// The artifacts of a run, each once.
class Artifacts {
 public:
  explicit Artifacts(const RunReport& run) {
    for (const WheelReport& wheel : run.wheels) {
      if (index_.contains(path_uri(wheel.file))) continue;
      add(path_uri(wheel.file),
          Object{{"mimeType", "application/zip"},
                 {"roles", Json(std::vector<std::string>{"analysisTarget"})}});
    }
    for (const WheelReport& file : run_files(run)) {
      if (!index_.contains(path_uri(file.file)))
        add(path_uri(file.file), Object{{"roles", Json(std::vector<std::string>{"policy"})}});
    }
  }

  /// Where something is: the wheel, a member of it, or a line of a text.
  Json location(const std::string& wheel, const std::optional<std::string>& member,
                std::uint64_t line = 1) {
    const std::string container = path_uri(wheel);
    const std::string uri =
        member ? container + "/" + path_uri("./" + *member).substr(2) : container;
    if (!index_.contains(uri)) add(uri, Object{{"parentIndex", index_.at(container)}});
    const Json artifact(Object{{"uri", uri}, {"index", index_.at(uri)}});
    // A binary file has no lines; code scanning takes no result without one, so that it gets 1.
    const Json physical(
        Object{{"artifactLocation", artifact}, {"region", Json(Object{{"startLine", line}})}});
    Object location{{"physicalLocation", physical}};
    if (member) {
      const Json logical(Object{{"name", printable(base_name(*member))},
                                {"fullyQualifiedName", printable(*member)},
                                {"kind", "member"}});
      location.emplace_back("logicalLocations", Json(Json::Array{logical}));
    }
    return Json(std::move(location));
  }

  Json json() && { return Json(std::move(list_)); }

 private:
  void add(const std::string& uri, Object rest) {
    index_.emplace(uri, std::uint64_t{list_.size()});
    rest.insert(rest.begin(), {"location", Json(Object{{"uri", uri}})});
    list_.emplace_back(std::move(rest));
  }

  std::map<std::string, std::uint64_t> index_;
  Json::Array list_;
};

std::string_view level(Severity severity) { return to_string(severity); }  // SARIF has equal words

Json rule_json(const std::string& id, const Rule& rule) {
  std::string help = markdown(rule.why) + "\n\n**Fix:** " + markdown(rule.fix) + "\n";
  for (const std::string& ref : rule.refs) help += "\n- " + printable(ref) + "\n";
  Json json = Json::object();
  json.append("id", id);
  json.append("name", id.substr(id.find('/') + 1));
  json.append("shortDescription", message(id));
  json.append("fullDescription", message(rule.why));
  json.append("help", Json(Object{{"text", printable(rule.why) + "\nFix: " + printable(rule.fix)},
                                  {"markdown", help}}));
  const auto page = std::ranges::find_if(
      rule.refs, [](const std::string& ref) { return ref.starts_with("https://"); });
  if (page != rule.refs.end() && page->find(' ') == std::string::npos)
    json.append("helpUri", *page);
  json.append("defaultConfiguration", Json(Object{{"level", level(rule.severity)}}));
  const std::vector<std::string> tags = {id.substr(0, id.find('/')), rule.kind};
  json.append("properties", Json(Object{{"tags", tags},
                                        {"problem.severity", rule.severity == Severity::note
                                                                 ? "recommendation"
                                                                 : level(rule.severity)}}));
  return json;
}

struct Said {
  const RunReport& run;
  Artifacts& artifacts;
  bool baseline = false;
};

Json result_json(Said& said, const WheelReport& wheel, const Finding& finding,
                 const std::string& fingerprint) {
  Json json = Json::object();
  json.append("ruleId", finding.rule);
  const auto rule = said.run.rules.find(finding.rule);
  if (rule != said.run.rules.end()) {
    json.append("ruleIndex", std::uint64_t(std::distance(said.run.rules.begin(), rule)));
  }
  json.append("level", level(finding.severity));
  json.append("message", message(finding.fix.empty() ? finding.message
                                                     : finding.message + ". Fix: " + finding.fix));
  json.append("locations", Json(Json::Array{said.artifacts.location(
                               wheel.file, finding.where, line_of(finding).value_or(1))}));
  if (!fingerprint.empty()) {
    // Code scanning knows alerts again by primaryLocationLineHash alone.
    json.append("partialFingerprints", Json(Object{{"wheelAuditFinding/v1", fingerprint},
                                                   {"primaryLocationLineHash", fingerprint}}));
  }
  if (finding.waived) {
    const Json suppression(Object{{"kind", "external"},
                                  {"status", "accepted"},
                                  {"justification", printable(*finding.waived)}});
    json.append("suppressions", Json(Json::Array{suppression}));
  } else {
    json.append("suppressions", Json::array());  // there, so that viewers know: none (3.27.23)
  }
  if (said.baseline) json.append("baselineState", finding.baseline ? "unchanged" : "new");
  Json evidence = Json::object();
  for (const auto& [key, value] : finding.evidence) {
    Json& all = evidence.at_or_add(key);
    all = all.is_null() ? printable(value) : all.as_string() + "; " + printable(value);
  }
  Json properties = Json::object();
  properties.append("evidence", std::move(evidence));
  if (!finding.superseded.empty()) properties.append("superseded", finding.superseded);
  json.append("properties", std::move(properties));
  return json;
}

Json notification(Said& said, const WheelReport& wheel, const Unread& unread) {
  Json json = Json::object();
  json.append("descriptor", Json(Object{{"id", "unread"}}));
  json.append("level", "error");
  json.append("message", message("unread: " + unread.reason));
  json.append("locations", Json(Json::Array{said.artifacts.location(wheel.file, unread.where)}));
  return json;
}

Json driver_json(const RunReport& run) {
  Json rules = Json::array();
  for (const auto& [id, rule] : run.rules) rules.push(rule_json(id, *rule));
  Json driver = Json::object();
  driver.append("name", "wheel-audit");
  driver.append("version", WHEEL_AUDIT_VERSION);
  driver.append("semanticVersion", WHEEL_AUDIT_VERSION);
  driver.append("rules", std::move(rules));
  const Json unread(Object{{"id", "unread"},
                           {"shortDescription", message("part of a wheel could not be looked at")},
                           {"defaultConfiguration", Json(Object{{"level", "error"}})}});
  driver.append("notifications", Json(Json::Array{unread}));
  return driver;
}

}  // namespace

std::string render_sarif(const RunReport& run) {
  Artifacts artifacts(run);
  Said said{run, artifacts, false};
  for (const WheelReport& wheel : run.wheels)
    said.baseline = said.baseline || std::ranges::any_of(wheel.findings, &Finding::baseline);
  Json results = Json::array();
  Json notifications = Json::array();
  for (const WheelReport& wheel : run.wheels) {
    const std::vector<std::string> prints = fingerprints(wheel.file, wheel.findings);
    for (std::size_t i = 0; i < wheel.findings.size(); ++i)
      results.push(result_json(said, wheel, wheel.findings[i], prints[i]));
    for (const Finding& finding : wheel.adjusted)
      results.push(result_json(said, wheel, finding, ""));
    for (const Unread& unread : wheel.unread) notifications.push(notification(said, wheel, unread));
  }
  for (const WheelReport& file : run_files(run)) {
    const std::vector<std::string> prints = fingerprints(file.file, file.findings);
    for (std::size_t i = 0; i < file.findings.size(); ++i)
      results.push(result_json(said, file, file.findings[i], prints[i]));
  }
  const Summary summary = summarize(run);
  Json invocation = Json::object();
  invocation.append("executionSuccessful", summary.unread == 0);
  invocation.append("exitCode", summary.exit);
  invocation.append("toolExecutionNotifications", std::move(notifications));
  Json one = Json::object();
  one.append("tool", Json(Object{{"driver", driver_json(run)}}));
  one.append("invocations", Json(Json::Array{std::move(invocation)}));
  one.append("artifacts", std::move(artifacts).json());
  one.append("results", std::move(results));
  Json json = Json::object();
  json.append("$schema",
              "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json");
  json.append("version", "2.1.0");
  json.append("runs", Json(Json::Array{std::move(one)}));
  return json.dump(1) + "\n";
}

}  // namespace wheel_audit
