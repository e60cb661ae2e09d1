// Completion for zsh: a function for each command, with _arguments.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command_shape.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// A text as part of a specification of _arguments or _describe.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == ':' || c == '[' || c == ']') out += '\\';
    out += c;
  }
  return out;
}

std::string action(const OptionShape& option) {
  const std::vector<std::string> words = words_for(option);
  if (!words.empty()) {
    const bool is_list = option.value == "RULE" || option.value == "PACK" || option.value == "GATE";
    const std::string list = "(" + join(words, " ") + ")";
    return is_list && !option.names.empty() ? "_sequence compadd - " + join(words, " ") : list;
  }
  if (option.value == "DIR") return "_files -/";
  if (option.value == "WHEEL") return "_files -g \"*.whl\"";
  if (option.value == "OLD" || option.value == "NEW") return "_files -g \"*.(whl|json)\"";
  if (option.value == "FILE" || option.value == "POLICY" || option.value == "RECIPE")
    return "_files";
  return " ";  // a value that nothing is known of
}

std::string function_name(const CommandShape& command) {
  std::string name = "_" + command.path;
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string specification(const OptionShape& option, std::string_view name) {
  std::string text = (option.repeats ? "*" : "") + std::string(name);
  text += "[" + escaped(option.about) + "]";
  if (!option.value.empty()) text += ":" + escaped(option.value) + ":" + action(option);
  return shell_quoted(text);
}

void append_functions(const CommandShape& command, std::string& text) {
  for (const CommandShape& below : command.commands) append_functions(below, text);
  text += fmt::format("\n{}() {{\n", function_name(command));
  if (!command.commands.empty())
    text += "  local context state state_descr line\n  typeset -A opt_args\n";
  text += command.commands.empty() ? "  _arguments -s" : "  _arguments -s -C";
  for (const OptionShape& option : command.options) {
    for (const std::string& name : option.names)
      text += fmt::format(" \\\n    {}", specification(option, name));
  }
  for (const OptionShape& argument : command.arguments) {
    text += fmt::format(" \\\n    {}",
                        shell_quoted(fmt::format("{}:{}:{}", argument.repeats ? "*" : "",
                                                 escaped(argument.value), action(argument))));
  }
  if (command.commands.empty()) {
    text += "\n}\n";
    return;
  }
  text += " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n";
  text += "  case $state in\n    command)\n      local -a commands=(\n";
  for (const CommandShape& below : command.commands)
    text +=
        fmt::format("        {}\n", shell_quoted(escaped(below.name) + ":" + escaped(below.about)));
  text += "      )\n      _describe command commands ;;\n    argument)\n      case $words[1] in\n";
  for (const CommandShape& below : command.commands)
    text += fmt::format("        {}) {} ;;\n", below.name, function_name(below));
  text += "      esac ;;\n  esac\n}\n";
}

}  // namespace

std::string zsh_completion(const CommandShape& root) {
  std::string text = "#compdef wheel-audit\n# made by: wheel-audit completion zsh\n";
  append_functions(root, text);
  // Read from $fpath it completes at once; sourced from .zshrc it is registered.
  return text +
         "\nif [[ $funcstack[1] == _wheel-audit ]]; then\n  _wheel-audit \"$@\"\nelse\n"
         "  compdef _wheel-audit wheel-audit\nfi\n";
}

}  // namespace wheel_audit::cli
