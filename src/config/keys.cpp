// The keys of the configuration, and the form that each value must have.
#include "config/keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "wheel_audit/date.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

const std::vector<ConfigKey>& config_keys() {
  using enum ConfigType;
  static const std::vector<ConfigKey> kKeys = {
      {"packs", texts, "packs of rules to ask, instead of the default ones"},
      {"rules", paths, "further folders of rules"},
      {"select", texts, "only these rules (ids or globs)"},
      {"ignore", texts, "not these rules (ids or globs)"},
      {"enable", enable, "opt-in rules, with parameters"},
      {"severity", severities, "rules (ids or globs) that are an error, a warning or a note"},
      {"require", texts, "rules (ids or globs) that must have something to look at"},
      {"fail-on", word, "lowest severity that fails"},
      {"train", text, "the CUDA train to expect: cu130"},
      {"archs", archs, "the GPU architectures to expect: \"8.0;9.0+PTX\""},
      {"provides", text_table, "further sonames and the packages that ship them"},
      {"with", paths, "wheels that the audited ones depend on, or directories of them"},
      {"baseline", path, "known findings, which do not fail"},
      {"notes", flag, "show notes in text"},
      {"jobs", count, "threads"},
      {"limits", limits, "limits of what is read of a wheel, by name"},
      {"waive", waivers, "findings to live with until a date"},
  };
  return kKeys;
}

namespace detail {

Error Source::error(const std::string& path, const std::string& what) const {
  const auto place = document.places.find(path);
  const std::string at = place == document.places.end() ? "" : ":" + place->second;
  return Error(fmt::format("{}{}: {}: {}", file, at, path, what));
}

namespace {

Error wrong_type(const Source& source, const std::string& path, const Json& value,
                 std::string_view expected) {
  return source.error(path, fmt::format("is of type {}, expected {}", value.type(), expected));
}

Result<Json> read_text(const Source& source, const std::string& path, const Json& value) {
  if (!value.is_string()) return wrong_type(source, path, value, "string");
  if (trim(value.as_string()).empty()) return source.error(path, "is an empty text");
  return value;
}

Result<Json> read_path(const Source& source, const std::string& path, const Json& value) {
  Result<Json> text = read_text(source, path, value);
  if (!text || source.folder.empty()) return text;
  const std::filesystem::path joined = std::filesystem::path(source.folder) / text->as_string();
  return Json(joined.lexically_normal().string());
}

using Reader = Result<Json> (*)(const Source&, const std::string&, const Json&);

Result<Json> read_list(const Source& source, const std::string& path, const Json& value,
                       Reader item) {
  if (!value.is_array()) return wrong_type(source, path, value, "array of strings");
  Json list = Json::array();
  std::size_t index = 0;
  for (const Json& one : value.items()) {
    Result<Json> read = item(source, fmt::format("{}/{}", path, index++), one);
    if (!read) return read;
    list.push(std::move(*read));
  }
  return list;
}

Result<Json> read_table(const Source& source, const std::string& path, const Json& value,
                        Reader item, std::string_view expected) {
  if (!value.is_object()) return wrong_type(source, path, value, expected);
  Json table = Json::object();
  for (const auto& [key, one] : value.entries()) {
    Result<Json> read = item(source, path + "/" + key, one);
    if (!read) return read;
    table.append(key, std::move(*read));
  }
  return table;
}

Result<Json> read_word(const Source& source, const std::string& path, const Json& value) {
  static const std::vector<std::string> kWords = {"error", "warning", "note"};
  Result<Json> text = read_text(source, path, value);
  if (!text || parse_severity(text->as_string())) return text;
  return source.error(path,
                      fmt::format("is \"{}\", expected error, warning or note{}", text->as_string(),
                                  did_you_mean(text->as_string(), kWords)));
}

Result<Json> read_flag(const Source& source, const std::string& path, const Json& value) {
  if (!value.is_bool()) return wrong_type(source, path, value, "boolean");
  return value;
}

Result<Json> read_count(const Source& source, const std::string& path, const Json& value) {
  if (!value.is_integer()) return wrong_type(source, path, value, "integer");
  constexpr std::int64_t kMost = 1024;
  if (value.as_int() >= 1 && value.as_int() <= kMost) return value;
  return source.error(path, fmt::format("is {}, expected 1 to {}", value.as_int(), kMost));
}

/// The parts of a list become the text that `--archs` takes.
Result<Json> read_archs(const Source& source, const std::string& path, const Json& value) {
  if (value.is_string()) return read_text(source, path, value);
  if (!value.is_array()) return wrong_type(source, path, value, "string or array of strings");
  Result<Json> list = read_list(source, path, value, read_text);
  if (!list) return list;
  return Json(join(list->strings(), ";"));
}

Result<Json> read_parameters(const Source& source, const std::string& path, const Json& value) {
  if (value.is_object()) return value;
  if (value.is_bool() && value.as_bool()) return Json::object();
  return wrong_type(source, path, value, "true, or a table of parameters");
}

/// A list of ids becomes a table of ids without parameters.
Result<Json> read_enable(const Source& source, const std::string& path, const Json& value) {
  if (!value.is_array()) {
    return read_table(source, path, value, read_parameters, "array of ids, or table of them");
  }
  Result<Json> list = read_list(source, path, value, read_text);
  if (!list) return list;
  Json table = Json::object();
  for (const std::string& id : list->strings()) table.set(id, Json::object());
  return table;
}

Result<Json> read_limits(const Source& source, const std::string& path, const Json& value) {
  if (!value.is_object()) return wrong_type(source, path, value, "table of limits");
  for (const auto& [name, number] : value.entries()) {
    const std::string at = fmt::format("{}/{}", path, name);
    if (!number.is_integer()) return wrong_type(source, at, number, "integer");
    const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(number.as_int(), 0));
    const Result<void> sound = check_limit(name, most);
    if (!sound) return source.error(at, sound.error().message());
  }
  return value;
}

Result<Json> read_texts(const Source& source, const std::string& path, const Json& value) {
  return read_list(source, path, value, read_text);
}

/// One glob, or a list of them; a list in either case.
Result<Json> read_globs(const Source& source, const std::string& path, const Json& value) {
  if (value.is_array() && value.items().empty())
    return source.error(path, "is an empty list, which matches nothing; leave it out to match all");
  if (value.is_array()) return read_texts(source, path, value);
  Result<Json> text = read_text(source, path, value);
  if (!text) return text;
  return Json(Json::Array{std::move(*text)});
}

Result<Json> read_date(const Source& source, const std::string& path, const Json& value) {
  if (!value.is_string()) return wrong_type(source, path, value, "date such as 2027-01-31");
  Result<std::string> date = parse_date(value.as_string());
  if (!date) return source.error(path, date.error().message());
  return Json(std::move(*date));
}

Result<Json> read_evidence(const Source& source, const std::string& path, const Json& value) {
  return read_table(source, path, value, read_text, "table of strings");
}

Result<Json> read_waiver(const Source& source, const std::string& path, const Json& value) {
  static const std::vector<std::pair<std::string, Reader>> kFields = {
      {"rule", read_text},         {"wheel", read_globs}, {"where", read_globs},
      {"evidence", read_evidence}, {"reason", read_text}, {"until", read_date}};
  std::vector<std::string> names;
  for (const auto& [name, reader] : kFields) names.push_back(name);
  if (!value.is_object()) return wrong_type(source, path, value, "table");
  for (const auto& [key, field] : value.entries()) {
    if (std::ranges::find(names, key) == names.end()) {
      return source.error(path + "/" + key, "unknown key" + did_you_mean(key, names));
    }
  }
  for (const char* mandatory : {"rule", "reason", "until"}) {
    if (value.find(mandatory) == nullptr) {
      return source.error(path, fmt::format("\"{}\" is missing; rule, reason and until (a date "
                                            "such as 2027-01-31) are mandatory",
                                            mandatory));
    }
  }
  Json waiver = Json::object();
  for (const auto& [name, reader] : kFields) {
    const Json* field = value.find(name);
    if (field == nullptr) continue;
    Result<Json> read = reader(source, path + "/" + name, *field);
    if (!read) return read;
    waiver.append(name, std::move(*read));
  }
  return waiver;
}

}  // namespace

Result<Json> read_value(const Source& source, const ConfigKey& key, const Json& value) {
  const std::string path(key.name);
  switch (key.type) {
    case ConfigType::text:
      return read_text(source, path, value);
    case ConfigType::word:
      return read_word(source, path, value);
    case ConfigType::flag:
      return read_flag(source, path, value);
    case ConfigType::count:
      return read_count(source, path, value);
    case ConfigType::path:
      return read_path(source, path, value);
    case ConfigType::texts:
      return read_texts(source, path, value);
    case ConfigType::paths:
      return read_list(source, path, value, read_path);
    case ConfigType::archs:
      return read_archs(source, path, value);
    case ConfigType::enable:
      return read_enable(source, path, value);
    case ConfigType::limits:
      return read_limits(source, path, value);
    case ConfigType::severities:
      return read_table(source, path, value, read_word, "table of ids and severities");
    case ConfigType::text_table:
      return read_table(source, path, value, read_text, "table of strings");
    case ConfigType::waivers:
      if (!value.is_array()) return wrong_type(source, path, value, "array of tables ([[waive]])");
      return read_list(source, path, value, read_waiver);
  }
  return value;
}

}  // namespace detail

}  // namespace wheel_audit
