// The options of the subcommands that ask, explain and test rules.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace wheel_audit::cli {

namespace {

void add_rule_options(CLI::App& app, RuleOptions& options) {
  // Each takes one value: the wheels that follow on the command line are no packs.
  app.add_option("--pack", options.packs, "packs to ask, instead of base,linux,cuda,env")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--rules", options.folders, "further folders of rules")->allow_extra_args(false);
  app.add_option("--select", options.select, "only these rules (ids or globs)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--ignore", options.ignore, "not these rules (ids or globs)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--enable", options.enable, "opt-in rule, with parameters: ID[:param=value,...]")
      ->allow_extra_args(false);
}

}  // namespace

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
  check->add_option("--format", options->formats, "NAME or NAME=FILE, also several times")
      ->allow_extra_args(false);
  check->add_option("-o,--output", options->output, "write the report to a file");
  check->add_option("--jobs", options->jobs, "threads; default: all cores")
      ->check(CLI::Range(1, 1024));
  check->add_option("--with", options->with, "a wheel it depends on, or a directory of them")
      ->allow_extra_args(false);
  check->add_option("--env", options->env, "an installed site-packages, instead of --with")
      ->excludes("--with");
  check->add_option("--train", options->train, "the CUDA train to expect: cu130");
  check->add_option("--archs", options->archs, "the GPU architectures to expect: \"8.0;9.0+PTX\"");
  check->add_flag("--facts", options->facts, "the inputs are facts files of inspect (- is stdin)");
  check->add_flag("--no-hash", options->no_hash,
                  "do not hash members; record hashes become unread");
  check->add_flag("--notes", options->notes, "show notes in text");
  check->add_flag("--stats", options->stats, "print bytes read, time and memory to stderr");
  check->footer(
      "Exit 0: clean, 1: findings, 2: wrong use, 3: incomplete (beats 1).\n"
      "Examples:\n"
      "  wheel-audit check dist/*.whl\n"
      "  wheel-audit check --train cu130 --format text --format sarif=a.sarif dist");
  return {check, [options] { return cli::check(*options); }};
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
  explain->footer("Example: wheel-audit explain cuda/missing-hop");
  return {explain, [options] { return cli::explain(*options); }};
}

Command add_rules(CLI::App& app) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* rules = app.add_subcommand("rules", "list the rules in force");
  add_rule_options(*rules, options->rules);
  rules->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  rules->footer("Example: wheel-audit rules --pack base,linux");
  return {rules, [options] { return cli::rules(*options); }};
}

Command add_selftest(CLI::App& app) {
  auto options = std::make_shared<SelftestOptions>();
  CLI::App* selftest =
      app.add_subcommand("selftest", "hold every rule to its known-bad fixtures and near misses");
  selftest->add_option("folders", options->folders, "further folders of rules with fixtures/");
  selftest->footer("Example: wheel-audit selftest rules/");
  return {selftest, [options] { return cli::selftest(*options); }};
}

Command add_schema(CLI::App& app) {
  auto options = std::make_shared<SchemaOptions>();
  CLI::App* schema =
      app.add_subcommand("schema", "print a JSON Schema: rule, pack, facts, report, release, diff");
  schema->add_option("name", options->name, "which")->required();
  schema->footer("Example: wheel-audit schema report");
  return {schema, [options] { return cli::schema(*options); }};
}

}  // namespace wheel_audit::cli
