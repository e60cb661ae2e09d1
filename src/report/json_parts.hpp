// Parts of the JSON report that JSON lines print too.
#pragma once

#include "wheel_audit/json.hpp"
#include "wheel_audit/report.hpp"

namespace wheel_audit {

Json finding_json(const Finding& finding);
Json unread_json(const Unread& unread);
/// Appends what a report says of a wheel besides its findings: claim, devices, rules asked.
void append_wheel_facts(const WheelReport& wheel, Json& json);
Json tool_json();
Json summary_json(const Summary& summary);

}  // namespace wheel_audit
