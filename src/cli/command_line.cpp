// Puts the subcommands on the command line, parses it, and runs the one that it names.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <span>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// CLI11's message, with the nearest known word where an unknown one was given.
std::string refusal(const CLI::Error& error, const CLI::App& app, int argc, char** argv) {
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const std::vector<std::string> given(arguments.begin(), arguments.end());
  // Down the commands that were named, to the one whose words and options are meant.
  const CLI::App* chosen = &app;
  std::size_t next = 1;
  std::vector<std::string> commands;
  for (bool deeper = true; deeper;) {
    commands.clear();
    deeper = false;
    for (const CLI::App* command : chosen->get_subcommands([](const CLI::App*) { return true; })) {
      commands.push_back(command->get_name());
      if (next >= given.size() || given[next] != command->get_name()) continue;
      chosen = command;
      ++next;
      deeper = true;
      break;
    }
  }
  std::vector<std::string> options;
  for (const CLI::Option* option : chosen->get_options())
    options.push_back("--" + option->get_single_name());
  for (std::size_t i = 1; i < given.size(); ++i) {
    const std::string word = given[i].substr(0, given[i].find('='));
    if (word.starts_with("--") && std::ranges::find(options, word) == options.end())
      return fmt::format("unknown option {}{}", word, did_you_mean(word, options));
  }
  if (next < given.size() && !commands.empty() && !given[next].starts_with('-')) {
    return fmt::format("unknown command \"{}\"{}", given[next],
                       did_you_mean(given[next], commands));
  }
  return error.what();
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App app("wheel-audit: holds Python wheels with native and GPU code to their claims");
  app.name("wheel-audit");
  app.set_version_flag("--version", std::string("wheel-audit ") + WHEEL_AUDIT_VERSION);
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      add_check(app), add_inspect(app), add_explain(app), add_rules(app),  add_selftest(app),
      add_forge(app), add_gpu(app),     add_tree(app),    add_matrix(app), add_diff(app),  add_schema(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help and --version
    return app.exit(asked);
  } catch (const CLI::Error& error) {
    return wrong_use(refusal(error, app, argc, argv) + " (see wheel-audit --help)");
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kWrongUse;
}

}  // namespace wheel_audit::cli
