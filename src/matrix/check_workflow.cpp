// matrix check-workflow: what a workflow file must say for the matrix to be generated as meant, and
// for a change of the policy's files to start it at all.
#include <fmt/format.h>

#include <algorithm>

#include "matrix/path_filter.hpp"
#include "matrix/yaml.hpp"
#include "wheel_audit/matrix.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::matrix {

namespace {

/// A check of one file.
struct Reading {
  const Policy& policy;
  std::string_view name;
  Outcome& outcome;
  std::size_t inputs = 0;   ///< build-type inputs seen
  std::size_t filters = 0;  ///< path filters seen

  void refuse(int line, std::string_view why) {
    outcome.refuse(fmt::format("{}:{}: {}", name, line, why));
  }
};

void check_input(Reading& reading, const std::string& key, const Yaml& value) {
  ++reading.inputs;
  const std::vector<std::string>& words = reading.policy.workflow.words;
  if (value.is_scalar() && std::ranges::find(words, value.text) != words.end()) return;
  const std::string expected = join(words, " or ");
  if (!value.is_scalar()) {
    reading.refuse(value.line, fmt::format("{} is no word, expected {}", key, expected));
  } else if (value.text.find("${{") != std::string::npos) {
    reading.refuse(value.line,
                   fmt::format("{} is the expression \"{}\", whose value only a run knows, "
                               "expected {} spelled out",
                               key, printable(value.text), expected));
  } else {
    reading.refuse(
        value.line,
        fmt::format("{} is \"{}\", expected {}{}; the matrix generator reads any other "
                    "word as off",
                    key, printable(value.text), expected, did_you_mean(value.text, words)));
  }
}

/// The inputs of every `with`, wherever it stands.
void check_inputs(Reading& reading, const Yaml& node) {
  for (const Yaml& item : node.items) check_inputs(reading, item);
  const std::vector<std::string>& inputs = reading.policy.workflow.inputs;
  for (const auto& [key, value] : node.entries) {
    if (key == "with") {
      for (const auto& [input, word] : value.entries) {
        if (std::ranges::find(inputs, input) != inputs.end()) check_input(reading, input, word);
      }
    }
    check_inputs(reading, value);
  }
}

/// The patterns of `paths`; refuses what is no list of texts.
std::vector<std::string> patterns_of(Reading& reading, const std::string& place,
                                     const Yaml& filter) {
  std::vector<std::string> patterns;
  if (filter.is_scalar()) patterns.push_back(filter.text);
  for (const Yaml& item : filter.items) {
    if (item.is_scalar()) patterns.push_back(item.text);
  }
  if (patterns.empty() || (filter.is_list() && patterns.size() != filter.items.size()))
    reading.refuse(filter.line, fmt::format("{} is no list of patterns", place));
  return patterns;
}

void check_event(Reading& reading, const std::string& event, const Yaml& settings) {
  const std::vector<std::string>& files = reading.policy.workflow.paths;
  if (const Yaml* filter = settings.find("paths")) {
    ++reading.filters;
    const std::string place = fmt::format("on.{}.paths", printable(event));
    const std::vector<std::string> patterns = patterns_of(reading, place, *filter);
    for (const std::string& file : files) {
      if (patterns.empty() || passes(patterns, file)) continue;
      reading.refuse(filter->line, fmt::format("{} does not list {}, so a change of it would not "
                                               "start this workflow",
                                               place, file));
    }
  }
  if (const Yaml* filter = settings.find("paths-ignore")) {
    ++reading.filters;
    const std::string place = fmt::format("on.{}.paths-ignore", printable(event));
    const std::vector<std::string> patterns = patterns_of(reading, place, *filter);
    for (const std::string& file : files) {
      if (!passes(patterns, file)) continue;
      reading.refuse(filter->line, fmt::format("{} lists {}, so a change of it would not start "
                                               "this workflow",
                                               place, file));
    }
  }
}

}  // namespace

Outcome check_workflow(const Policy& policy, std::string_view yaml, std::string_view name) {
  Outcome outcome;
  const Result<Yaml> file = parse_yaml(yaml);
  if (!file) {
    outcome.refuse(file.error().in(name).message());
    return outcome;
  }
  Reading reading{.policy = policy, .name = name, .outcome = outcome};
  const Yaml* events = file->find("on");
  if (!file->is_mapping() || events == nullptr || file->find("jobs") == nullptr) {
    reading.refuse(file->line, "is no workflow, expected the keys \"on\" and \"jobs\"");
    return outcome;
  }
  check_inputs(reading, *file);
  for (const auto& [event, settings] : events->entries) check_event(reading, event, settings);
  if (reading.inputs == 0 && !policy.workflow.inputs.empty()) {
    outcome.refuse(fmt::format("{}: has none of the inputs {}, so there was nothing to check", name,
                               join(policy.workflow.inputs, ", ")));
  }
  if (!outcome.refusals.empty()) return outcome;
  outcome.output = fmt::format("{}: {} build-type inputs and {} path filters as the policy wants\n",
                               printable(name), reading.inputs, reading.filters);
  return outcome;
}

}  // namespace wheel_audit::matrix
