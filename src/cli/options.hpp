// What stands on the command line: each subcommand adds its options and says what it runs.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace wheel_audit::cli {

/// The group of options that `--help` leaves to `--help-all`.
inline constexpr const char* kFurther = "further";

/// A subcommand on the command line, and what runs it.
struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

Command add_check(CLI::App& app);
Command add_inspect(CLI::App& app);
Command add_explain(CLI::App& app);
Command add_rules(CLI::App& app);
Command add_config(CLI::App& app);
Command add_selftest(CLI::App& app);
Command add_forge(CLI::App& app);
Command add_gpu(CLI::App& app);
Command add_tree(CLI::App& app);
/// `matrix`, and below it its own subcommands.
Command add_matrix(CLI::App& app);
Command add_diff(CLI::App& app);
Command add_schema(CLI::App& app);

}  // namespace wheel_audit::cli
