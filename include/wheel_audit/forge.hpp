// Recipes to wheels. The zip, ELF and fatbin writers here share no code with the readers, so that
// a test of the readers is a test. Recipe form: docs/recipes.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// A wheel in memory.
struct ForgedWheel {
  std::string file_name;
  std::vector<std::uint8_t> bytes;
};

/// Builds the wheel that a recipe describes (base already merged). `folder` is where `{"file": …}`
/// sources of a recipe are looked up; empty refuses them. Strict: an unknown key is an error that
/// names the nearest known one.
Result<ForgedWheel> forge_wheel(const Json& recipe, const std::string& folder);

}  // namespace wheel_audit
