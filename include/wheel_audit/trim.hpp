// Reduces facts to the symbols that rules ask about, which are few. A library's own definitions go
// while it is read; their names stay until all libraries are.
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
  std::uint32_t mark = 0;  ///< a short hash, by which most names are known to differ
};

/// Keeps, of every dynamic symbol: versioned imports; names with the prefixes of the Python API
/// (module entry points among them); imports that no library of the wheel defines; and what rules
/// name.
class SymbolTrim {
 public:
  /// `wanted`: names or globs.
  explicit SymbolTrim(const std::vector<std::string>& wanted) : wanted_(wanted) {}

  /// Whether a symbol is kept as far as its own library alone tells: all but definitions that no
  /// rule names. Adds the name of a definition to `defined`.
  bool keeps(const Symbol& symbol, std::vector<DefinedName>& defined) const;
  /// Drops the needs that a library of the wheel meets, once all are read;
  /// `defined` has their names, in any order. The pools shrink to what is kept.
  void drop_met_needs(std::vector<ElfFacts>& elves,
                      const std::vector<std::vector<DefinedName>>& defined) const;

 private:
  Globs wanted_;
};

}  // namespace wheel_audit
