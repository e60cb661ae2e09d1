// The options of the subcommands that show what is in wheels, and of the one that makes them.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace wheel_audit::cli {

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
  tree->add_option("--env", options->env, "an installed site-packages, instead of --with")
      ->excludes("--with");
  tree->add_flag("--tag", options->tag, "the platform tag that its needs deserve, alone");
  tree->add_option("--why", options->why, "the chains that lead to a soname");
  tree->add_flag("--json", options->json, "as JSON");
  return {tree, [options] { return cli::tree(*options); }};
}

}  // namespace wheel_audit::cli
