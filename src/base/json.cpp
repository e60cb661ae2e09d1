// The one file that includes nlohmann/json: parses through its SAX interface, prints its way.
#include "wheel_audit/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "wheel_audit/text.hpp"
#include "wheel_audit/utf8.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kDeepest = 64;  // levels; documents of ours have under ten

/// Builds a Json from nlohmann's events; refuses duplicate keys and depth.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(Json(value)); }
  bool number_integer(number_integer_t value) override { return add(Json(std::int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override { return add(Json(std::uint64_t{value})); }
  bool number_float(number_float_t value, const string_t&) override { return add(Json(value)); }
  bool string(string_t& value) override { return add(Json(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    if (level.keys.contains(name)) return refuse(fmt::format("key \"{}\" stands twice", name));
    level.keys.insert(name);
    level.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    // nlohmann writes "[json.exception.parse_error.101] parse error at line 1, column 2: ...".
    const std::string_view text = e.what();
    const std::size_t end = text.find("] ");
    error_ = std::string(end == std::string_view::npos ? text : text.substr(end + 2));
    return false;
  }

  Json& root() { return root_; }
  const std::string& error() const { return error_; }

 private:
  struct Level {
    Json value;
    std::string key;
    std::set<std::string> keys;
  };

  bool refuse(std::string why) {
    error_ = std::move(why);
    return false;
  }
  bool open(Json container) {
    if (levels_.size() >= kDeepest)
      return refuse(fmt::format("more than {} levels deep", kDeepest));
    levels_.push_back({std::move(container), {}, {}});
    return true;
  }
  bool close() {
    Json done = std::move(levels_.back().value);
    levels_.pop_back();
    return add(std::move(done));
  }
  bool add(Json value) {
    if (levels_.empty()) {
      root_ = std::move(value);
    } else {
      levels_.back().value.append(std::move(levels_.back().key), std::move(value));
    }
    return true;
  }

  Json root_;
  std::vector<Level> levels_;
  std::string error_;
};

/// A JSON string. Code points that no one sees are written as `\uNNNN`, so that a document shows
/// them on a terminal and still holds them.
std::string quoted(const std::string& text) {
  std::string plain = nlohmann::json(is_utf8(text) ? text : printable(text)).dump();
  if (std::ranges::all_of(plain, [](char c) { return c >= 0x20 && c < 0x7f; })) return plain;
  std::string out;
  for (std::string_view rest = plain; !rest.empty();) {
    const CodePoint point = decode_utf8(rest);
    if (point.value != 0x7f && !is_deceptive(point.value)) {
      out += rest.substr(0, point.length);
    } else if (point.value > 0xffff) {  // a surrogate pair, RFC 8259 section 7
      const std::uint32_t above = point.value - 0x10000;
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (above >> 10U), 0xdc00 + (above & 0x3ffU));
    } else {
      out += fmt::format("\\u{:04x}", point.value);
    }
    rest.remove_prefix(point.length);
  }
  return out;
}

void print(const Json& value, int indent, int level, std::string& out) {
  const auto line = [&](int at) {
    if (indent < 0) return;
    out.append("\n").append(static_cast<std::size_t>(indent) * static_cast<std::size_t>(at), ' ');
  };
  if (value.is_object()) {
    bool first = true;
    out += '{';
    for (const auto& [key, item] : value.entries()) {
      if (!first) out += ',';
      first = false;
      line(level + 1);
      out += quoted(key);
      out += indent >= 0 ? ": " : ":";
      print(item, indent, level + 1, out);
    }
    if (!first) line(level);
    out += '}';
  } else if (value.is_array()) {
    bool first = true;
    out += '[';
    for (const Json& item : value.items()) {
      if (!first) out += ',';
      first = false;
      line(level + 1);
      print(item, indent, level + 1, out);
    }
    if (!first) line(level);
    out += ']';
  } else if (value.is_string()) {
    out += quoted(value.as_string());
  } else if (value.is_bool()) {
    out += value.as_bool() ? "true" : "false";
  } else if (value.is_integer()) {
    out += value.as_uint() > 0 ? fmt::format("{}", value.as_uint())
                               : fmt::format("{}", value.as_int());
  } else if (value.is_number()) {
    out += nlohmann::json(value.as_double()).dump();
  } else {
    out += "null";
  }
}

}  // namespace

Json::Json(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(INT64_MAX)) {
    value_ = static_cast<std::int64_t>(value);
  } else {
    value_ = value;
  }
}

Json::Json(const std::vector<std::string>& values) : value_(Array(values.begin(), values.end())) {}

Result<Json> Json::parse(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text, &builder)) return Error(builder.error());
  return std::move(builder.root());
}

std::string Json::dump(int indent) const {
  std::string out;
  print(*this, indent, 0, out);
  return out;
}

std::string_view Json::type() const {
  constexpr std::string_view kNames[] = {"null",   "boolean", "integer", "integer",
                                         "number", "string",  "array",   "object"};
  return kNames[value_.index()];
}

bool Json::as_bool() const {
  const bool* value = std::get_if<bool>(&value_);
  return value != nullptr && *value;
}

std::int64_t Json::as_int() const { return integer() != nullptr ? *integer() : 0; }

std::uint64_t Json::as_uint() const {
  if (unsigned_integer() != nullptr) return *unsigned_integer();
  return as_int() > 0 ? static_cast<std::uint64_t>(as_int()) : 0;
}

double Json::as_double() const {
  if (const double* value = std::get_if<double>(&value_)) return *value;
  return is_integer() && as_int() == 0 ? static_cast<double>(as_uint())
                                       : static_cast<double>(as_int());
}

const std::string& Json::as_string() const {
  static const std::string kEmpty;
  const std::string* value = std::get_if<std::string>(&value_);
  return value != nullptr ? *value : kEmpty;
}

const Json::Array& Json::items() const {
  static const Array kEmpty;
  const Array* value = std::get_if<Array>(&value_);
  return value != nullptr ? *value : kEmpty;
}

const Json::Object& Json::entries() const {
  static const Object kEmpty;
  const Object* value = std::get_if<Object>(&value_);
  return value != nullptr ? *value : kEmpty;
}

std::vector<std::string> Json::strings() const {
  std::vector<std::string> out;
  for (const Json& item : items()) {
    if (item.is_string()) out.push_back(item.as_string());
  }
  return out;
}

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, value] : entries()) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json kNull;
  const Json* value = find(key);
  return value != nullptr ? *value : kNull;
}

Json& Json::at_or_add(std::string_view key) {
  if (is_null()) value_ = Object{};
  Object& object = *std::get_if<Object>(&value_);
  for (auto& [name, value] : object) {
    if (name == key) return value;
  }
  return object.emplace_back(std::string(key), Json()).second;
}

void Json::set(std::string_view key, Json value) { at_or_add(key) = std::move(value); }

void Json::push(Json value) {
  if (is_null()) value_ = Array{};
  std::get_if<Array>(&value_)->push_back(std::move(value));
}

void Json::append(std::string key, Json value) {
  if (Object* object = std::get_if<Object>(&value_)) {
    object->emplace_back(std::move(key), std::move(value));
  } else {
    std::get_if<Array>(&value_)->push_back(std::move(value));
  }
}

void Json::erase(std::string_view key) {
  if (Object* object = std::get_if<Object>(&value_)) {
    std::erase_if(*object, [&](const auto& entry) { return entry.first == key; });
  }
}

void Json::merge_patch(const Json& patch) {
  if (!patch.is_object()) {
    *this = patch;
    return;
  }
  if (!is_object()) value_ = Object{};
  for (const auto& [key, value] : patch.entries()) {
    if (value.is_null()) {
      erase(key);
    } else {
      at_or_add(key).merge_patch(value);
    }
  }
}

}  // namespace wheel_audit
