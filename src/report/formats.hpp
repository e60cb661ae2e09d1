// The report formats, one a source file.
#pragma once

#include "wheel_audit/report.hpp"

namespace wheel_audit {

std::string render_github(const RunReport& run);
std::string render_github_summary(const RunReport& run);
std::string render_gitlab(const RunReport& run);
std::string render_html(const RunReport& run);
std::string render_json(const RunReport& run);
std::string render_jsonl(const RunReport& run);
std::string render_junit(const RunReport& run);
std::string render_markdown(const RunReport& run);
std::string render_sarif(const RunReport& run);
std::string render_sh(const RunReport& run);
std::string render_text(const RunReport& run);

}  // namespace wheel_audit
