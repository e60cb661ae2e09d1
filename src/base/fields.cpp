// Reads the keys of a JSON object strictly: each is asked for once, and what nobody asked for is
// refused.
#include "base/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

const Json::Array kNoItems;
const Json::Object kNoEntries;

}  // namespace

Fields::Fields(const Json& object, std::string place) : json_(object), place_(std::move(place)) {
  if (!json_.is_object()) {
    error_ = Error(
        fmt::format("{}is {}, expected object", place_.empty() ? "" : place_ + ": ", json_.type()));
  }
}

std::string Fields::at(std::string_view key) const {
  if (key.empty()) return place_;
  return place_.empty() ? std::string(key) : fmt::format("{}.{}", place_, key);
}

void Fields::fail(std::string_view key, std::string_view message) {
  const std::string place = at(key);
  const Error error{std::string(message)};
  fail(place.empty() ? error : error.in(place));
}

void Fields::fail(const Error& error) {
  if (!error_) error_ = error;
}

const Json* Fields::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  const Json* value = json_.find(key);
  return value != nullptr && !value->is_null() ? value : nullptr;
}

const Json* Fields::typed(std::string_view key, bool (Json::*is)() const,
                          std::string_view expected) {
  const Json* value = find(key);
  if (value == nullptr) return nullptr;
  if ((value->*is)()) return value;
  fail(key, fmt::format("is {}, expected {}", value->type(), expected));
  return nullptr;
}

std::optional<std::string> Fields::maybe_text(std::string_view key) {
  const Json* value = typed(key, &Json::is_string, "string");
  if (value == nullptr) return std::nullopt;
  return value->as_string();
}

std::string Fields::text(std::string_view key, std::string_view otherwise) {
  return maybe_text(key).value_or(std::string(otherwise));
}

bool Fields::flag(std::string_view key, bool otherwise) {
  const Json* value = typed(key, &Json::is_bool, "boolean");
  return value == nullptr ? otherwise : value->as_bool();
}

std::optional<std::uint64_t> Fields::maybe_number(std::string_view key, std::uint64_t most) {
  const Json* value = typed(key, &Json::is_integer, "integer");
  if (value == nullptr) return std::nullopt;
  const std::uint64_t number = value->as_uint();
  if (value->as_int() < 0 || number > most) {
    fail(key, fmt::format("is {}, expected 0 to {}", value->dump(), most));
    return std::nullopt;
  }
  return number;
}

std::uint64_t Fields::number(std::string_view key, std::uint64_t otherwise, std::uint64_t most) {
  return maybe_number(key, most).value_or(otherwise);
}

std::int64_t Fields::whole(std::string_view key, std::int64_t otherwise) {
  const Json* value = typed(key, &Json::is_integer, "integer");
  return value == nullptr ? otherwise : value->as_int();
}

std::vector<std::string> Fields::texts(std::string_view key) {
  for (const Json& item : array(key)) {
    if (!item.is_string()) fail(key, fmt::format("holds {}, expected strings", item.type()));
  }
  const Json* value = find(key);
  return value == nullptr ? std::vector<std::string>() : value->strings();
}

std::string Fields::word(std::string_view key, std::string_view otherwise,
                         std::initializer_list<std::string_view> known) {
  std::string value = text(key, otherwise);
  const std::vector<std::string> words(known.begin(), known.end());
  if (std::find(words.begin(), words.end(), value) == words.end()) {
    fail(key, fmt::format("unknown word \"{}\"{}, expected {}", printable(value),
                          did_you_mean(value, words), join(words, ", ")));
  }
  return value;
}

const Json::Array& Fields::array(std::string_view key) {
  const Json* value = typed(key, &Json::is_array, "array");
  return value == nullptr ? kNoItems : value->items();
}

const Json::Object& Fields::object(std::string_view key) {
  const Json* value = typed(key, &Json::is_object, "object");
  return value == nullptr ? kNoEntries : value->entries();
}

Result<void> Fields::finish() {
  for (const auto& [key, value] : json_.entries()) {
    if (error_) break;
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
      fail("", fmt::format("unknown key \"{}\"{}", printable(key), did_you_mean(key, known_)));
    }
  }
  if (error_) return *error_;
  return {};
}

}  // namespace wheel_audit
