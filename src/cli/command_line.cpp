// Puts the subcommands on the command line, parses it, and runs the one that it names.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <span>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// CLI11's message, with the nearest known word where an unknown one was given.
std::string refusal(const CLI::Error& error, const CLI::App& app,
                    const std::vector<Command>& commands, int argc, char** argv) {
  std::vector<std::string> words;
  const CLI::App* chosen = &app;
  for (const Command& command : commands) {
    words.push_back(command.app->get_name());
    if (command.app->parsed()) chosen = command.app;
  }
  for (const CLI::Option* option : chosen->get_options())
    words.push_back("--" + option->get_single_name());
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const std::vector<std::string> given(arguments.begin(), arguments.end());
  for (std::size_t i = 1; i < given.size(); ++i) {
    const std::string word = given[i].substr(0, given[i].find('='));
    if (word.starts_with("--") && std::find(words.begin(), words.end(), word) == words.end()) {
      return fmt::format("unknown option {}{}", word, did_you_mean(word, words));
    }
  }
  if (given.size() > 1 && chosen == &app && !given[1].starts_with('-')) {
    return fmt::format("unknown command \"{}\"{}", given[1], did_you_mean(given[1], words));
  }
  return error.what();
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app("wheel-audit: holds Python wheels with native and GPU code to their claims");
  app.name("wheel-audit");
  app.set_version_flag("--version", std::string("wheel-audit ") + WHEEL_AUDIT_VERSION);
  app.require_subcommand(1);
  const std::vector<Command> commands = {add_check(app), add_inspect(app),  add_explain(app),
                                         add_rules(app), add_selftest(app), add_forge(app),
                                         add_gpu(app),   add_tree(app),     add_schema(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help and --version
    return app.exit(asked);
  } catch (const CLI::Error& error) {
    return wrong_use(refusal(error, app, commands, argc, argv) + " (see wheel-audit --help)");
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kWrongUse;
}

}  // namespace wheel_audit::cli
