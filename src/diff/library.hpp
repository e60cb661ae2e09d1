// What changed in one library.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "diff/match.hpp"
#include "wheel_audit/diff.hpp"
#include "wheel_audit/facts_index.hpp"
#include "wheel_audit/names.hpp"

namespace wheel_audit {

/// What is asked of whole wheels to compare their libraries, computed once.
struct LibraryContext {
  const WheelFacts& before;
  const WheelFacts& after;
  FactsIndex before_index;
  FactsIndex after_index;
  std::set<std::string> shipped;        ///< names and sonames of the new wheel's libraries
  std::set<std::string> needed_before;  ///< by some library of the old wheel
  NameSet exports;                      ///< names that some library of the new wheel exports
  bool all_exports_known = false;       ///< `exports` is complete
};

LibraryContext library_context(const WheelFacts& before, const WheelFacts& after);

/// Whether a pair is a library: it has ELF tables or GPU code on a side.
bool is_library(const Pair& pair, const LibraryContext& context);

LibraryDiff diff_library(const Pair& pair, const LibraryContext& context);

/// Whether anything but contents and size changed.
bool changed(const LibraryDiff& library);

/// The values of one sorted list that the other lacks, both ways.
ListChange list_change(const std::set<std::string>& before, const std::set<std::string>& after);

/// Device code by form and architecture: `sass 9.0a`.
std::set<std::string> codes_of(const GpuFacts& gpu);

}  // namespace wheel_audit
