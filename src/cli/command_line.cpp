// Puts the subcommands on the command line, parses it, and runs the one that it names.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <span>
#include <sstream>

#include "cli/command_shape.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// What to give where a command or an argument is missing.
std::string missing(const CLI::App& command, const CLI::Error& error) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->nonpositional() || option->count() > 0) continue;
    const std::string name = option->get_single_name();
    if (name == "wheels") return "give a wheel or a directory of wheels";
    return fmt::format("give {}: {}", name, option->get_description());
  }
  return command.get_require_subcommand_min() > 0 ? "give a command" : error.what();
}

/// Which value is missing behind an option.
std::string missing_value(const CommandShape& command, const CLI::Error& error) {
  std::string message = error.what();
  const std::string option = message.substr(0, message.find(':'));
  if (!message.ends_with(" missing")) return message;
  for (const OptionShape& shape : command.options) {
    if (shape.names.back() == option)
      return fmt::format("{}: give {} after it", option, shape.value);
  }
  return message;
}

/// CLI11's message, with the nearest known word where an unknown one was given, and the command
/// whose help tells more.
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
  const auto with_help = [chosen](const std::string& message) {
    return fmt::format("{} (see {} --help)", message, shape_of(*chosen).path);
  };
  std::vector<std::string> options;
  for (const CLI::Option* option : chosen->get_options())
    options.push_back("--" + option->get_single_name());
  for (std::size_t i = 1; i < given.size(); ++i) {
    const std::string word = given[i].substr(0, given[i].find('='));
    if (!word.starts_with("--") || word == "--") continue;
    if (std::ranges::find(options, word) != options.end()) continue;
    // What other commands call --format json.
    const bool is_json =
        word == "--format" && std::ranges::find(options, "--json") != options.end();
    return with_help(
        fmt::format("unknown option {}{}", word, did_you_mean(is_json ? "--json" : word, options)));
  }
  if (next < given.size() && !commands.empty() && !given[next].starts_with('-')) {
    return with_help(
        fmt::format("unknown command \"{}\"{}", given[next], did_you_mean(given[next], commands)));
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError))
    return with_help(missing(*chosen, error));
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ArgumentMismatch))
    return with_help(missing_value(shape_of(*chosen), error));
  return with_help(error.what());
}

Command add_completion(CLI::App& app) {
  auto options = std::make_shared<CompletionOptions>();
  CLI::App* completion = app.add_subcommand("completion", "print the completion script of a shell");
  completion->add_option("shell", options->shell, "bash, fish or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "zsh"}));
  completion->footer(
      "Examples:\n"
      "  eval \"$(wheel-audit completion bash)\"    # in ~/.bashrc\n"
      "  eval \"$(wheel-audit completion zsh)\"     # in ~/.zshrc, after compinit\n"
      "  wheel-audit completion fish > ~/.config/fish/completions/wheel-audit.fish");
  return {completion, [&app, options] { return cli::completion(*options, shape_of(app)); }};
}

/// Hidden: it is for those who build packages.
Command add_manual(CLI::App& app) {
  CLI::App* manual = app.add_subcommand("man", "print the manual page")->group("");
  return {manual, [&app] { return cli::manual(shape_of(app)); }};
}

constexpr const char* kExamples =
    "Example: wheel-audit check dist/*.whl\n"
    "wheel-audit COMMAND --help tells more of each.";

}  // namespace

int run(int argc, char** argv) {
  CLI::App app("holds Python wheels with native and GPU code to their claims");
  app.name("wheel-audit");
  app.formatter_fn([](const CLI::App* shown, const std::string&, CLI::AppFormatMode mode) {
    return help_text(shape_of(*shown), mode == CLI::AppFormatMode::All);
  });
  app.set_help_flag("-h,--help", "show this help");
  app.set_help_all_flag("--help-all", "show every option");
  app.set_version_flag("-V,--version", std::string("wheel-audit ") + WHEEL_AUDIT_VERSION,
                       "show the version");
  app.require_subcommand(1);
  const std::vector<Command> commands = {
      add_check(app),    add_inspect(app), add_explain(app),    add_rules(app), add_config(app),
      add_selftest(app), add_forge(app),   add_gpu(app),        add_tree(app),  add_matrix(app),
      add_diff(app),     add_schema(app),  add_completion(app), add_manual(app)};
  app.footer(kExamples);  // after those below, which would take it over
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // --help and --version
    std::ostringstream text;
    app.exit(asked, text, text);
    return write_output("", text.str()) ? kOk : kIncomplete;
  } catch (const CLI::Error& error) {
    return wrong_use(refusal(error, app, argc, argv));
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  return kWrongUse;
}

}  // namespace wheel_audit::cli
