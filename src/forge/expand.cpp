// Short forms in recipes: texts in many copies, texts of several parts.
#include "forge/expand.hpp"

#include <fmt/format.h>

#include "forge/fields.hpp"

namespace wheel_audit::forge {

namespace {

bool is_short(const Json& json) {
  return json.is_object() && json.entries().size() == 2 && json["times"].is_integer() &&
         json["text"].is_string();
}

/// `{"join": [...]}`: one text of several.
bool is_join(const Json& json) {
  return json.is_object() && json.entries().size() == 1 && json["join"].is_array();
}

bool holds_short(const Json& json) {
  if (is_short(json) || is_join(json)) return true;
  for (const Json& item : json.items())
    if (holds_short(item)) return true;
  for (const auto& [key, value] : json.entries())
    if (holds_short(value)) return true;
  return false;
}

/// The copy of a text with its number in it.
std::string copy_of(const std::string& text, std::uint64_t number) {
  constexpr std::string_view kWord = "{n}";
  std::string copy = text;
  const std::string digits = std::to_string(number);
  for (std::size_t at = copy.find(kWord); at != std::string::npos;
       at = copy.find(kWord, at + digits.size()))
    copy.replace(at, kWord.size(), digits);
  return copy;
}

class Writer {
 public:
  Result<Json> write(const Json& json) {
    if (is_short(json)) {
      std::string whole;
      const Result<void> done = each(json, [&](const std::string& copy) { whole += copy; });
      return done ? Result<Json>(Json(std::move(whole))) : Result<Json>(done.error());
    }
    if (is_join(json)) return join(json["join"]);
    if (json.is_array()) return list(json);
    if (!json.is_object()) return json;
    Json object = Json::object();
    for (const auto& [key, value] : json.entries()) {
      Result<Json> written = write(value);
      if (!written) return written;
      object.append(key, std::move(*written));
    }
    return object;
  }

 private:
  Result<Json> join(const Json& parts) {
    std::string whole;
    for (const Json& part : parts.items()) {
      Result<Json> written = write(part);
      if (!written) return written;
      if (!written->is_string())
        return Error(
            fmt::format("\"join\" has an item of type {}, expected texts", written->type()));
      whole += written->as_string();
    }
    return Json(std::move(whole));
  }

  Result<Json> list(const Json& json) {
    Json items = Json::array();
    for (const Json& item : json.items()) {
      if (is_short(item)) {
        const Result<void> done =
            each(item, [&](std::string copy) { items.push(std::move(copy)); });
        if (!done) return done.error();
        continue;
      }
      Result<Json> written = write(item);
      if (!written) return written;
      items.push(std::move(*written));
    }
    return items;
  }

  template <typename Take>
  Result<void> each(const Json& json, Take take) {
    const std::string& text = json["text"].as_string();
    const std::uint64_t times = json["times"].as_uint();
    for (std::uint64_t i = 0; i < times; ++i) {
      std::string copy = copy_of(text, i);
      if (!build_.take(copy.size() + 1))
        return Error(
            fmt::format("\"times\" is {}, which takes more than {} bytes", times, kMostBytes));
      take(std::move(copy));
    }
    return {};
  }

  Build build_;
};

}  // namespace

Result<Json> expanded(const Json& recipe) {
  if (!holds_short(recipe)) return recipe;
  return Writer().write(recipe);
}

}  // namespace wheel_audit::forge
