// matrix: the release matrix of a policy. Each subcommand prints its text, or on a refusal nothing
// but the reasons on standard error.
#include "wheel_audit/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/commands.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// The policy that an option's value stands for: a built-in name, else a file.
Result<matrix::Policy> policy_of(const std::string& given) {
  const std::vector<std::string> built_in = matrix::built_in_policies();
  const bool known = std::ranges::find(built_in, given) != built_in.end();
  std::error_code failed;
  const bool is_file = given.find('/') != std::string::npos || given.ends_with(".json") ||
                       std::filesystem::exists(given, failed);
  if (given.empty() || known || !is_file) return matrix::built_in_policy(given);
  const Result<std::string> text = read_text(given);
  if (!text) return text.error();
  return matrix::parse_policy(*text, given);
}

/// Prints what a subcommand came to.
int finish(const matrix::Outcome& outcome) {
  for (const std::string& why : outcome.refusals)
    fmt::print(stderr, "wheel-audit: {}\n", printable(why));
  if (!write_output("", outcome.output)) return kIncomplete;
  return outcome.refusals.empty() ? kOk : kFindings;
}

}  // namespace

int matrix_filter(const MatrixOptions& options) {
  const Result<matrix::Policy> policy = policy_of(options.policy);
  if (!policy) return wrong_use(policy.error().message());
  const Result<std::string> text = read_text(options.file);
  if (!text) return wrong_use(text.error().message());
  return finish(matrix::filter(*text, *policy,
                               {.pull_request = options.pull_request, .jetpack = options.jetpack}));
}

int matrix_archs(const MatrixOptions& options) {
  const Result<matrix::Policy> policy = policy_of(options.policy);
  if (!policy) return wrong_use(policy.error().message());
  return finish(matrix::archs(
      *policy, options.train, options.machine,
      options.style == "cmake" ? matrix::ArchStyle::cmake : matrix::ArchStyle::torch));
}

int matrix_parse_archs(const MatrixOptions& options) {
  return finish(matrix::parse_archs(options.text));
}

int matrix_classify(const MatrixOptions& options) {
  const Result<matrix::Policy> policy = policy_of(options.policy);
  if (!policy) return wrong_use(policy.error().message());
  return finish(matrix::classify(*policy, options.text, options.machine));
}

int matrix_check_workflow(const MatrixOptions& options) {
  const Result<matrix::Policy> policy = policy_of(options.policy);
  if (!policy) return wrong_use(policy.error().message());
  if (policy->workflow.inputs.empty() && policy->workflow.paths.empty()) {
    return wrong_use(fmt::format(
        "{}: has no \"workflow\" with inputs or paths, expected what workflow files are "
        "held to: docs/matrix.md shows one",
        options.policy));
  }
  matrix::Outcome all;
  for (const std::string& file : options.paths) {
    const Result<std::string> text = read_text(file);
    if (!text) return wrong_use(text.error().message());
    const matrix::Outcome one =
        matrix::check_workflow(*policy, *text, file == "-" ? "standard input" : file);
    all.output += one.output;
    std::ranges::copy(one.refusals, std::back_inserter(all.refusals));
  }
  if (!all.refusals.empty()) all.output.clear();
  return finish(all);
}

int matrix_verify(const MatrixOptions& options) {
  const Result<matrix::Policy> policy = policy_of(options.policy);
  if (!policy) return wrong_use(policy.error().message());
  const Result<std::vector<std::string>> paths = wheel_paths(options.paths);
  if (!paths) return wrong_use(paths.error().message());
  return finish(matrix::verify(*policy, *paths));
}

}  // namespace wheel_audit::cli
