#include "forge/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

/// Position in an alphabet, or nothing.
std::optional<std::uint32_t> digit(std::string_view alphabet, char c) {
  const std::size_t at = alphabet.find(c);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint32_t>(at);
}

const Json::Array kNoItems;
const Json::Object kNoEntries;

}  // namespace

std::string Build::path(std::string_view text) const {
  std::string out(text);
  for (const auto& [word, value] : words) {
    const std::size_t at = out.find(word);
    if (at != std::string::npos) out.replace(at, word.size(), value);
  }
  return out;
}

std::optional<Bytes> from_hex(std::string_view text) {
  Bytes out;
  std::optional<std::uint32_t> high;
  for (const char c : lower(text)) {
    if (c == ' ' || c == '\n') continue;
    const std::optional<std::uint32_t> value = digit("0123456789abcdef", c);
    if (!value) return std::nullopt;
    if (high) {
      out.push_back(static_cast<std::uint8_t>(*high << 4U | *value));
      high.reset();
    } else {
      high = value;
    }
  }
  if (high) return std::nullopt;
  return out;
}

std::optional<Bytes> from_base64(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  while (text.ends_with('=')) text.remove_suffix(1);
  Bytes out;
  std::uint32_t bits = 0;
  std::uint32_t count = 0;
  for (const char c : text) {
    const std::optional<std::uint32_t> value = digit(kAlphabet, c);
    if (!value) return std::nullopt;
    bits = (bits << 6U | *value) & 0xffffU;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<std::uint8_t>(bits >> count));
    }
  }
  return out;
}

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

std::uint64_t Fields::size(std::string_view key, Build& build) {
  const std::uint64_t bytes = number(key, 0, UINT64_MAX);
  if (build.take(bytes)) return bytes;
  fail(key, fmt::format("is {}, and a recipe may ask for {} bytes in all", bytes, kMostBytes));
  return 0;
}

std::vector<std::string> Fields::texts(std::string_view key) {
  for (const Json& item : array(key)) {
    if (!item.is_string()) fail(key, fmt::format("holds {}, expected strings", item.type()));
  }
  const Json* value = find(key);
  return value == nullptr ? std::vector<std::string>() : value->strings();
}

Bytes Fields::hex(std::string_view key) {
  const std::optional<Bytes> bytes = from_hex(text(key));
  if (!bytes) fail(key, "expected pairs of hex digits");
  return bytes.value_or(Bytes());
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

}  // namespace wheel_audit::forge
