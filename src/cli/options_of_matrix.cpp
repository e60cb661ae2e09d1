// The options of the subcommands of matrix.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace wheel_audit::cli {

namespace {

/// A subcommand of `matrix`, which share their options.
Command add_to_matrix(CLI::App& app, const std::string& name, const std::string& about,
                      const std::shared_ptr<MatrixOptions>& options,
                      int (*run)(const MatrixOptions&), const std::string& example) {
  CLI::App* command = app.add_subcommand(name, about);
  command->footer("Example: wheel-audit matrix " + example);
  if (name != "parse-archs") {
    command->add_option("--policy", options->policy,
                        "a built-in policy or a file (wheel-audit schema release)");
  }
  return {command, [options, run] { return run(*options); }};
}

}  // namespace

Command add_matrix(CLI::App& app) {
  auto options = std::make_shared<MatrixOptions>();
  CLI::App* matrix =
      app.add_subcommand("matrix", "the release matrix: what a policy builds, and what is there");
  matrix->require_subcommand(1);
  matrix->footer(
      "Exit 1: refused; the reasons are on standard error, nothing is on output.\n"
      "Example: wheel-audit matrix filter < matrix.json");
  std::vector<Command> commands;
  const auto add = [&](const std::string& name, const std::string& about,
                       int (*run)(const MatrixOptions&), const std::string& example) {
    commands.push_back(add_to_matrix(*matrix, name, about, options, run, example));
    return commands.back().app;
  };
  CLI::App* filter = add("filter", "the rows of a generated matrix that the policy builds",
                         matrix_filter, "filter --pull-request < matrix.json");
  filter->add_option("file", options->file, "the matrix (JSON); default: standard input");
  filter->add_flag("--pull-request", options->pull_request, "the one row of pull requests");
  filter->add_flag("--jetpack", options->jetpack, "the rows for JetPack");
  CLI::App* archs = add("archs", "the GPU architectures of a row", matrix_archs,
                        "archs --train cu126 --machine aarch64 --style cmake");
  archs->add_option("--train", options->train, "cu130");
  archs->add_option("--machine", options->machine, "x86_64, aarch64");
  archs->add_option("--style", options->style, "torch or cmake")
      ->check(CLI::IsMember({"torch", "cmake"}));
  add("parse-archs", "an arch list as JSON", matrix_parse_archs, "parse-archs \"8.0;9.0+PTX\"")
      ->add_option("list", options->text, "in torch's or CMake's spelling")
      ->required();
  CLI::App* classify =
      add("classify", "what a row or version is to the policy; exit 1: unsupported",
          matrix_classify, "classify 1.5.0+cu130 aarch64");
  classify->add_option("text", options->text, "cu130, cpu-aarch64, 1.5.0+cu130")->required();
  classify->add_option("machine", options->machine, "x86_64, aarch64");
  add("check-workflow", "the inputs and path filters of workflow files", matrix_check_workflow,
      "check-workflow .github/workflows/build-wheels.yml")
      ->add_option("files", options->paths, "workflow files (YAML)")
      ->required();
  add("verify", "wheels against what must be published", matrix_verify, "verify dist/")
      ->add_option("wheels", options->paths, "wheels, directories of wheels, or -")
      ->required();
  return {matrix, [commands] {
            const auto named = std::ranges::find_if(
                commands, [](const Command& one) { return one.app->parsed(); });
            return named == commands.end() ? kWrongUse : named->run();
          }};
}

}  // namespace wheel_audit::cli
