// Completion for bash: one function that finds the command meant, then what may stand next.
#include <fmt/format.h>

#include "cli/command_shape.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// What completes a value: words, or a kind of path.
std::string completer(const OptionShape& option) {
  const std::vector<std::string> words = words_for(option);
  if (!words.empty()) return fmt::format("_wheel_audit_words {}", shell_quoted(join(words, " ")));
  if (option.value == "WHEEL") return "_wheel_audit_paths '!*.whl'";
  if (option.value == "OLD" || option.value == "NEW") return "_wheel_audit_paths '!*.@(whl|json)'";
  if (option.value == "DIR") return "_wheel_audit_paths '*'";
  if (option.value == "FILE" || option.value == "POLICY" || option.value == "RECIPE")
    return "_wheel_audit_paths ''";
  return "return";
}

/// The commands below, and the options, as cases of the two `case` statements.
void append_cases(const CommandShape& command, std::string& deeper, std::string& values,
                  std::string& words) {
  std::vector<std::string> names;
  std::vector<std::string> options;
  for (const CommandShape& below : command.commands) {
    names.push_back(below.name);
    deeper += fmt::format("      {})\n        command+=\" $word\" ;;\n",
                          shell_quoted(command.path + " " + below.name));
    append_cases(below, deeper, values, words);
  }
  for (const OptionShape& option : command.options) {
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) {
      options.push_back(name);
      patterns.push_back(shell_quoted(command.path + " " + name));
    }
    if (option.value.empty()) continue;
    values += fmt::format("    {})\n      {}\n      return ;;\n", join(patterns, " | "),
                          completer(option));
  }
  const std::string next =
      !names.empty() ? fmt::format("_wheel_audit_words {}", shell_quoted(join(names, " ")))
      : command.arguments.empty() ? "return"
                                  : completer(command.arguments.front());
  words += fmt::format(
      "    {})\n      if [[ $cur == -* ]]; then _wheel_audit_words {}\n      else {}; fi ;;\n",
      shell_quoted(command.path), shell_quoted(join(options, " ")), next);
}

constexpr std::string_view kHelpers =
    R"(# bash completion for wheel-audit, made by: wheel-audit completion bash

# Words, also after the commas of a list.
_wheel_audit_words() {
  local before=
  [[ $cur == *,* ]] && before=${cur%,*},
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
}

# Folders, and files that the pattern does not take out.
_wheel_audit_paths() {
  local extglob
  extglob=$(shopt -p extglob)
  shopt -s extglob
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <({ compgen -d -- "$cur"; compgen -f -X "$1" -- "$cur"; } | sort -u)
  $extglob
}
)";

}  // namespace

std::string bash_completion(const CommandShape& root) {
  std::string deeper;
  std::string values;
  std::string words;
  append_cases(root, deeper, values, words);
  return std::string(kHelpers) + R"(
_wheel_audit() {
  local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=wheel-audit word
  COMPREPLY=()
  # bash splits `--format=json` at the sign.
  if [[ $cur == '=' ]]; then
    cur=
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
    # A file after NAME=, as in `--format sarif=FILE`.
    if [[ $previous != -* ]]; then
      _wheel_audit_paths ''
      return
    fi
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case "$command $word" in
)" + deeper +
         R"(    esac
  done
  case "$command $previous" in
)" + values +
         R"(  esac
  case $command in
)" + words +
         R"(  esac
}

complete -F _wheel_audit wheel-audit
)";
}

}  // namespace wheel_audit::cli
