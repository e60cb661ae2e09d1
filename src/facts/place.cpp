// Values of facts files with their place, so that the first one that is wrong is told by its path.
#include "facts/place.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

const Json kNull;

/// What a value is, for messages: short ones as they stand.
std::string described(const Json& json) {
  constexpr std::size_t kShown = 40;  // bytes of a value that a message repeats
  if (json.is_null() || json.is_array() || json.is_object()) return std::string(json.type());
  const std::string text = json.dump();
  return text.size() <= kShown ? printable(text) : std::string(json.type());
}

}  // namespace

std::string Place::path() const {
  if (parent_ == nullptr) return {};
  const std::string before = parent_->path();
  if (parent_->json_->is_array()) return fmt::format("{}[{}]", before, index_);
  return fmt::format("{}{}{}", before, before.empty() ? "" : ".", printable(key_));
}

void Place::fail(std::string_view expected) const {
  if (failed()) return;
  const std::string place = path();
  *error_ = fmt::format("{}{}found {}, expected {}", place, place.empty() ? "" : ": ",
                        described(*json_), expected);
}

Place Place::operator[](std::string_view key) const {
  const Json* found = json_->find(key);
  if (found != nullptr) return {*found, this, key, 0};
  if (!json_->is_object()) {
    fail("an object");
  } else if (!failed()) {
    const std::string place = path();
    *error_ = fmt::format("{}{}\"{}\" is missing", place, place.empty() ? "" : ": ", key);
  }
  return {kNull, this, key, 0};
}

Place Place::maybe(std::string_view key) const {
  const Json* found = json_->find(key);
  if (found == nullptr && !json_->is_object()) fail("an object");
  return {found != nullptr ? *found : kNull, this, key, 0};
}

Place Place::item(std::size_t index) const {
  const Json::Array& items = json_->items();
  return {index < items.size() ? items[index] : kNull, this, {}, index};
}

std::string Place::text() const {
  if (!json_->is_string()) fail("a string");
  return json_->as_string();
}

std::optional<std::string> Place::optional_text() const {
  if (is_null()) return std::nullopt;
  return text();
}

bool Place::flag() const {
  if (!json_->is_bool()) fail("true or false");
  return json_->as_bool();
}

std::vector<std::string> Place::texts() const {
  std::vector<std::string> texts;
  texts.reserve(size());
  each([&](const Place& one) { texts.push_back(one.text()); });
  return texts;
}

std::uint64_t Place::number_up_to(std::uint64_t most) const {
  if (json_->is_integer() && json_->as_int() >= 0 && json_->as_uint() <= most)
    return json_->as_uint();
  fail(fmt::format("an integer from 0 to {}", most));
  return 0;
}

std::size_t Place::word(std::span<const std::string_view> words) const {
  const auto found = std::ranges::find(words, std::string_view(json_->as_string()));
  if (json_->is_string() && found != words.end())
    return static_cast<std::size_t>(found - words.begin());
  fail(fmt::format("one of {}", fmt::join(words, ", ")));
  return 0;
}

bool Place::row(std::size_t count) const {
  if (json_->is_array() && size() == count) return true;
  fail(fmt::format("a list of {} items", count));
  return false;
}

}  // namespace wheel_audit
