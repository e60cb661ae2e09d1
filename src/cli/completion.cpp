// completion SHELL, man: what shells and readers know of the command line, made of the command
// line.
#include <fmt/format.h>

#include <map>

#include "cli/command_shape.hpp"
#include "cli/commands.hpp"
#include "wheel_audit/diff.hpp"
#include "wheel_audit/embedded.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

std::vector<std::string> rule_ids() {
  const Result<RuleSet> rules = load_all_rules();
  std::vector<std::string> ids;
  if (!rules) return ids;
  for (const Rule& rule : rules->rules) ids.push_back(rule.id);
  return ids;
}

std::vector<std::string> schema_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_schemas()) {
    std::string_view name = base_name(file.path);
    name.remove_suffix(std::string_view(".json").size());
    names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> report_formats() {
  std::vector<std::string> names;
  const std::string formats = format_names();
  for (const std::string_view name : split(formats, ',')) names.emplace_back(trim(name));
  return names;
}

}  // namespace

std::vector<std::string> words_for(const OptionShape& option) {
  if (!option.words.empty()) return option.words;
  using Source = std::vector<std::string> (*)();
  static const std::map<std::string, Source, std::less<>> kSources = {
      {"FORMAT", report_formats},
      {"LEVEL",
       [] {
         return std::vector<std::string>{"error", "warning", "note"};
       }},
      {"PACK", built_in_packs},
      {"RULE", rule_ids},
      {"SCHEMA", schema_names},
  };
  const auto source = kSources.find(option.value);
  return source == kSources.end() ? std::vector<std::string>() : source->second();
}

int completion(const CompletionOptions& options, const CommandShape& root) {
  const auto render = options.shell == "bash"   ? bash_completion
                      : options.shell == "fish" ? fish_completion
                                                : zsh_completion;
  return write_output("", render(root)) ? kOk : kIncomplete;
}

int manual(const CommandShape& root) {
  return write_output("", manual_page(root)) ? kOk : kIncomplete;
}

}  // namespace wheel_audit::cli
