// Dates as text, `YYYY-MM-DD`: in this form, earlier is less.
#pragma once

#include <string>
#include <string_view>

#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// The same text where it is a day of the calendar (`2027-02-29` is none).
Result<std::string> parse_date(std::string_view text);

/// Today's date in UTC, so that a date means the same on every machine.
std::string today();

}  // namespace wheel_audit
