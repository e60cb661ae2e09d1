// What a table says of the CMake package that a wheel ships, and what commands tell as they stand.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/rules.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

/// A library of the package: its component, its target and its file.
struct CMakeLibrary {
  std::string component;
  std::vector<std::string> files;  ///< globs, a choice
  std::string stem() const {
    const std::string_view name = base_name(files.front());
    return std::string(name.substr(0, name.find('.')));
  }
};

/// What the table says of the package.
struct Package {
  std::vector<std::string> places;  ///< directories that each hold every file
  std::vector<std::string> files;
  std::string config;  ///< the one of `files` that defines targets
  std::string target;  ///< prefix of targets: `demo::`
  std::vector<CMakeLibrary> components;
  std::string default_set;      ///< variable with the libraries that everybody links
  std::string opt_in;           ///< the component that is no part of it
  std::string opt_in_word;      ///< the argument that keeps a component out of it
  std::string opt_in_variable;  ///< the variable that names it apart
  std::vector<std::string> configs() const {
    std::vector<std::string> paths;
    for (const std::string& place : places) paths.push_back(place + "/" + config);
    return paths;
  }
};

/// Reads the table that parameter `table` names.
Package package_of(Params& params);

bool has_argument(const CMakeCommand& command, std::string_view text);

/// Whether an argument holds a text.
bool mentions(const CMakeCommand& command, std::string_view part);

/// Whether a command tests for a file or target, or searches for one.
bool is_test(const CMakeCommand& command);

/// Whether a command stands in a block that is entered only where some file or target is there.
bool is_guarded(const CMakeFacts& cmake, const CMakeCommand& command);

/// The literal names of library files in an argument: `…/libx.so`.
std::vector<std::string> library_names(std::string_view argument);

}  // namespace wheel_audit
