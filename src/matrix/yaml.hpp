// A YAML document as plain data. The parser behind it is yaml-cpp, which one source file includes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/result.hpp"

namespace wheel_audit::matrix {

struct YamlEntry;

/// A node: null, scalar, list or mapping, with the line that it begins on.
struct Yaml {
  enum class Type : std::uint8_t { null, scalar, list, mapping };
  Type type = Type::null;
  int line = 0;      ///< from 1
  std::string text;  ///< of a scalar, as written (`true` and `3.10` stay text)
  std::vector<Yaml> items;
  std::vector<YamlEntry> entries;  ///< in order

  bool is_scalar() const { return type == Type::scalar; }
  bool is_list() const { return type == Type::list; }
  bool is_mapping() const { return type == Type::mapping; }
  /// The value of a mapping's key, or nothing.
  const Yaml* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  Yaml value;
};

/// Reads a file of one document. Refuses keys that stand twice, keys that are no scalars, more than
/// 64 levels, and aliases that unfold to more than a hundred thousand nodes.
Result<Yaml> parse_yaml(std::string_view text);

}  // namespace wheel_audit::matrix
