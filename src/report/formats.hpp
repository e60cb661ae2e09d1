// The report formats, one a source file.
#pragma once

#include "wheel_audit/report.hpp"

namespace wheel_audit {

std::string render_text(const RunReport& run);
std::string render_json(const RunReport& run);

}  // namespace wheel_audit
