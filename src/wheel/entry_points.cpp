// entry_points.txt: `[group]` lines and `name = target` lines; what the target names is for rules.
#include <fmt/format.h>

#include "quoted.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

std::vector<EntryPoint> parse_entry_points(std::string_view text,
                                           std::vector<std::string>& problems) {
  std::vector<EntryPoint> points;
  if (!is_utf8(text)) problems.emplace_back("it is not UTF-8");
  if (drop_byte_order_mark(text)) problems.emplace_back("line 1 starts with a byte order mark");
  std::string group;
  std::size_t number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(raw);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[' && line.back() == ']') {
      group = trim(line.substr(1, line.size() - 2));
      if (group.empty()) problems.push_back(fmt::format("line {} names no group", number));
      continue;
    }
    const std::size_t equals = line.find('=');
    const std::string_view name = trim(line.substr(0, equals));
    if (equals == std::string_view::npos || name.empty() || trim(line.substr(equals + 1)).empty()) {
      problems.push_back(
          fmt::format("line {} is neither [group] nor name = target: {}", number, quoted(line)));
    } else if (group.empty()) {
      problems.push_back(fmt::format("line {} stands in no group: {}", number, quoted(line)));
    } else {
      points.push_back({group, std::string(name), std::string(trim(line.substr(equals + 1)))});
    }
  }
  return points;
}

}  // namespace wheel_audit
