// The second step of check: wheels or facts files, and the wheels that they depend on.
#include <fmt/format.h>

#include <algorithm>

#include "cli/check_steps.hpp"
#include "cli/progress.hpp"
#include "wheel_audit/facts_json.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

Result<std::vector<WheelFacts>> facts_in(const std::string& path) {
  const Result<std::string> text = read_text(path);
  if (!text) return text.error();
  std::vector<WheelFacts> wheels;
  const auto add = [&](const Json& json) -> Result<void> {
    Result<WheelFacts> facts = facts_from_json(json);
    if (!facts) return facts.error().in(path);
    wheels.push_back(std::move(*facts));
    return {};
  };
  Result<Json> whole = Json::parse(*text);
  if (whole && whole->is_object()) {
    const Result<void> added = add(*whole);
    if (!added) return added.error();
    return wheels;
  }
  std::size_t number = 0;
  for (const std::string_view line : split(*text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const Result<Json> json = Json::parse(line);
    if (!json) return json.error().in(fmt::format("{}: line {}", path, number));
    const Result<void> added = add(*json);
    if (!added) return added.error();
  }
  if (wheels.empty()) return Error(fmt::format("{}: holds no facts", path));
  return wheels;
}

namespace {

Result<std::vector<WheelFacts>> all_facts(const std::vector<std::string>& paths) {
  if (paths.empty()) return Error("no facts file given");
  std::vector<WheelFacts> wheels;
  for (const std::string& path : paths) {
    Result<std::vector<WheelFacts>> facts = facts_in(path);
    if (!facts) return facts.error();
    std::ranges::move(*facts, std::back_inserter(wheels));
  }
  return wheels;
}

/// A facts file among the wheels will be unread like any other file that is no archive; its name
/// tells what was meant.
void hint_at_facts(const std::vector<std::string>& wheels) {
  for (const std::string& path : wheels) {
    if (path.ends_with(".json") || path.ends_with(".jsonl"))
      fmt::print(stderr, "wheel-audit: {}: not named *.whl; facts of inspect want --facts\n",
                 printable(path));
  }
}

}  // namespace

Result<CheckInputs> read_inputs(const CheckOptions& options, const CheckSettings& settings) {
  CheckInputs inputs;
  std::vector<std::string> wheels;  // known to be there before the context is read
  if (options.facts) {
    Result<std::vector<WheelFacts>> facts = all_facts(options.wheels);
    if (!facts) return facts.error();
    inputs.wheels = std::move(*facts);
  } else {
    Result<std::vector<std::string>> paths = wheel_paths(options.wheels);
    if (!paths) return paths.error();
    wheels = std::move(*paths);
    hint_at_facts(wheels);
  }
  // An installed environment stands for what the configuration names.
  const std::vector<std::string> with =
      options.env.empty() ? settings.with : std::vector<std::string>();
  Result<std::vector<WheelFacts>> context =
      read_context(with, options.env, settings.reading, settings.with_label);
  if (!context) return context.error();
  inputs.context = std::move(*context);
  if (!options.facts) inputs.wheels = read_with_progress(wheels, settings.reading, &inputs.stats);
  return inputs;
}

}  // namespace wheel_audit::cli
