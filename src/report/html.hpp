// Parts of the HTML page, one a source file.
#pragma once

#include <string>
#include <string_view>

#include "wheel_audit/report.hpp"

namespace wheel_audit {

/// The page's style sheet.
std::string_view html_style();

/// Libraries by GPU architecture, and the devices that run them; empty without device code.
std::string html_gpu(const WheelReport& wheel);

/// What loading each root brings in, as trees that open; empty without libraries.
std::string html_loads(const WheelReport& wheel);

}  // namespace wheel_audit
