// From CLI11's tree to plain data. Names of values are kept here, one for each option name, since
// an option means the same in nearly every command.
#include "cli/command_shape.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cli/options.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// What stands for the value of an option or argument; `?` shows one that was forgotten here.
std::string value_name(const std::string& command, const std::string& name) {
  static const std::map<std::string, std::string, std::less<>> kNames = {
      {"diff --fail-on", "WHAT"},
      {"--archs", "ARCHS"},
      {"--baseline", "FILE"},
      {"--config", "FILE"},
      {"--enable", "RULE"},
      {"--env", "DIR"},
      {"--fail-on", "LEVEL"},
      {"--format", "FORMAT"},
      {"--ignore", "RULE"},
      {"--jobs", "N"},
      {"--limit", "NAME=N"},
      {"--machine", "MACHINE"},
      {"--output", "FILE"},
      {"--pack", "PACK"},
      {"--policy", "POLICY"},
      {"--provides", "SONAME=NAME"},
      {"--require", "RULE"},
      {"--rules", "DIR"},
      {"--select", "RULE"},
      {"--severity", "RULE=LEVEL"},
      {"--style", "STYLE"},
      {"--today", "DATE"},
      {"--train", "TRAIN"},
      {"--why", "SONAME"},
      {"--with", "WHEEL"},
      {"--write-baseline", "FILE"},
      {"file", "FILE"},
      {"files", "FILE"},
      {"folders", "DIR"},
      {"list", "ARCHS"},
      {"machine", "MACHINE"},
      {"name", "SCHEMA"},
      {"new", "NEW"},
      {"old", "OLD"},
      {"recipe", "RECIPE"},
      {"rule", "RULE"},
      {"shell", "SHELL"},
      {"text", "TEXT"},
      {"wheel", "WHEEL"},
      {"wheels", "WHEEL"},
  };
  auto found = kNames.find(command + " " + name);
  if (found == kNames.end()) found = kNames.find(name);
  return found == kNames.end() ? "?" : found->second;
}

/// The values of a validator that names them: `{text,markdown}` in CLI11's type name.
std::vector<std::string> settled_words(const std::string& type) {
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  std::vector<std::string> words;
  for (const std::string_view word :
       split(std::string_view(type).substr(open + 1, close - open - 1), ','))
    words.emplace_back(word);
  return words;
}

OptionShape shape_of_option(const CLI::Option& option, const std::string& command) {
  OptionShape shape;
  for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
  shape.about = option.get_description();
  shape.required = option.get_required();
  shape.further = option.get_group() == kFurther;
  if (option.get_expected_max() > 0 && option.get_type_size_max() > 0) {
    const std::string& name = shape.names.empty() ? option.get_single_name() : shape.names.back();
    shape.value = value_name(command, name);
    shape.words = settled_words(option.get_type_name());
    shape.repeats = option.get_items_expected_max() > 1;
    shape.listed = option.get_delimiter() != '\0';
  }
  return shape;
}

CommandShape shape_below(const CLI::App& app, const std::string& above) {
  CommandShape shape;
  shape.name = app.get_name();
  shape.path = above.empty() ? shape.name : above + " " + shape.name;
  shape.about = app.get_description();
  shape.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    (option->nonpositional() ? shape.options : shape.arguments)
        .push_back(shape_of_option(*option, shape.name));
  }
  // What helps is first in CLI11's list, and last in what people look for.
  std::stable_partition(shape.options.begin(), shape.options.end(), [](const OptionShape& option) {
    return !option.names.back().starts_with("--help");
  });
  if (std::ranges::none_of(shape.options, &OptionShape::further)) {
    std::erase_if(shape.options,
                  [](const OptionShape& option) { return option.names.back() == "--help-all"; });
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) shape.commands.push_back(shape_below(*command, shape.path));
  }
  return shape;
}

}  // namespace

CommandShape shape_of(const CLI::App& app) {
  std::string above;
  for (const CLI::App* up = app.get_parent(); up != nullptr; up = up->get_parent())
    above = up->get_name() + (above.empty() ? "" : " " + above);
  return shape_below(app, above);
}

}  // namespace wheel_audit::cli
