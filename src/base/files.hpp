// Whole files as text: rules, fixtures, facts, configuration. Wheels are read by src/archive.
#pragma once

#include <string>

#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// The bytes of a file, `-` being standard input; the error says what the system says, also where
/// reading breaks off.
Result<std::string> read_whole(const std::string& path);

}  // namespace wheel_audit
