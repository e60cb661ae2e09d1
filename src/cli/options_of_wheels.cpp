// The options of the subcommands that show what is in wheels, and of the one that makes them.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace wheel_audit::cli {

namespace {

void add_reading_options(CLI::App& app, ReadingOptions& options) {
  app.add_option("--limit", options.limits, "a limit of what is read of a wheel, by name")
      ->allow_extra_args(false);
  app.add_flag("--no-sandbox", options.no_sandbox, "do not confine the threads that read wheels");
}

}  // namespace

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
  add_reading_options(*inspect, options->reading);
  inspect->footer(
      "Examples:\n"
      "  wheel-audit inspect --jsonl dist > facts.jsonl\n"
      "  wheel-audit inspect x.whl | wheel-audit check --facts -");
  return {inspect, [options] { return cli::inspect(*options); }};
}

Command add_forge(CLI::App& app) {
  auto options = std::make_shared<ForgeOptions>();
  CLI::App* forge = app.add_subcommand("forge", "build the wheel that a recipe describes");
  forge->add_option("recipe", options->recipe, "a recipe or fixture (JSON)")->required();
  forge->add_option("-o,--output", options->output,
                    "file to write to, or a directory (end it in /)");
  forge->footer("Example: wheel-audit forge fixtures/_base/cuda13.json -o dist/");
  return {forge, [options] { return cli::forge(*options); }};
}

Command add_gpu(CLI::App& app) {
  auto options = std::make_shared<GpuOptions>();
  CLI::App* gpu =
      app.add_subcommand("gpu", "libraries by GPU architecture, and the devices that run them");
  gpu->add_option("wheels", options->wheels, "wheels or directories of wheels")->required();
  gpu->add_flag("--json", options->json, "as JSON");
  gpu->add_option("--jobs", options->jobs, "threads; default: all cores")
      ->check(CLI::Range(1, 1024));
  add_reading_options(*gpu, options->reading);
  gpu->footer(
      "Examples:\n"
      "  wheel-audit gpu x.whl\n"
      "  wheel-audit gpu --json dist | jq .[].devices");
  return {gpu, [options] { return cli::gpu(*options); }};
}

Command add_tree(CLI::App& app) {
  auto options = std::make_shared<TreeOptions>();
  CLI::App* tree = app.add_subcommand("tree", "who needs what, and which search entry finds it");
  tree->add_option("wheel", options->wheel, "a wheel")->required();
  tree->add_option("--with", options->with, "a wheel it depends on, or a directory of them")
      ->allow_extra_args(false);
  tree->add_option("--env", options->env, "an installed site-packages, instead of --with")
      ->excludes("--with");
  tree->add_flag("--tag", options->tag, "the platform tag that its needs deserve, alone");
  tree->add_option("--why", options->why, "the chains that lead to a soname");
  tree->add_flag("--json", options->json, "as JSON");
  add_reading_options(*tree, options->reading);
  tree->footer(
      "Examples:\n"
      "  wheel-audit tree --with deps/ x.whl\n"
      "  wheel-audit tree --why libcudart.so.13 x.whl");
  return {tree, [options] { return cli::tree(*options); }};
}

Command add_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* diff = app.add_subcommand(
      "diff", "what changed between two wheels: libraries, archs, symbols, sizes");
  diff->add_option("old", options->before, "a wheel, or its facts (- is stdin)")->required();
  diff->add_option("new", options->after, "a wheel, or its facts (- is stdin)")->required();
  diff->add_option("--fail-on", options->fail_on,
                   "lost-arch, lost-symbol, new-need, bigger=10%: exit 1 when one matches")
      ->check(CLI::Validator("{lost-arch,lost-symbol,new-need,bigger=10%}"))
      ->delimiter(',')
      ->allow_extra_args(false);
  diff->add_option("--format", options->format, "text, json or markdown")
      ->check(CLI::Validator("{text,json,markdown}"));
  diff->add_option("-o,--output", options->output, "write to a file");
  diff->add_option("--jobs", options->jobs, "threads; default: all cores")
      ->check(CLI::Range(1, 1024));
  add_reading_options(*diff, options->reading);
  diff->footer(
      "Exit 1: --fail-on matched; 3: something unread in either, or not decided.\n"
      "Examples:\n"
      "  wheel-audit diff old.whl new.whl\n"
      "  wheel-audit diff --fail-on lost-arch,new-need,bigger=10% old.json new.whl");
  return {diff, [options] { return cli::diff(*options); }};
}

}  // namespace wheel_audit::cli
