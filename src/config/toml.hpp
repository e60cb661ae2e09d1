// TOML as our own plain values, with the place of each.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/json.hpp"

namespace wheel_audit::toml_text {

/// A parsed document: tables are objects, dates and times are their text.
struct Document {
  Json root = Json::object();
  /// Path of a value (`waive/0/until`) to where it is written: `12:1`, line and column from 1.
  std::map<std::string, std::string> places;
};

/// Parses a document, or the table of it that `below` leads to (`tool`, `wheel-audit`); without
/// that table, nothing is in the result. The error begins with line and column.
Result<std::optional<Document>> parse(std::string_view text, const std::vector<std::string>& below);

}  // namespace wheel_audit::toml_text
