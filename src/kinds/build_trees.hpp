// Directories of the machines that build wheels: the table of them, which rules about search
// entries and about strings share.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// The table that parameter `trees` names; empty without it.
struct BuildTrees {
  std::vector<std::string> roots;    ///< beginnings of absolute paths: `/home/`
  std::vector<std::string> entries;  ///< globs of search entries, each with a slash after it
  std::vector<std::string> scratch;  ///< those of `entries` that nobody installs: `_skbuild`

  static BuildTrees of(Params& params);
};

}  // namespace wheel_audit
