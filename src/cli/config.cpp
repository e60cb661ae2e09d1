// config: the settings in force and where each of them comes from, as TOML with comments or JSON.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// A key of TOML, quoted where it is no bare one.
std::string key_text(const std::string& key) {
  constexpr std::string_view kBare =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const bool bare = !key.empty() && key.find_first_not_of(kBare) == std::string::npos;
  return bare ? key : Json(key).dump();
}

/// A value on one line: TOML's strings, numbers, booleans and lists are JSON's, tables are not.
std::string value_text(const Json& value) {
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Json& item : value.items()) parts.push_back(value_text(item));
    return "[" + join(parts, ", ") + "]";
  }
  if (!value.is_object()) return value.dump();
  for (const auto& [key, item] : value.entries())
    parts.push_back(key_text(key) + " = " + value_text(item));
  return parts.empty() ? "{}" : "{ " + join(parts, ", ") + " }";
}

std::string line(const std::string& setting, const std::string& origin) {
  return printable(fmt::format("{}  # {}", setting, origin)) + "\n";
}

/// Whether items of a list come from different places.
bool is_mixed(const InForce& values, const std::string& key, const Json& list) {
  for (std::size_t i = 1; i < list.items().size(); ++i) {
    const auto is_given = [&](std::size_t at) {
      return values.origin(key, fmt::format("{}", at)) == "command line";
    };
    if (is_given(i) != is_given(0)) return true;
  }
  return false;
}

std::string list_text(const InForce& values, const std::string& key, const Json& list) {
  std::string text = fmt::format("{} = [\n", key);
  std::size_t index = 0;
  for (const Json& item : list.items()) {
    const std::string& origin = values.origin(key, fmt::format("{}", index++));
    text += line("  " + value_text(item) + ",", origin);
  }
  return text + "]\n";
}

/// A setting, each part of it that has an origin of its own on a line of its own.
std::string setting_text(const InForce& values, const std::string& key, const Json& value) {
  if (value.is_object()) {
    std::string text = fmt::format("[{}]\n", key);
    for (const auto& [name, item] : value.entries())
      text += line(key_text(name) + " = " + value_text(item), values.origin(key, name));
    return text;
  }
  if (key == "waive") {
    std::string text;
    std::size_t index = 0;
    for (const Json& waiver : value.items()) {
      text += line("[[waive]]", values.origin(key, fmt::format("{}", index++)));
      for (const auto& [name, item] : waiver.entries())
        text += printable(key_text(name) + " = " + value_text(item)) + "\n";
    }
    return text;
  }
  if (is_mixed(values, key, value)) return list_text(values, key, value);
  const bool added =
      value.is_array() && !value.items().empty() && values.origin(key, "0") == "command line";
  return line(key + " = " + value_text(value), added ? "command line" : values.origin(key));
}

/// Tables follow everything else, or TOML would take what comes after them for a part of them.
bool is_table(const std::string& key, const Json& value) {
  return value.is_object() || key == "waive";
}

std::string as_text(const InForce& values) {
  std::string text = values.file.empty() ? "# no configuration file\n"
                                         : fmt::format("# {}\n", printable(values.file));
  if (!values.passed_over.empty())
    text += fmt::format("# {} has a table too, which is not read\n", printable(values.passed_over));
  for (const bool tables : {false, true}) {
    for (const auto& [key, value] : values.values.entries()) {
      if (is_table(key, value) != tables) continue;
      text += value.is_null() ? tables ? "" : fmt::format("# {} is not set\n", key)
                              : setting_text(values, key, value);
    }
  }
  return text;
}

/// The places of a value's parts, where they have places of their own.
Json parts_json(const InForce& values, const std::string& key, const Json& value) {
  Json parts = Json::object();
  for (const auto& [name, item] : value.entries()) parts.append(name, values.origin(key, name));
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    std::string index = fmt::format("{}", i);
    const std::string& origin = values.origin(key, index);
    parts.append(std::move(index), origin);
  }
  return parts;
}

std::string as_json(const InForce& values) {
  Json settings = Json::object();
  for (const auto& [key, value] : values.values.entries()) {
    Json setting = Json::object();
    setting.append("value", value);
    setting.append("from", values.origin(key));
    if (value.is_array() || value.is_object())
      setting.append("parts", parts_json(values, key, value));
    settings.append(key, std::move(setting));
  }
  Json json = Json::object();
  json.append("file", values.file.empty() ? Json() : Json(values.file));
  json.append("passed_over", values.passed_over.empty() ? Json() : Json(values.passed_over));
  json.append("settings", std::move(settings));
  return json.dump(1) + "\n";
}

}  // namespace

int config(const ConfigOptions& options) {
  const Result<InForce> values = values_of(options.settings);
  if (!values) return wrong_use(values.error().message());
  const Result<Settings> settings = settings_of(*values);
  if (!settings) return wrong_use(settings.error().message());
  const Result<RuleSet> rules = load_rules(settings->selection);
  if (!rules) return wrong_use(rules.error().message());
  return write_output("", options.format == "json" ? as_json(*values) : as_text(*values))
             ? kOk
             : kIncomplete;
}

}  // namespace wheel_audit::cli
