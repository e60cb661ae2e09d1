// Completion for fish: one line for each command and option.
#include <fmt/format.h>

#include "cli/command_shape.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// A text in single quotes of fish, where a backslash and a quote are escaped.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string values_of(const OptionShape& option) {
  const std::vector<std::string> words = words_for(option);
  if (!words.empty()) return " -x -a " + fish_quoted(join(words, " "));
  if (option.value == "DIR") return " -x -a '(__fish_complete_directories)'";
  if (option.value == "WHEEL" || option.value == "OLD" || option.value == "NEW")
    return " -x -a '(__fish_complete_suffix .whl)'";
  if (option.value == "FILE" || option.value == "POLICY" || option.value == "RECIPE")
    return " -r -F";
  return " -x";
}

std::string names_of(const std::vector<CommandShape>& commands) {
  std::vector<std::string> names;
  for (const CommandShape& command : commands) names.push_back(command.name);
  return join(names, " ");
}

/// `seen` is fish's condition for this command.
void append_lines(const CommandShape& command, const std::string& seen, std::string& text) {
  const std::string begin = "complete -c wheel-audit -n ";
  const std::string none_below = command.commands.empty() ? seen
                                                          : seen + (seen.empty() ? "" : "; and ") +
                                                                "not __fish_seen_subcommand_from " +
                                                                names_of(command.commands);
  for (const OptionShape& option : command.options) {
    text += begin + fish_quoted(none_below);
    for (const std::string& name : option.names)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    text +=
        (option.value.empty() ? "" : values_of(option)) + " -d " + fish_quoted(option.about) + "\n";
  }
  if (!command.arguments.empty())
    text += begin + fish_quoted(none_below) + values_of(command.arguments.front()) + "\n";
  for (const CommandShape& below : command.commands) {
    text += fmt::format("{}{} -x -a {} -d {}\n", begin, fish_quoted(none_below), below.name,
                        fish_quoted(below.about));
    append_lines(
        below, seen + (seen.empty() ? "" : "; and ") + "__fish_seen_subcommand_from " + below.name,
        text);
  }
}

}  // namespace

std::string fish_completion(const CommandShape& root) {
  std::string text =
      "# fish completion for wheel-audit, made by: wheel-audit completion fish\n"
      "complete -c wheel-audit -f\n";
  append_lines(root, "", text);
  return text;
}

}  // namespace wheel_audit::cli
