// diff: what changed between two wheels, or between the facts of them.
#include "wheel_audit/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// Whether an argument is read as facts: standard input, and every file that is neither named like
/// a wheel nor an archive. (A pipe is never looked into: what was read is gone.)
bool is_facts(const std::string& path) {
  if (path == "-") return true;
  std::error_code failed;
  if (path.ends_with(".whl") || std::filesystem::is_directory(path, failed)) return false;
  if (!std::filesystem::is_regular_file(path, failed)) return true;
  std::ifstream in(path, std::ios::binary);
  std::string head(2, 0);
  in.read(head.data(), 2);
  return head != "PK";
}

Result<WheelFacts> side_of(const std::string& path, const ReadOptions& reading) {
  std::vector<WheelFacts> wheels;
  std::error_code failed;
  if (path == "-" || (is_facts(path) && std::filesystem::exists(path, failed))) {
    Result<std::vector<WheelFacts>> facts = facts_in(path);
    if (!facts) return facts.error();
    wheels = std::move(*facts);
  } else {
    const Result<std::vector<std::string>> paths = wheel_paths({path});
    if (!paths) return paths.error();
    if (paths->size() > 1)
      return Error(fmt::format("{}: holds {} wheels, expected one", path, paths->size()));
    wheels = read_with_progress(*paths, reading);
  }
  if (wheels.size() == 1) return std::move(wheels.front());
  return Error(fmt::format("{}: holds the facts of {} wheels, expected one", path, wheels.size()));
}

Result<const DiffFormat*> format_named(const std::string& name) {
  const auto format = std::ranges::find(diff_formats(), name, &DiffFormat::name);
  if (format != diff_formats().end()) return &*format;
  std::vector<std::string> names;
  for (const DiffFormat& known : diff_formats()) names.emplace_back(known.name);
  return Error(fmt::format("--format {}: expected one of {}{}", name, join(names, ", "),
                           did_you_mean(name, names)));
}

}  // namespace

int diff(const DiffOptions& options) {
  const Result<DiffGate> gate = parse_gate(options.fail_on);
  if (!gate) return wrong_use(gate.error().message());
  const Result<const DiffFormat*> format = format_named(options.format);
  if (!format) return wrong_use(format.error().message());
  if (options.before == "-" && options.after == "-")
    return wrong_use("standard input can be only one of the two");
  const Result<void> place = writable_place(options.output);
  if (!place) return wrong_use(place.error().message());
  Result<ReadOptions> reading = read_options(options.reading, options.jobs);
  if (!reading) return wrong_use(reading.error().message());
  reading->hash = false;
  reading->all_symbols = true;
  const Result<WheelFacts> before = side_of(options.before, *reading);
  if (!before) return wrong_use(before.error().message());
  const Result<WheelFacts> after = side_of(options.after, *reading);
  if (!after) return wrong_use(after.error().message());
  const DiffReport report = judge(diff_wheels(*before, *after), *gate);
  if (!write_output(options.output, (*format)->render(report))) return kIncomplete;
  return report.exit;
}

}  // namespace wheel_audit::cli
