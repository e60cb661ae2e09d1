// Printing a parsed value again would respell it (1.10 as 1.1, \u00e9 as é), so rows that pass
// through untouched are cut out of the text. The parser has accepted the text before.
#include "matrix/row_text.hpp"

#include <algorithm>
#include <cstddef>

#include "wheel_audit/json.hpp"

namespace wheel_audit::matrix {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";

/// Takes a string with its quotes, or a run of other bytes.
std::string_view take_token(std::string_view& rest) {
  std::size_t end = 1;
  if (rest.front() == '"') {
    while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2U : 1U;
    ++end;
  }
  const std::string_view token = rest.substr(0, end);
  rest.remove_prefix(token.size());
  return token;
}

/// White space between tokens: as it stands, or of a line end what keeps `,` and a key apart.
std::string_view take_spaces(std::string_view& rest, bool after_comma) {
  const std::string_view spaces =
      rest.substr(0, std::min(rest.find_first_not_of(kSpaces), rest.size()));
  rest.remove_prefix(spaces.size());
  if (spaces.find_first_of("\r\n") == std::string_view::npos) return spaces;
  return after_comma ? " " : "";
}

}  // namespace

std::vector<std::string> item_texts(std::string_view text, std::string_view key) {
  std::vector<std::string> items;
  std::string item;
  std::string_view last;  // token
  std::string top_key;    // the key at the first level that the text is in
  int depth = 0;
  const auto flush = [&] {
    const std::size_t end = item.find_last_not_of(kSpaces);
    if (end != std::string::npos) items.push_back(item.substr(0, end + 1));
    item.clear();
  };
  while (!text.empty()) {
    const std::string_view spaces = take_spaces(text, last == ",");
    if (!item.empty()) item += spaces;
    if (text.empty()) break;
    const std::string_view token = take_token(text);
    const bool inside = depth >= 2 && top_key == key;
    if (token == "]" || token == "}") --depth;
    if (token == ":" && depth == 1) {
      const Result<Json> name = Json::parse(last);
      top_key = name ? name->as_string() : std::string();
    }
    const bool between = (depth == 2 && token == ",") || depth < 2;
    if (inside && between) flush();
    if (inside && !between) item += token;
    if (token == "[" || token == "{") ++depth;
    last = token;
  }
  return items;
}

}  // namespace wheel_audit::matrix
