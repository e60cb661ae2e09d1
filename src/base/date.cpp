// Dates of waivers: YYYY-MM-DD (ISO 8601), and which day it is.
#include "wheel_audit/date.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace wheel_audit {

namespace {

/// The number that digits at a place of the text make; they are known to be digits.
unsigned number_at(std::string_view text, std::size_t begin, std::size_t length) {
  unsigned number = 0;
  for (const char digit : text.substr(begin, length))
    number = number * 10 + static_cast<unsigned>(digit - '0');
  return number;
}

bool has_shape(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00";
  return text.size() == kShape.size() &&
         std::ranges::equal(text, kShape, [](char found, char shape) {
           return shape == '0' ? found >= '0' && found <= '9' : found == shape;
         });
}

}  // namespace

Result<std::string> parse_date(std::string_view text) {
  const auto is_day = [&] {
    using namespace std::chrono;
    return year_month_day(year(static_cast<int>(number_at(text, 0, 4))),
                          month(number_at(text, 5, 2)), day(number_at(text, 8, 2)))
        .ok();
  };
  if (has_shape(text) && is_day()) return std::string(text);
  return Error(fmt::format("\"{}\" is no date, expected one such as 2027-01-31", text));
}

std::string today() {
  using namespace std::chrono;
  const year_month_day date(floor<days>(system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

}  // namespace wheel_audit
