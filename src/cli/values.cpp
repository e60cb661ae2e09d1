// What options say, in the form of the configuration, put together with the file.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// The JSON value that a parameter's text means: JSON where it parses, else a string.
Json parameter_value(std::string_view text) {
  Result<Json> json = Json::parse(text);
  return json ? std::move(*json) : Json(text);
}

/// Reads `ID[:param=value,…]`. Values with commas are written as JSON.
Result<std::pair<std::string, Json>> parse_enable(std::string_view text) {
  const std::size_t colon = text.find(':');
  Json params = Json::object();
  std::string_view rest =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  while (!rest.empty()) {
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) {
      return Error(fmt::format("--enable {}: \"{}\" is no param=value", text, rest));
    }
    const std::string key(rest.substr(0, equals));
    rest.remove_prefix(equals + 1);
    std::size_t end = std::string_view::npos;
    int depth = 0;
    for (std::size_t i = 0; i < rest.size() && end == std::string_view::npos; ++i) {
      if (rest[i] == '[' || rest[i] == '{') ++depth;
      if (rest[i] == ']' || rest[i] == '}') --depth;
      if (rest[i] == ',' && depth == 0) end = i;
    }
    params.set(key, parameter_value(rest.substr(0, end)));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return std::pair(std::string(text.substr(0, colon)), std::move(params));
}

void set_texts(Json& given, std::string_view key, const std::vector<std::string>& texts) {
  if (!texts.empty()) given.set(key, texts);
}

void set_text(Json& given, std::string_view key, const std::string& text) {
  if (!text.empty()) given.set(key, text);
}

/// `NAME=VALUE` options as a table.
Result<void> set_table(Json& given, std::string_view key, const std::vector<std::string>& pairs,
                       std::string_view form) {
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
      return Error(fmt::format("--{} {}: expected {}", key, pair, form));
    given.at_or_add(key).set(pair.substr(0, equals), pair.substr(equals + 1));
  }
  return {};
}

Result<Json> given_by(const RuleOptions& options) {
  Json given = Json::object();
  set_texts(given, "packs", options.packs);
  set_texts(given, "rules", options.folders);
  set_texts(given, "select", options.select);
  set_texts(given, "ignore", options.ignore);
  for (const std::string& text : options.enable) {
    Result<std::pair<std::string, Json>> enable = parse_enable(text);
    if (!enable) return enable.error();
    given.at_or_add("enable").set(enable->first, std::move(enable->second));
  }
  return given;
}

Result<Json> given_by(const SettingOptions& options) {
  Result<Json> given = given_by(options.rules);
  if (!given) return given;
  set_texts(*given, "require", options.require);
  set_texts(*given, "with", options.with);
  set_text(*given, "fail-on", options.fail_on);
  set_text(*given, "train", options.train);
  set_text(*given, "archs", options.archs);
  set_text(*given, "baseline", options.baseline);
  if (options.jobs > 0) given->set("jobs", options.jobs);
  if (options.notes) given->set("notes", true);
  const Result<void> severity =
      set_table(*given, "severity", options.severity, "ID=error, ID=warning or ID=note");
  if (!severity) return severity.error();
  for (const auto& [id, word] : (*given)["severity"].entries()) {
    if (!parse_severity(word.as_string()))
      return Error(
          fmt::format("--severity {}={}: expected error, warning or note", id, word.as_string()));
  }
  for (const std::string& text : options.limits) {
    Result<NamedLimits::value_type> limit = parse_limit(text);
    if (!limit) return limit.error();
    given->at_or_add("limits").set(limit->first, Json(limit->second));
  }
  const Result<void> provides = set_table(*given, "provides", options.provides, "SONAME=PACKAGE");
  if (!provides) return provides.error();
  return given;
}

Result<Config> config_of(const RuleOptions& options) {
  if (options.no_config) return Config();
  return options.config.empty() ? find_config() : load_config(options.config);
}

Result<InForce> put_together(const RuleOptions& options, const Result<Json>& given) {
  if (!given) return given.error();
  const Result<Config> config = config_of(options);
  if (!config) return config.error();
  return in_force(*config, *given);
}

}  // namespace

Result<InForce> values_of(const RuleOptions& options) {
  return put_together(options, given_by(options));
}

Result<InForce> values_of(const SettingOptions& options) {
  return put_together(options.rules, given_by(options));
}

}  // namespace wheel_audit::cli
