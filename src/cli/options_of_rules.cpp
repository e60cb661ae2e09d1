// The options of the subcommands that ask, explain and test rules.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace wheel_audit::cli {

namespace {

/// Refuses an empty value, which an unset variable of a shell script leaves; `expected` says what
/// the option takes.
CLI::Validator not_empty(const std::string& expected) {
  return CLI::Validator(
      [expected](std::string& value) {
        return value.empty() ? "the value is empty, expected " + expected : std::string();
      },
      "");
}

void add_config_options(CLI::App& app, RuleOptions& options) {
  CLI::Option* file =
      app.add_option("--config", options.config, "configuration, instead of the one that is found");
  app.add_flag("--no-config", options.no_config, "without a configuration file")
      ->excludes(file)
      ->group(kFurther);
}

void add_rule_options(CLI::App& app, RuleOptions& options) {
  // Each takes one value: the wheels that follow on the command line are no packs.
  app.add_option("--pack", options.packs, "packs to ask, instead of base,linux,cuda,env,set")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--rules", options.folders, "further folders of rules")->allow_extra_args(false);
  app.add_option("--select", options.select, "only these rules (ids or globs)")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--ignore", options.ignore, "not these rules (ids or globs)")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_config_options(app, options);
  app.add_option("--enable", options.enable, "opt-in rule, with parameters: ID[:param=value,...]")
      ->allow_extra_args(false)
      ->group(kFurther);
}

/// Options that a configuration file can hold too.
void add_setting_options(CLI::App& app, SettingOptions& options) {
  add_rule_options(app, options.rules);
  app.add_option("--require", options.require,
                 "rules (ids or globs) that must find what to look at")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kFurther);
  app.add_option("--severity", options.severity, "ID=WORD: make a rule an error, warning or note")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kFurther);
  app.add_option("--fail-on", options.fail_on, "lowest severity that fails: error, warning, note");
  app.add_option("--baseline", options.baseline, "known findings: only new ones fail");
  app.add_option("--train", options.train, "the CUDA train to expect: cu130")
      ->check(not_empty("a train such as cu130 or cpu"));
  app.add_option("--archs", options.archs, "the GPU architectures to expect: \"8.0;9.0+PTX\"")
      ->check(not_empty("architectures such as 8.0;9.0+PTX"));
  app.add_option("--provides", options.provides, "a package that ships a library")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(kFurther);
  app.add_option("--with", options.with, "a wheel it depends on, or a directory of them")
      ->allow_extra_args(false);
  app.add_option("--jobs", options.jobs, "threads; default: all cores")
      ->check(CLI::Range(1, 1024))
      ->group(kFurther);
  app.add_option("--limit", options.limits, "a limit of what is read of a wheel, by name")
      ->allow_extra_args(false)
      ->group(kFurther);
  app.add_flag("--notes", options.notes, "show notes in text");
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
  add_setting_options(*check, options->settings);
  check->add_option("--env", options->env, "an installed site-packages, instead of --with")
      ->excludes("--with")
      ->group(kFurther);
  check->add_option("--format", options->formats, "NAME or NAME=FILE: " + format_names())
      ->allow_extra_args(false);
  check->add_option("-o,--output", options->output, "write the report to a file");
  check
      ->add_option("--write-baseline", options->write_baseline,
                   "write what is found as known, and let it pass")
      ->group(kFurther);
  check->add_option("--today", options->today, "the date that waivers are held to: 2027-01-31")
      ->group(kFurther);
  check->add_flag("--facts", options->facts, "the inputs are facts files of inspect (- is stdin)")
      ->group(kFurther);
  check->add_flag("--no-hash", options->no_hash, "do not hash members; record hashes become unread")
      ->group(kFurther);
  check
      ->add_flag("--cross-check", options->cross_check,
                 "let a second parser (LIEF) read ELF files; differences are findings")
      ->group(kFurther);
  check
      ->add_flag("--no-sandbox", options->no_sandbox, "do not confine the threads that read wheels")
      ->group(kFurther);
  check->add_flag("--stats", options->stats, "print bytes read, time and memory to stderr")
      ->group(kFurther);
  check->footer("Example: wheel-audit check --train cu130 --format sarif=a.sarif dist");
  return {check, [options] { return cli::check(*options); }};
}

Command add_config(CLI::App& app) {
  auto options = std::make_shared<ConfigOptions>();
  CLI::App* config = app.add_subcommand(
      "config", "print the settings in force, and where each of them comes from");
  add_setting_options(*config, options->settings);
  config->add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  config->footer("Example: wheel-audit config --train cu130");
  return {config, [options] { return cli::config(*options); }};
}

Command add_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain = app.add_subcommand("explain", "what a rule rejects, why, and how to fix it");
  explain->add_option("rule", options->rule, "a rule's id");
  explain->add_flag("--all", options->all, "every rule, opt-in ones included");
  explain->add_option("--format", options->format, "text or markdown")
      ->check(CLI::IsMember({"text", "markdown"}));
  explain->add_option("--rules", options->rules.folders, "further folders of rules")
      ->allow_extra_args(false);
  add_config_options(*explain, options->rules);
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
  CLI::App* schema = app.add_subcommand(
      "schema", "print the JSON Schema of rules, reports, facts and other files");
  schema
      ->add_option("name", options->name,
                   "rule, pack, config, facts, report, diff, gpu, tree or release")
      ->required();
  schema->footer("Example: wheel-audit schema report");
  return {schema, [options] { return cli::schema(*options); }};
}

}  // namespace wheel_audit::cli
