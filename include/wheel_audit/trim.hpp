// Reduces facts to the symbols that rules ask about, which are few: most of what a large library's
// facts take in memory goes as soon as it is read, by the thread that read it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/globs.hpp"

namespace wheel_audit {

/// The name of a definition that other libraries of the wheel may need.
struct DefinedName {
  std::string_view text;   ///< into the library's pool
  std::uint32_t mark = 0;  ///< by which most names are known to differ
};

/// Keeps, of every dynamic symbol: versioned imports; names with the prefixes of the Python API
/// (module entry points among them); imports that no library of the wheel defines; and what rules
/// name.
class SymbolTrim {
 public:
  /// `wanted`: names or globs.
  explicit SymbolTrim(const std::vector<std::string>& wanted) : wanted_(wanted) {}

  /// Drops what can be told of one library alone, its own definitions, and returns their names.
  std::vector<DefinedName> begin(ElfFacts& elf) const;
  /// Drops the rest, once every library has begun; `defined` are their names in any order. The
  /// pools shrink to what is kept.
  void finish(std::vector<ElfFacts>& elves,
              const std::vector<std::vector<DefinedName>>& defined) const;

 private:
  Globs wanted_;
};

}  // namespace wheel_audit
