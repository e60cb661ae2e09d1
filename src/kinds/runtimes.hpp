// The libraries of the C and C++ runtimes, and the names that they export.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/json.hpp"
#include "wheel_audit/subject.hpp"

namespace wheel_audit {

/// The names that the C runtimes export (rules/linux/tables/runtime-symbols.json).
class Runtimes {
 public:
  explicit Runtimes(const Json& table);
  /// Whether a runtime of that C library exports the name.
  bool exports(std::string_view name, Libc libc) const;
  /// The libraries that export a name; former homes included.
  const std::vector<std::string>& homes(std::string_view name) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> libraries_;
};

/// The names that libstdc++ exports (rules/linux/tables/cxx-symbols.json): exactly on the machines
/// that the table lists, by their beginnings on others.
class CxxRuntime {
 public:
  explicit CxxRuntime(const Json& table);
  /// Whether it exports the name on a machine (`x86_64`).
  bool exports(std::string_view name, const std::string& machine) const;

 private:
  std::vector<std::string> machines_;
  std::vector<std::string> later_;
  std::vector<std::string> others_;
  std::set<std::string, std::less<>> names_;
};

/// Whether a library is of the C or C++ runtimes, whose names the tables hold.
bool is_runtime_library(std::string_view library);

/// Names of the Python API, internal ones too.
bool is_of_python(std::string_view symbol);

/// Names that linkers make or that may stay undefined by design.
bool is_special(std::string_view name);

}  // namespace wheel_audit
