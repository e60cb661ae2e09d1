// Tables, parsed when asked for, and a rule's parameters.
#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/rules.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

void Tables::add(std::string id, std::string origin, std::string text, bool built_in) {
  entries_.insert_or_assign(std::move(id),
                            Entry{std::move(origin), std::move(text), built_in, std::nullopt});
}

bool Tables::is_built_in(const std::string& id) const {
  const auto found = entries_.find(id);
  return found != entries_.end() && found->second.built_in;
}

Result<const Json*> Tables::get(const std::string& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) {
    std::vector<std::string> known;
    for (const auto& [name, entry] : entries_) known.push_back(name);
    return Error(fmt::format("there is no table \"{}\"{}", id, did_you_mean(id, known)));
  }
  Entry& entry = found->second;
  if (!entry.parsed) {
    Result<Json> parsed = Json::parse(entry.text);
    if (!parsed) return parsed.error().in(entry.origin);
    entry.parsed = std::move(*parsed);
    entry.text.clear();
  }
  return &*entry.parsed;
}

const Json& LateTable::json() const {
  static const Json kNull;
  if (tables_ == nullptr) return kNull;
  const Result<const Json*> found = tables_->get(id_);
  return found ? **found : kNull;  // what can fail was parsed when the rule was bound
}

void Params::fail(std::string message) {
  if (error_.empty()) error_ = std::move(message);
}

const Json* Params::take(const std::string& name, bool (Json::*is)() const, std::string_view type) {
  asked_.insert(name);
  const Json* value = json_.find(name);
  if (value == nullptr) return nullptr;
  if ((value->*is)()) return value;
  fail(fmt::format("parameter \"{}\" is of type {}, expected {}", name, value->type(), type));
  return nullptr;
}

std::string Params::text(const std::string& name, std::string fallback) {
  const Json* value = take(name, &Json::is_string, "string");
  if (value != nullptr) return value->as_string();
  return fallback;
}

std::string Params::word(const std::string& name, const std::vector<std::string>& words) {
  std::string found = text(name);
  if (std::ranges::find(words, found) != words.end()) return found;
  if (error_.empty()) {
    fail(fmt::format("parameter \"{}\" is \"{}\", expected one of {}{}", name, found,
                     join(words, ", "), did_you_mean(found, words)));
  }
  return words.front();
}

std::vector<std::string> Params::list(const std::string& name) {
  // A single text is a list of one: `--enable ID:symbols=foo*`.
  const Json* single = json_.find(name);
  if (single != nullptr && single->is_string()) {
    asked_.insert(name);
    return {single->as_string()};
  }
  const Json* value = take(name, &Json::is_array, "array of strings");
  if (value == nullptr) return {};
  if (!std::ranges::all_of(value->items(), &Json::is_string)) {
    fail(fmt::format("parameter \"{}\" holds items that are no strings", name));
  }
  return value->strings();
}

std::vector<std::string> Params::some(const std::string& name) {
  std::vector<std::string> values = list(name);
  if (values.empty())
    fail(fmt::format("parameter \"{}\" is missing: without it the rule asks nothing", name));
  return values;
}

bool Params::flag(const std::string& name, bool fallback) {
  const Json* value = take(name, &Json::is_bool, "boolean");
  return value != nullptr ? value->as_bool() : fallback;
}

std::int64_t Params::number(const std::string& name, std::int64_t fallback) {
  const Json* value = take(name, &Json::is_integer, "integer");
  if (value == nullptr) return fallback;
  if (value->as_int() < 0)
    fail(fmt::format("parameter \"{}\" is {}, expected 0 or more", name, value->as_int()));
  return value->as_int();
}

const Json& Params::json(const std::string& name) {
  asked_.insert(name);
  const Json& value = json_[name];
  if (json_.find(name) != nullptr && !value.is_object() && !value.is_array()) {
    fail(fmt::format("parameter \"{}\" is of type {}, expected object or array", name,
                     value.type()));
  }
  return value;
}

const Json& Params::table(const std::string& name) {
  if (text(name).empty())
    fail(fmt::format("parameter \"{}\" is missing: the id of a table, such as linux/platform-tags",
                     name));
  return table_if_named(name);
}

const Json& Params::table_if_named(const std::string& name) {
  static const Json kNull;
  const std::string id = text(name);
  if (id.empty()) return kNull;
  const Result<const Json*> found = tables_.get(id);
  if (found) return **found;
  fail(found.error().message());
  return kNull;
}

LateTable Params::late_table(const std::string& name) {
  const Json* id = json_.find(name);
  const bool late = id != nullptr && id->is_string() && tables_.is_built_in(id->as_string());
  if (!late && table_if_named(name).is_null()) return {};
  return {tables_, text(name)};
}

std::vector<const Json*> Params::tables(const std::string& name) {
  std::vector<const Json*> found;
  for (const std::string& id : list(name)) {
    const Result<const Json*> table = tables_.get(id);
    if (table) {
      found.push_back(*table);
    } else {
      fail(table.error().message());
    }
  }
  return found;
}

Result<void> Params::done() const {
  // A misspelt name first: that another one is missing follows from it.
  const std::vector<std::string> known(asked_.begin(), asked_.end());
  for (const auto& [name, value] : json_.entries()) {
    if (!asked_.contains(name)) {
      return Error(fmt::format("unknown parameter \"{}\"{}", name, did_you_mean(name, known)));
    }
  }
  if (!error_.empty()) return Error(error_);
  return {};
}

}  // namespace wheel_audit
