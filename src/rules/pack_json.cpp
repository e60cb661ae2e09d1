// Reads pack.json strictly.
#include "rules/pack_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Absent, or a list of strings.
bool is_string_list(const Json& json) {
  return json.is_null() || (json.is_array() && std::ranges::all_of(json.items(), &Json::is_string));
}

/// One entry of "adjust".
Result<Adjustment> read_adjustment(const PackFile& file, const Json& item) {
  const Result<void> known = only_keys(item, {"rule", "members", "evidence", "severity", "reason"});
  if (!known) return known.error();
  Adjustment adjustment;
  Result<std::string> rule = text_of(item, "rule");
  Result<std::string> reason = text_of(item, "reason");
  if (!rule) return rule.error();
  if (!reason) return reason.error();
  const std::string& severity = item["severity"].as_string();
  adjustment.severity = parse_severity(severity);
  if (!adjustment.severity && severity != "silent") {
    return Error(fmt::format("\"severity\" is \"{}\", expected warning, note or silent", severity));
  }
  if (adjustment.severity == Severity::error)
    return Error("\"severity\" is \"error\"; a pack makes rules of others weaker only");
  if (!is_string_list(item["members"])) return Error("\"members\" is no list of strings");
  if (!item["evidence"].is_null() && !item["evidence"].is_object())
    return Error("\"evidence\" is no object");
  for (const auto& [key, globs] : item["evidence"].entries()) {
    if (globs.is_null() || !is_string_list(globs))
      return Error(fmt::format("\"evidence\": \"{}\" is no list of strings", key));
    adjustment.evidence.emplace_back(key, globs.strings());
  }
  adjustment.rule = std::move(*rule);
  adjustment.reason = std::move(*reason);
  adjustment.members = item["members"].strings();
  adjustment.pack = file.pack;
  return adjustment;
}

}  // namespace

/// The first key of an object that is not known, as an error.
Result<void> only_keys(const Json& json, const std::vector<std::string>& known) {
  if (!json.is_object()) return Error(fmt::format("is of type {}, expected object", json.type()));
  for (const auto& [key, value] : json.entries()) {
    if (std::ranges::find(known, key) == known.end()) {
      return Error(fmt::format("unknown key \"{}\"{}", key, did_you_mean(key, known)));
    }
  }
  return {};
}

Result<std::string> text_of(const Json& json, std::string_view key) {
  const Json& value = json[key];
  if (!value.is_string() || trim(value.as_string()).empty()) {
    return Error(fmt::format("\"{}\" is missing or no text; it is mandatory", key));
  }
  return value.as_string();
}

Result<std::vector<std::string>> read_pack_json(const PackFile& file, RuleSet& set) {
  const Result<Json> json = Json::parse(file.text);
  if (!json) return json.error().in(file.origin);
  const Result<void> keys = only_keys(*json, {"about", "extends", "adjust"});
  if (!keys) return keys.error().in(file.origin);
  if (!(*json)["adjust"].is_null() && !(*json)["adjust"].is_array())
    return Error(fmt::format("{}: \"adjust\" is no list", file.origin));
  for (const Json& item : (*json)["adjust"].items()) {
    Result<Adjustment> adjustment = read_adjustment(file, item);
    if (!adjustment) return adjustment.error().in(file.origin + ": adjust");
    set.adjustments.push_back(std::move(*adjustment));
  }
  if (!is_string_list((*json)["extends"]))
    return Error(fmt::format("{}: \"extends\" is no list of strings", file.origin));
  return (*json)["extends"].strings();
}

}  // namespace wheel_audit
