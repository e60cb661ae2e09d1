// Parts of facts JSON that have a file of their own, and the shapes that they share.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "facts/place.hpp"
#include "wheel_audit/facts.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

Json elf_to_json(const ElfFacts& elf);
ElfFacts elf_from_json(const Place& in);

Json header_to_json(const HeaderFacts& header);
HeaderFacts header_from_json(const Place& in);
Json cmake_to_json(const CMakeFacts& cmake);
CMakeFacts cmake_from_json(const Place& in);

/// A claim; null when nothing is claimed. Reports print it too.
Json claim_to_json(const Claim& claim);

inline Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
inline Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

/// A text as JSON will print it, for keys: two that print alike would make a document that no
/// parser takes.
inline std::string as_key(const std::string& text) {
  return is_utf8(text) ? text : printable(text);
}

template <typename T, typename Make>
Json array_of(const std::vector<T>& items, const Make& make) {
  Json::Array array;
  array.reserve(items.size());
  for (const T& item : items) array.push_back(make(item));
  return Json(std::move(array));
}

/// The facts that a list holds, each made from its place.
template <typename Make>
auto vector_from(const Place& in, const Make& make) {
  std::vector<decltype(make(in))> items;
  items.reserve(in.size());
  in.each([&](const Place& one) { items.push_back(make(one)); });
  return items;
}

}  // namespace wheel_audit
