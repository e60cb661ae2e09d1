// The one file that includes toml++.
#include "config/toml.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <sstream>

namespace wheel_audit::toml_text {

namespace {

std::string place_of(const toml::source_region& region) {
  return fmt::format("{}:{}", region.begin.line, region.begin.column);
}

Json value_of(const toml::node& node, const std::string& path, Document& document);

Json table_of(const toml::table& table, const std::string& path, Document& document) {
  Json object = Json::object();
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const std::string below = path.empty() ? name : path + "/" + name;
    document.places[below] = place_of(key.source());
    object.append(name, value_of(node, below, document));
  }
  return object;
}

Json value_of(const toml::node& node, const std::string& path, Document& document) {
  if (const toml::table* table = node.as_table()) return table_of(*table, path, document);
  if (const toml::array* array = node.as_array()) {
    Json list = Json::array();
    std::size_t index = 0;
    for (const toml::node& item : *array) {
      const std::string below = fmt::format("{}/{}", path, index++);
      document.places[below] = place_of(item.source());
      list.push(value_of(item, below, document));
    }
    return list;
  }
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* flag = node.as_boolean()) return flag->get();
  std::ostringstream text;
  if (const auto* date = node.as_date()) text << date->get();
  if (const auto* time = node.as_time()) text << time->get();
  if (const auto* both = node.as_date_time()) text << both->get();
  return text.str();
}

}  // namespace

Result<std::optional<Document>> parse(std::string_view text,
                                      const std::vector<std::string>& below) {
  try {
    const toml::table root = toml::parse(text);
    const toml::table* table = &root;
    for (const std::string& name : below) {
      const toml::node* node = table->get(name);
      if (node == nullptr) return std::optional<Document>();
      table = node->as_table();
      if (table == nullptr) {
        return Error(fmt::format("{}: \"{}\" is no table", place_of(node->source()), name));
      }
    }
    Document document;
    document.root = table_of(*table, "", document);
    return std::optional<Document>(std::move(document));
  } catch (const toml::parse_error& error) {
    return Error(fmt::format("{}: {}", place_of(error.source()), error.description()));
  }
}

}  // namespace wheel_audit::toml_text
