// The scheme by which a packager gives search paths to all of a project's libraries, from a table,
// and a wheel's libraries with their entries taken apart.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// The scheme, as the table has it; directories are below the prefix.
struct Scheme {
  std::vector<std::string> libraries;  ///< globs of the libraries that follow it
  std::vector<std::string> siblings;
  std::vector<std::string> toolkit;   ///< globs of needs that want the hop
  std::set<std::string> dangling;     ///< directories that need not exist
  std::vector<std::string> absolute;  ///< globs of absolute entries that are allowed
  std::vector<std::string> builders;  ///< globs of parts that only a build machine has
};

/// Reads the table that parameter `table` names.
Scheme scheme_of(Params& params);

/// One library with its entries taken apart.
struct Library {
  const Placed* placed = nullptr;
  std::vector<SearchEntry> entries;
  std::set<std::string> directories;
  bool wants_hop = false;
  const std::string& path() const { return placed->member->path; }
};

/// The libraries of a wheel that follow the scheme; executables do not.
std::vector<Library> libraries_of(const Subject& subject, const Scheme& scheme);

bool has_any_entry(const std::vector<Library>& libraries);

/// Whether an entry was meant to lead to a directory: past `$ORIGIN` and `..` it is the directory's
/// path below site-packages, or below the package.
bool aims_at(const SearchEntry& entry, const std::string& directory);

}  // namespace wheel_audit
