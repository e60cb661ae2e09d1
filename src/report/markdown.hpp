// The Markdown report within a size.
#pragma once

#include <cstddef>
#include <string>

#include "wheel_audit/report.hpp"

namespace wheel_audit {

/// At most about `most_bytes` (what wheels are called aside); says how many findings were left out.
std::string markdown_report(const RunReport& run, std::size_t most_bytes);

}  // namespace wheel_audit
