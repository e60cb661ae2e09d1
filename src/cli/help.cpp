// What --help and --help-all print, wrapped at 80 columns.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command_shape.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kWidestLabel = 24;

/// A text in lines of at most `width`, broken at spaces; the lines after the first are indented.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  for (const std::string_view word : split(text, ' ')) {
    if (column > 0 && column + 1 + word.size() > width) {
      out += "\n" + std::string(indent, ' ');
      column = 0;
    } else if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string label_of(const OptionShape& option) {
  std::string label = join(option.names, ", ");
  if (!option.names.empty() && !option.value.empty()) label += ' ';
  return label + value_label(option);
}

using Rows = std::vector<std::pair<std::string, std::string>>;

std::string rows_text(const Rows& rows) {
  std::size_t widest = 0;
  for (const auto& [label, about] : rows) {
    if (label.size() <= kWidestLabel) widest = std::max(widest, label.size());
  }
  const std::size_t indent = 2 + widest + 2;
  std::string text;
  for (const auto& [label, about] : rows) {
    text += "  " + label;
    text += label.size() > widest ? "\n" + std::string(indent, ' ')
                                  : std::string(widest - label.size() + 2, ' ');
    text += wrapped(about, indent, kColumns - indent) + "\n";
  }
  return text;
}

}  // namespace

std::string value_label(const OptionShape& option) {
  if (option.names.empty()) return option.repeats ? option.value + "..." : option.value;
  return option.listed ? option.value + ",..." : option.value;
}

std::string about_of(const OptionShape& option) {
  const bool tells = option.names.empty() || option.listed || !option.repeats;
  return tells ? option.about : option.about + " (repeatable)";
}

std::string usage_line(const CommandShape& command) {
  std::string line = command.path + " [OPTIONS]";
  if (!command.commands.empty()) line += " COMMAND";
  for (const OptionShape& argument : command.arguments) {
    const std::string label = label_of(argument);
    line += argument.required ? " " + label : " [" + label + "]";
  }
  return line;
}

std::string help_text(const CommandShape& command, bool all) {
  std::string text = wrapped(command.path + ": " + command.about, 0, kColumns) +
                     "\nUsage: " + usage_line(command) + "\n";
  Rows arguments;
  for (const OptionShape& option : command.arguments)
    arguments.emplace_back(label_of(option), about_of(option));
  Rows options;
  for (const OptionShape& option : command.options)
    if (all || !option.further) options.emplace_back(label_of(option), about_of(option));
  Rows commands;
  for (const CommandShape& below : command.commands) commands.emplace_back(below.name, below.about);
  if (!commands.empty()) text += "\nCommands:\n" + rows_text(commands);
  if (!arguments.empty()) text += "\n" + rows_text(arguments);
  if (!options.empty()) text += "\nOptions:\n" + rows_text(options);
  if (!command.footer.empty()) text += "\n" + command.footer + "\n";
  return text;
}

}  // namespace wheel_audit::cli
