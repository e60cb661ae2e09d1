// The command line as plain data: what --help, shell completion and the manual page are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own
class App;
}

namespace wheel_audit::cli {

/// An option, or an argument that is known by its place.
struct OptionShape {
  std::vector<std::string> names;  ///< `-o`, `--output`; of an argument none
  std::string value;               ///< what stands for its value: `FILE`; empty for a flag
  std::vector<std::string> words;  ///< the values it takes, where they are few and settled
  std::string about;
  bool required = false;
  bool repeats = false;  ///< an argument of several words, an option that may stand several times
  bool listed = false;   ///< several values may stand in one word, with commas
  bool further = false;  ///< `--help` leaves it out, `--help-all` has it
};

struct CommandShape {
  std::string path;  ///< `wheel-audit matrix filter`
  std::string name;  ///< `filter`
  std::string about;
  std::string footer;  ///< exit codes, examples
  std::vector<OptionShape> arguments;
  std::vector<OptionShape> options;
  std::vector<CommandShape> commands;
};

/// A command and all below it, as CLI11 holds them; hidden ones are left out.
CommandShape shape_of(const CLI::App& app);

/// What stands for the value: `FILE`, `PACK,...` of a list with commas, and `WHEEL...` only where
/// several words may follow.
std::string value_label(const OptionShape& option);

/// What it is about, and whether it may be given several times where its label does not tell.
std::string about_of(const OptionShape& option);

/// `wheel-audit check [OPTIONS] WHEEL...`
std::string usage_line(const CommandShape& command);

/// What `--help` prints, at most 24 lines of 80 columns; or all options, for `--help-all`.
std::string help_text(const CommandShape& command, bool all);

/// The manual page, section 1, as man(7) macros.
std::string manual_page(const CommandShape& root);

/// The words that a kind of value stands for (`RULE`, `PACK`, `FORMAT`, `SCHEMA`…); none where any
/// text will do.
std::vector<std::string> words_for(const OptionShape& option);

std::string bash_completion(const CommandShape& root);
std::string fish_completion(const CommandShape& root);
std::string zsh_completion(const CommandShape& root);

}  // namespace wheel_audit::cli
