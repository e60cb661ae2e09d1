// A value inside a JSON document together with the way to it. Places of one document share one
// error, which keeps the first thing that is not as it should be; every later value is neutral.
// Keeps out what facts mean: it knows types, ranges and words only.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/json.hpp"

namespace wheel_audit {

class Place {
 public:
  /// The whole document; `error` gets the first complaint and must outlive every place.
  Place(const Json& document, std::string& error) : json_(&document), error_(&error) {}
  // A place points to the one that it was reached from: only for use within one expression or
  // scope of its parent.
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  /// A member that must be there.
  Place operator[](std::string_view key) const;
  /// A member that may be absent; then null.
  Place maybe(std::string_view key) const;
  /// An item of a row whose length `row` has checked.
  Place item(std::size_t index) const;

  bool is_null() const { return json_->is_null(); }
  bool failed() const { return !error_->empty(); }
  /// Notes that this value is not what was expected, unless something was noted before.
  void fail(std::string_view expected) const;

  std::string text() const;
  std::string text_or_null() const { return is_null() ? std::string() : text(); }
  std::optional<std::string> optional_text() const;
  bool flag() const;
  std::vector<std::string> texts() const;
  /// An integer that T holds.
  template <typename T>
  T number() const {
    return static_cast<T>(number_up_to(static_cast<std::uint64_t>(std::numeric_limits<T>::max())));
  }
  /// The index of the word in a list of words.
  std::size_t word(std::span<const std::string_view> words) const;
  /// Whether this is a list of `count` items; notes it when not.
  bool row(std::size_t count) const;

  /// Calls `use` for each item of a list, until something fails.
  template <typename Use>
  void each(const Use& use) const {
    if (!json_->is_array()) return fail("a list");
    for (std::size_t i = 0; i < json_->items().size() && !failed(); ++i) use(item(i));
  }
  /// Calls `use` with key and value for each entry of an object, until something fails.
  template <typename Use>
  void entries(const Use& use) const {
    if (!json_->is_object()) return fail("an object");
    for (const auto& [key, value] : json_->entries()) {
      if (failed()) return;
      use(key, Place(value, this, key, 0));
    }
  }
  /// The number of items of a list; 0 of anything else.
  std::size_t size() const { return json_->items().size(); }

 private:
  Place(const Json& json, const Place* parent, std::string_view key, std::size_t index)
      : json_(&json), error_(parent->error_), parent_(parent), key_(key), index_(index) {}
  std::uint64_t number_up_to(std::uint64_t most) const;
  std::string path() const;

  const Json* json_;
  std::string* error_;
  const Place* parent_ = nullptr;
  std::string_view key_;   ///< in the parent, when that is an object
  std::size_t index_ = 0;  ///< in the parent, when that is a list
};

}  // namespace wheel_audit
