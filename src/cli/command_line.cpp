// The one file that includes CLI11: the options of each subcommand, and which function they run.
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>

#include "cli/commands.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// A subcommand on the command line, and what runs it.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

void add_rule_options(CLI::App& app, RuleOptions& options) {
  app.add_option("--pack", options.packs, "packs to ask, instead of base,linux,cuda")
      ->delimiter(',');
  app.add_option("--rules", options.folders, "further folders of rules")->allow_extra_args(false);
  app.add_option("--select", options.select, "only these rules (ids or globs)")->delimiter(',');
  app.add_option("--ignore", options.ignore, "not these rules (ids or globs)")->delimiter(',');
  app.add_option("--enable", options.enable, "opt-in rule, with parameters: ID[:param=value,...]")
      ->allow_extra_args(false);
}

Command add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* check =
      app.add_subcommand("check", "audit wheels; exit 0 clean, 1 findings, 3 incomplete");
  check
      ->add_option("wheels", options->wheels,
                   "wheels, directories of wheels, or - for paths on stdin")
      ->required();
  add_rule_options(*check, options->rules);
  check->add_option("--fail-on", options->fail_on,
                    "lowest severity that fails: error, warning, note");
  check->add_option("--format", options->format, "report format");
  check->add_option("-o,--output", options->output, "write the report to a file");
  check->add_option("--jobs", options->jobs, "threads; default: all cores")
      ->check(CLI::Range(1, 1024));
  check->add_option("--with", options->with, "a wheel it depends on, or a directory of them")
      ->allow_extra_args(false);
  check->add_option("--train", options->train, "the CUDA train to expect: cu130");
  check->add_option("--archs", options->archs, "the GPU architectures to expect: \"8.0;9.0+PTX\"");
  check->add_flag("--facts", options->facts, "the inputs are facts files of inspect (- is stdin)");
  check->add_flag("--no-hash", options->no_hash,
                  "do not hash members; record hashes become unread");
  check->add_flag("--notes", options->notes, "show notes in text");
  check->add_flag("--stats", options->stats, "print bytes read, time and memory to stderr");
  return {check, [options] { return cli::check(*options); }};
}

Command add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* inspect = app.add_subcommand("inspect", "print the facts of wheels as JSON");
  inspect->add_option("wheels", options->wheels, "wheels or directories of wheels")->required();
  inspect->add_flag("--jsonl", options->jsonl, "one wheel a line");
  inspect->add_flag("--symbols", options->symbols, "with every dynamic symbol");
  inspect->add_flag("--no-hash", options->no_hash, "without digests");
  inspect->add_option("-o,--output", options->output, "write to a file");
  inspect->add_option("--jobs", options->jobs, "threads; default: all cores")
      ->check(CLI::Range(1, 1024));
  return {inspect, [options] { return cli::inspect(*options); }};
}

Command add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain = app.add_subcommand("explain", "what a rule rejects, why, and how to fix it");
  explain->add_option("rule", options->rule, "a rule's id");
  explain->add_flag("--all", options->all, "every rule, opt-in ones included");
  explain->add_option("--format", options->format, "text or markdown")
      ->check(CLI::IsMember({"text", "markdown"}));
  explain->add_option("--rules", options->folders, "further folders of rules")
      ->allow_extra_args(false);
  return {explain, [options] { return cli::explain(*options); }};
}

Command add_rules(CLI::App& app) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* rules = app.add_subcommand("rules", "list the rules in force");
  add_rule_options(*rules, options->rules);
  rules->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  return {rules, [options] { return cli::rules(*options); }};
}

Command add_selftest(CLI::App& app) {
  auto options = std::make_shared<SelftestOptions>();
  CLI::App* selftest =
      app.add_subcommand("selftest", "hold every rule to its known-bad fixtures and near misses");
  selftest->add_option("folders", options->folders, "further folders of rules with fixtures/");
  return {selftest, [options] { return cli::selftest(*options); }};
}

Command add_forge(CLI::App& app) {
  auto options = std::make_shared<ForgeOptions>();
  CLI::App* forge = app.add_subcommand("forge", "build the wheel that a recipe describes");
  forge->add_option("recipe", options->recipe, "a recipe or fixture (JSON)")->required();
  forge->add_option("-o,--output", options->output, "file or directory to write to");
  return {forge, [options] { return cli::forge(*options); }};
}

Command add_gpu(CLI::App& app) {
  auto options = std::make_shared<GpuOptions>();
  CLI::App* gpu = app.add_subcommand(
      "gpu", "the table of libraries by GPU architecture, and the devices that run them");
  gpu->add_option("wheels", options->wheels, "wheels or directories of wheels")->required();
  gpu->add_flag("--json", options->json, "as JSON");
  gpu->add_option("--jobs", options->jobs, "threads; default: all cores")
      ->check(CLI::Range(1, 1024));
  return {gpu, [options] { return cli::gpu(*options); }};
}

Command add_tree(CLI::App& app) {
  auto options = std::make_shared<TreeOptions>();
  CLI::App* tree = app.add_subcommand("tree", "who needs what, and which search entry finds it");
  tree->add_option("wheel", options->wheel, "a wheel")->required();
  tree->add_option("--with", options->with, "a wheel it depends on, or a directory of them")
      ->allow_extra_args(false);
  tree->add_option("--why", options->why, "the chains that lead to a soname");
  tree->add_flag("--json", options->json, "as JSON");
  return {tree, [options] { return cli::tree(*options); }};
}

Command add_schema(CLI::App& app) {
  auto options = std::make_shared<SchemaOptions>();
  CLI::App* schema = app.add_subcommand(
      "schema", "print a JSON Schema: rule, pack, facts, report, release");
  schema->add_option("name", options->name, "which")->required();
  return {schema, [options] { return cli::schema(*options); }};
}

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
