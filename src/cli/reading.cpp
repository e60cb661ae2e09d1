// How wheels are read, by the options that commands share.
#include <fmt/format.h>

#include <charconv>

#include "cli/commands.hpp"
#include "wheel_audit/limits.hpp"

namespace wheel_audit::cli {

Result<NamedLimits::value_type> parse_limit(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string_view number =
      equals == std::string::npos ? std::string_view() : std::string_view(text).substr(equals + 1);
  std::uint64_t value = 0;
  const char* end = number.data() + number.size();
  const auto [stop, failed] = std::from_chars(number.data(), end, value);
  if (number.empty() || failed != std::errc() || stop != end)
    return Error(fmt::format("--limit {}: expected NAME=N", text));
  std::string name = text.substr(0, equals);
  const Result<void> sound = check_limit(name, value);
  if (!sound) return sound.error().in("--limit " + text);
  return std::pair(std::move(name), value);
}

Result<ReadOptions> read_options(const NamedLimits& limits, bool confine, unsigned jobs) {
  for (const auto& [name, value] : limits) {
    const Result<void> set = set_limit(name, value);
    if (!set) return set.error();
  }
  ReadOptions reading;
  reading.jobs = jobs_or_cores(jobs);
  reading.confine = confine;
  return reading;
}

Result<ReadOptions> read_options(const ReadingOptions& options, unsigned jobs) {
  NamedLimits limits;
  for (const std::string& text : options.limits) {
    Result<NamedLimits::value_type> limit = parse_limit(text);
    if (!limit) return limit.error();
    limits.push_back(std::move(*limit));
  }
  return read_options(limits, !options.no_sandbox, jobs);
}

}  // namespace wheel_audit::cli
