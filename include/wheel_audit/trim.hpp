// Reduces facts to the symbols that rules ask about.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// Keeps, of every dynamic symbol: versioned imports; names with the
/// prefixes of the Python API (module entry points among them); imports that no library of the
/// wheel defines; and what `wanted` (names or globs) names. The pools shrink to what is kept.
void trim_symbols(WheelFacts& wheel, const std::vector<std::string>& wanted);

}  // namespace wheel_audit
