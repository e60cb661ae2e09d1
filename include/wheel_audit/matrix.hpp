// The release matrix: which wheels a project builds and publishes, as a policy in a table, and the
// questions that a release asks of it. Nothing here reads a wheel; verify looks at file names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/gpu.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit::matrix {

/// A machine that wheels are built for.
struct Machine {
  std::string name;           ///< the platform tag's word: `aarch64`
  std::string gpu_arch_type;  ///< what the build matrix calls its CUDA rows: `cuda-aarch64`
};

/// A CUDA version that wheels are built for.
struct Train {
  std::string name;  ///< `cu130`
  std::string cuda;  ///< `13.0`
};

/// A train on a machine.
struct Row {
  std::string train;
  std::string machine;
  std::vector<Arch> archs;  ///< SASS for each
  Arch newest;              ///< and PTX for this one of them
};

/// The one row that a pull request builds.
struct PullRequest {
  std::string python;
  std::string train;
};

/// What workflow files must say.
struct Workflow {
  std::vector<std::string> inputs;  ///< build-type inputs of the matrix generator
  std::vector<std::string> words;   ///< their only values
  std::vector<std::string> paths;   ///< files that path filters must list
};

/// A release table (`wheel-audit schema release`).
struct Policy {
  std::string project;  ///< the distribution's name, normalised
  std::vector<std::string> pythons;
  std::vector<std::string> disabled_pythons;
  std::vector<Machine> machines;
  std::vector<Train> trains;
  std::vector<Row> rows;
  std::optional<PullRequest> pull_request;
  std::vector<Json> jetpack_rows;
  std::string jetpack_reason;
  Workflow workflow;

  const Machine* machine(std::string_view name) const;
  const Machine* machine_of_type(std::string_view gpu_arch_type) const;
  const Train* train(std::string_view name) const;
  const Row* row(std::string_view train, std::string_view machine) const;
  std::vector<std::string> machine_names() const;
  std::vector<std::string> train_names() const;
};

/// Reads a release table strictly; `origin` names it in errors.
Result<Policy> parse_policy(std::string_view text, std::string_view origin);

/// The policy of a name: `PACK` is that built-in pack's table `release`, `PACK-x` its
/// `release-x`; an empty name is the one built-in pack that has a release table.
Result<Policy> built_in_policy(std::string_view name);

/// The names that built_in_policy knows.
std::vector<std::string> built_in_policies();

/// What a subcommand came to: a text for standard output, or the reasons why there is none.
struct Outcome {
  std::string output;
  std::vector<std::string> refusals;  ///< one sentence each

  void refuse(std::string why) { refusals.push_back(std::move(why)); }
};

struct FilterOptions {
  bool pull_request = false;  ///< keep the policy's one row for pull requests
  bool jetpack = false;       ///< keep the policy's rows for JetPack
};

/// The rows of a generated build matrix (JSON) that the policy builds, each as it stands and in
/// order, on one line. Refuses a matrix that would build too little, twice, or what nobody decided.
Outcome filter(std::string_view matrix, const Policy& policy, const FilterOptions& options);

enum class ArchStyle : std::uint8_t { torch, cmake };

/// A row's architectures as a build takes them: `8.0;9.0+PTX`, or `80-real;90-real;90-virtual`.
Outcome archs(const Policy& policy, std::string_view train, std::string_view machine,
              ArchStyle style);

/// An arch list in either spelling as JSON: `[{"form": "sass", "arch": "8.0"}]`.
Outcome parse_archs(std::string_view list);

/// What a row's `desired_cuda` or a version stands for under the policy: `cuda:cu130`, `cpu`,
/// `other:rocm6.2`, or `unsupported:cu118` with a refusal beside the output.
Outcome classify(const Policy& policy, std::string_view text, std::string_view machine);

/// What a workflow file (YAML) gets wrong; `name` is how refusals call it.
Outcome check_workflow(const Policy& policy, std::string_view yaml, std::string_view name);

/// Holds file names of wheels to the rows and Pythons that the policy publishes.
Outcome verify(const Policy& policy, const std::vector<std::string>& paths);

}  // namespace wheel_audit::matrix
