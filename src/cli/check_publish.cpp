// The last step of check: the reports, in the formats and at the places that were asked for.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/check_steps.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const Format& known : formats()) names.emplace_back(known.name);
  return names;
}

Result<const Format*> format_named(const std::string& name) {
  const auto format = std::ranges::find(formats(), name, &Format::name);
  if (format != formats().end()) return &*format;
  return Error(fmt::format("--format {}: expected one of {}{}", name, format_names(),
                           did_you_mean(name, known_names())));
}

/// Reads `NAME` or `NAME=FILE`.
Result<Target> target_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  Result<const Format*> format = format_named(text.substr(0, equals));
  if (!format) return format.error();
  Target target{*format, {}, false};
  if (equals != std::string::npos) {
    target.file = text.substr(equals + 1);
    if (target.file.empty()) return Error(fmt::format("--format {}: expected NAME=FILE", text));
  } else if (!target.format->default_file.empty()) {
    const char* file = std::getenv(std::string(target.format->default_file).c_str());
    if (file != nullptr) target.file = file;
    target.append = !target.file.empty();
  }
  if (target.file == "-") target.file.clear();
  return target;
}

/// What keeps two reports from being written to one place.
Result<void> refuse_collision(const Target& a, const Target& b) {
  if (a.file != b.file) return {};
  if (!a.file.empty()) {
    return Error(fmt::format("--format {} and {}: both would write {}", a.format->name,
                             b.format->name, a.file));
  }
  if (a.format->mixes && b.format->mixes && a.format != b.format) return {};
  return Error(
      fmt::format("--format {} and {}: both would go to standard output; give one a file "
                  "({}=FILE)",
                  a.format->name, b.format->name, b.format->name));
}

/// Colours are for people at a terminal who did not refuse them (no-color.org).
bool wants_colour(const Target& target) {
  const char* refusal = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return target.file.empty() && isatty(STDOUT_FILENO) != 0 &&
         (refusal == nullptr || *refusal == 0) &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

std::string format_names() { return join(known_names(), ", "); }

Result<std::vector<Target>> targets_of(const CheckOptions& options) {
  std::vector<Target> targets;
  for (const std::string& text : options.formats) {
    Result<Target> target = target_of(text);
    if (!target) return target.error();
    targets.push_back(std::move(*target));
  }
  if (targets.empty()) targets.push_back({*format_named("text"), {}, false});
  if (!options.output.empty()) {
    const bool named =
        !options.formats.empty() && options.formats.front().find('=') != std::string::npos;
    if (targets.size() > 1 || named) {
      return Error(
          "--output is for one report without a file of its own; with several, "
          "write --format NAME=FILE");
    }
    targets.front().file = options.output == "-" ? "" : options.output;
    targets.front().append = false;
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Result<void> apart = refuse_collision(targets[j], targets[i]);
      if (!apart) return apart.error();
    }
  }
  for (const Target& target : targets) {
    const Result<void> place = writable_place(target.file);
    if (!place) return place.error();
  }
  const Result<void> baseline = writable_place(options.write_baseline);
  if (!baseline) return baseline.error();
  return targets;
}

bool publish(RunReport& run, const std::vector<Target>& targets) {
  bool good = true;  // one that fails keeps no other from being written
  for (const Target& target : targets) {
    run.colour = wants_colour(target);
    const std::string text = target.format->render(run);
    good = (target.append ? append_output(target.file, text) : write_output(target.file, text)) &&
           good;
  }
  return good;
}

}  // namespace wheel_audit::cli
