// A JSON value as plain data. The parser and the printer behind it are nlohmann's, which one
// source file includes; everything else sees this small type and compiles fast.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// null, boolean, integer, number, string, array or object. Objects keep their order.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() = default;
  Json(std::nullptr_t) {}                                       // NOLINT(*-explicit-*)
  Json(bool value) : value_(value) {}                           // NOLINT(*-explicit-*)
  Json(int value) : value_(std::int64_t{value}) {}              // NOLINT(*-explicit-*)
  Json(std::int64_t value) : value_(value) {}                   // NOLINT(*-explicit-*)
  Json(std::uint64_t value);                                    // NOLINT(*-explicit-*)
  Json(std::uint32_t value) : value_(std::int64_t{value}) {}    // NOLINT(*-explicit-*)
  Json(double value) : value_(value) {}                         // NOLINT(*-explicit-*)
  Json(const char* value) : value_(std::string(value)) {}       // NOLINT(*-explicit-*)
  Json(std::string value) : value_(std::move(value)) {}         // NOLINT(*-explicit-*)
  Json(std::string_view value) : value_(std::string(value)) {}  // NOLINT(*-explicit-*)
  Json(Array value) : value_(std::move(value)) {}               // NOLINT(*-explicit-*)
  Json(Object value) : value_(std::move(value)) {}              // NOLINT(*-explicit-*)
  /// An array of strings.
  Json(const std::vector<std::string>& values);  // NOLINT(*-explicit-*)

  static Json array() { return Json(Array{}); }
  static Json object() { return Json(Object{}); }

  /// Parses one JSON document of at most 64 levels without duplicate keys; the error names line
  /// and column.
  static Result<Json> parse(std::string_view text);

  /// Prints on one line, or with `indent` spaces a level. Text that is not UTF-8 is escaped first.
  std::string dump(int indent = -1) const;

  bool is_null() const { return value_.index() == 0; }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_integer() const { return integer() != nullptr || unsigned_integer() != nullptr; }
  bool is_number() const { return is_integer() || std::holds_alternative<double>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  /// The type's JSON name: "null", "boolean", "integer", "number", "string", "array", "object".
  std::string_view type() const;

  // Values; each yields a neutral value (false, 0, empty) when the type is another.
  bool as_bool() const;
  std::int64_t as_int() const;
  std::uint64_t as_uint() const;
  double as_double() const;
  const std::string& as_string() const;
  const Array& items() const;
  const Object& entries() const;
  /// The strings of an array; other items are left out.
  std::vector<std::string> strings() const;

  /// The member of an object, or nothing.
  const Json* find(std::string_view key) const;
  /// The member of an object, or a null value.
  const Json& operator[](std::string_view key) const;

  /// Sets a member (replaces an equal key); turns a null into an object.
  void set(std::string_view key, Json value);
  /// The member of an object, added as null when it is absent; turns a null into an object.
  Json& at_or_add(std::string_view key);
  /// Appends to an array; turns a null into an array.
  void push(Json value);
  /// Appends an entry to an object without looking for an equal key, or the value to an array.
  void append(std::string key, Json value);
  /// Removes a member of an object.
  void erase(std::string_view key);

  /// Applies a JSON merge patch (RFC 7396).
  void merge_patch(const Json& patch);

  bool operator==(const Json& other) const { return value_ == other.value_; }

 private:
  const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value_); }
  const std::uint64_t* unsigned_integer() const { return std::get_if<std::uint64_t>(&value_); }

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array,
               Object>
      value_;
};

}  // namespace wheel_audit
