// What the two parsers are compared in: a flat JSON object of facts about one ELF file, by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// The facts as LIEF reads them: `class`, `machine`, `soname`, `needed`, `rpath`, `runpath`,
/// `needs_versions`, `exports`, `imports`. A fact that its known limits keep it from telling right
/// is left out.
Result<Json> lief_view(const std::vector<std::uint8_t>& bytes);

}  // namespace wheel_audit
