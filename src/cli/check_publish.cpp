// The last step of check: the report, in the format and at the place that was asked for.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/check_steps.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

Result<const Format*> format_named(const std::string& name) {
  const auto format = std::ranges::find(formats(), name, &Format::name);
  if (format != formats().end()) return &*format;
  std::vector<std::string> names;
  for (const Format& known : formats()) names.emplace_back(known.name);
  return Error(fmt::format("--format {}: expected one of {}{}", name, join(names, ", "),
                           did_you_mean(name, names)));
}

bool publish(RunReport& run, const CheckOptions& options, const Format& format) {
  run.show_notes = options.notes || run.fail_on == Severity::note;
  run.colour =
      options.output.empty() && isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return write_output(options.output, format.render(run));
}

}  // namespace wheel_audit::cli
