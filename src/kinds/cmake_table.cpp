// A CMake package as rules' parameters describe it, and questions about parsed commands.
#include "kinds/cmake_table.hpp"

#include <algorithm>

#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

Package package_of(Params& params) {
  Package package;
  const Json& json = params.table("table");
  strictly(params, json, "", [&](Fields& table) {
    table.find("about");
    package.places = table.texts("places");
    package.files = table.texts("files");
    package.config = table.text("config");
    package.target = table.text("target");
    package.default_set = table.text("default_set");
    package.opt_in = table.text("opt_in");
    package.opt_in_word = table.text("opt_in_word");
    package.opt_in_variable = table.text("opt_in_variable");
    table.array("components");
  });
  each_row(params, json["components"], "components", [&](Fields& row) {
    package.components.push_back({row.text("component"), one_or_more(row, "file")});
    if (package.components.back().files.empty()) row.fail("", "has no file");
  });
  return package;
}

bool has_argument(const CMakeCommand& command, std::string_view text) {
  return std::ranges::find(command.arguments, text) != command.arguments.end();
}

bool mentions(const CMakeCommand& command, std::string_view part) {
  return std::ranges::any_of(command.arguments, [&](const std::string& argument) {
    return argument.find(part) != std::string::npos;
  });
}

bool is_test(const CMakeCommand& command) {
  if (command.name == "if" || command.name == "elseif")
    return has_argument(command, "EXISTS") || has_argument(command, "TARGET") ||
           std::ranges::any_of(command.arguments, [](const std::string& argument) {
             return argument.find('$') != std::string::npos || argument.starts_with("_");
           });
  return command.name == "find_library" || command.name == "file" || command.name == "find_file";
}

bool is_guarded(const CMakeFacts& cmake, const CMakeCommand& command) {
  for (std::optional<std::uint32_t> at = command.block; at; at = cmake.commands[*at].block) {
    if (is_test(cmake.commands[*at])) return true;
  }
  return false;
}

namespace {

/// Whether a file name is a shared library's: `libx.so`, `libx.so.1`, `libx.dylib`.
bool is_library_name(std::string_view name) {
  const std::size_t suffix = name.find(".so");
  const bool elf =
      suffix != std::string_view::npos && (suffix + 3 == name.size() || name[suffix + 3] == '.');
  return name.starts_with("lib") && (elf || name.ends_with(".dylib"));
}

}  // namespace

std::vector<std::string> library_names(std::string_view argument) {
  std::vector<std::string> names;
  for (const std::string_view word : split(argument, ';')) {
    std::string_view name = base_name(word);
    while (!name.empty() && (name.back() == '"' || name.back() == ',')) name.remove_suffix(1);
    const bool literal = name.find_first_of("$<>*?{}") == std::string_view::npos;
    if (literal && is_library_name(name)) names.emplace_back(name);
  }
  return names;
}

}  // namespace wheel_audit
