// matrix filter: the rows of a generated build matrix that the policy builds. It refuses rather
// than guesses, because a row that is silently missing shows as a green check for no build.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "matrix/row_text.hpp"
#include "wheel_audit/matrix.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::matrix {

namespace {

/// A row of the policy's machines and trains, by its place in the matrix.
struct Kept {
  std::size_t index = 0;
  const Machine* machine = nullptr;
  std::string train;
  std::string python;
};

struct Matrix {
  Json::Array rows;
  std::vector<std::string> texts;  ///< the same rows as they stand
};

/// What the rows came to so far.
struct Sieve {
  const Policy& policy;
  Outcome& outcome;
  std::vector<Kept> kept;
  std::set<std::string> machines;  ///< that the matrix has CUDA rows of

  void refuse(std::size_t index, std::string_view why) {
    outcome.refuse(fmt::format("include[{}]: {}", index, why));
  }
};

Result<Matrix> parse_matrix(std::string_view text) {
  Result<Json> json = Json::parse(text);
  if (!json) return json.error().in("the matrix is no JSON");
  if (json->is_string()) {
    return Error(
        "the matrix is a string, expected an object {\"include\": […]}; JSON within JSON "
        "is decoded once before it comes here");
  }
  if (!json->is_object()) {
    return Error(fmt::format("the matrix is of type {}, expected an object {{\"include\": […]}}",
                             json->type()));
  }
  for (const auto& [key, value] : json->entries()) {
    if (key != "include") {
      return Error(
          fmt::format("the matrix has the key \"{}\" beside \"include\", which would build "
                      "rows that this filter does not see",
                      printable(key)));
    }
  }
  const Json* include = json->find("include");
  if (include == nullptr) return Error("the matrix has no key \"include\"");
  if (!include->is_array()) {
    return Error(fmt::format("\"include\" is of type {}, expected array", include->type()));
  }
  Matrix matrix{include->items(), item_texts(text, "include")};
  if (matrix.rows.size() != matrix.texts.size()) return Error("the rows of the matrix are unclear");
  for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
    if (matrix.rows[i].is_object()) continue;
    return Error(
        fmt::format("include[{}] is of type {}, expected object", i, matrix.rows[i].type()));
  }
  return matrix;
}

/// The text under a key of a row; refuses another type, and where it must be there its absence.
std::optional<std::string> text_of(Sieve& sieve, const Json& row, std::size_t index,
                                   std::string_view key, std::string_view example) {
  const Json* value = row.find(key);
  if (value != nullptr && value->is_string() && !trim(value->as_string()).empty())
    return value->as_string();
  std::string found = "is empty";
  if (value == nullptr) found = "is missing";
  if (value != nullptr && !value->is_string())
    found = fmt::format("is {} of type {}", value->dump(), value->type());
  sieve.refuse(index, fmt::format("{} {}, expected such as \"{}\"", key, found, example));
  return std::nullopt;
}

/// Whether a spelling that is none of the policy's still means CUDA, or is a slip for one of them.
bool looks_like_cuda(const Policy& policy, std::string_view type) {
  if (lower(type).starts_with("cuda")) return true;
  constexpr std::string_view kOthers[] = {"cpu", "rocm", "xpu"};
  if (std::ranges::find(kOthers, type.substr(0, type.find('-'))) != std::end(kOthers)) return false;
  std::vector<std::string> spellings;
  for (const Machine& machine : policy.machines) spellings.push_back(machine.gpu_arch_type);
  return !nearest(type, spellings).empty();
}

/// `cu130` of `13.0` or `13.0-aarch64`; empty for what is no CUDA version.
std::string train_of_version(std::string_view version, const Machine& machine) {
  const std::string suffix = "-" + machine.name;
  if (version.ends_with(suffix)) version.remove_suffix(suffix.size());
  const std::vector<std::string_view> parts = split(version, '.');
  const auto number = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  if (parts.size() != 2 || !number(parts[0]) || !number(parts[1])) return {};
  return fmt::format("cu{}{}", parts[0], parts[1]);
}

/// The train that a CUDA row names twice, the same both times.
std::optional<std::string> train_of_row(Sieve& sieve, const Json& row, std::size_t index,
                                        const Machine& machine) {
  const auto version = text_of(sieve, row, index, "gpu_arch_version", "13.0");
  const auto desired = text_of(sieve, row, index, "desired_cuda", "cu130");
  if (!version || !desired) return std::nullopt;
  const std::string train = train_of_version(*version, machine);
  if (train.empty()) {
    sieve.refuse(index, fmt::format("gpu_arch_version \"{}\" is no CUDA version, expected such as "
                                    "\"13.0\"",
                                    printable(*version)));
    return std::nullopt;
  }
  if (train != *desired) {
    sieve.refuse(index, fmt::format("gpu_arch_version \"{}\" and desired_cuda \"{}\" are two CUDA "
                                    "versions, expected \"{}\" for the first",
                                    printable(*version), printable(*desired), train));
    return std::nullopt;
  }
  return train;
}

/// Keeps a row that the policy builds, drops one that it lets go, refuses any other.
void sift(Sieve& sieve, const Json& row, std::size_t index) {
  const Policy& policy = sieve.policy;
  const auto type = text_of(sieve, row, index, "gpu_arch_type", policy.machines[0].gpu_arch_type);
  if (!type) return;
  const Machine* machine = policy.machine_of_type(*type);
  if (machine == nullptr) {
    if (!looks_like_cuda(policy, *type)) return;
    std::vector<std::string> known;
    for (const Machine& one : policy.machines) known.push_back(one.gpu_arch_type);
    sieve.refuse(index, fmt::format("gpu_arch_type \"{}\" is CUDA on no machine of the policy, "
                                    "expected {}",
                                    printable(*type), join(known, " or ")));
    return;
  }
  sieve.machines.insert(machine->name);
  const std::optional<std::string> train = train_of_row(sieve, row, index, *machine);
  if (!train || policy.row(*train, machine->name) == nullptr) return;
  const auto python = text_of(sieve, row, index, "python_version", "3.12");
  if (!python ||
      std::ranges::find(policy.disabled_pythons, *python) != policy.disabled_pythons.end())
    return;
  if (std::ranges::find(policy.pythons, *python) == policy.pythons.end()) {
    sieve.refuse(index, fmt::format("Python {} ({}, {}) is not built by the policy, which builds "
                                    "{}{}{}",
                                    printable(*python), *train, *type, join(policy.pythons, ", "),
                                    policy.disabled_pythons.empty() ? "" : " and drops ",
                                    join(policy.disabled_pythons, ", ")));
    return;
  }
  for (const Kept& other : sieve.kept) {
    if (std::tie(other.machine, other.train, other.python) != std::tie(machine, *train, *python))
      continue;
    sieve.refuse(index, fmt::format("Python {} with {} ({}) stands twice, first as include[{}]",
                                    *python, *train, *type, other.index));
    return;
  }
  sieve.kept.push_back({index, machine, *train, *python});
}

/// What the policy publishes on the matrix's machines and no row would build.
void refuse_missing(Sieve& sieve) {
  for (const Row& row : sieve.policy.rows) {
    if (!sieve.machines.contains(row.machine)) continue;
    std::vector<std::string> missing;
    for (const std::string& python : sieve.policy.pythons) {
      if (std::ranges::none_of(sieve.kept, [&](const Kept& kept) {
            return kept.machine->name == row.machine && kept.train == row.train &&
                   kept.python == python;
          }))
        missing.push_back(python);
    }
    if (missing.empty()) continue;
    const std::string place = fmt::format("{} of {}", sieve.policy.train(row.train)->cuda,
                                          sieve.policy.machine(row.machine)->gpu_arch_type);
    sieve.outcome.refuse(
        missing.size() == sieve.policy.pythons.size()
            ? fmt::format("CUDA {} ({}) is published by the policy, and the matrix has no row that "
                          "builds it",
                          place, row.train)
            : fmt::format("CUDA {} ({}): no row for Python {}, which the policy publishes", place,
                          row.train, join(missing, ", ")));
  }
}

/// The row that a pull request builds: of several machines, the policy's first.
void keep_pull_request(Sieve& sieve) {
  if (!sieve.policy.pull_request) {
    sieve.outcome.refuse("the policy names no row for pull requests");
    return;
  }
  const PullRequest& wanted = *sieve.policy.pull_request;
  for (const Machine& machine : sieve.policy.machines) {
    for (const Kept& kept : sieve.kept) {
      if (kept.machine != &machine || kept.python != wanted.python || kept.train != wanted.train)
        continue;
      sieve.kept = {Kept(kept)};
      return;
    }
  }
  sieve.outcome.refuse(
      fmt::format("a pull request builds Python {} with {}, and the matrix has no "
                  "such row",
                  wanted.python, wanted.train));
}

/// The rows that agree with a JetPack row of the policy in each of its keys.
void keep_jetpack(Sieve& sieve, const Matrix& matrix) {
  for (const Json& wanted : sieve.policy.jetpack_rows) {
    const std::size_t before = sieve.kept.size();
    for (std::size_t i = 0; i < matrix.rows.size(); ++i) {
      if (std::ranges::all_of(wanted.entries(), [&](const auto& entry) {
            const Json* found = matrix.rows[i].find(entry.first);
            return found != nullptr && *found == entry.second;
          }))
        sieve.kept.push_back({.index = i, .machine = nullptr, .train = {}, .python = {}});
    }
    const std::size_t found = sieve.kept.size() - before;
    if (found != 1) {
      sieve.outcome.refuse(
          fmt::format("JetPack row {}: {} rows of the matrix agree with it, expected one",
                      wanted.dump(), found));
    }
  }
  std::ranges::sort(sieve.kept, {}, &Kept::index);
}

}  // namespace

Outcome filter(std::string_view text, const Policy& policy, const FilterOptions& options) {
  Outcome outcome;
  if (options.jetpack && policy.jetpack_rows.empty()) {
    outcome.refuse(policy.jetpack_reason.empty() ? "the policy builds no JetPack rows"
                                                 : policy.jetpack_reason);
    return outcome;
  }
  const Result<Matrix> matrix = parse_matrix(text);
  if (!matrix) {
    outcome.refuse(matrix.error().message());
    return outcome;
  }
  Sieve sieve{.policy = policy, .outcome = outcome, .kept = {}, .machines = {}};
  if (options.jetpack) {
    keep_jetpack(sieve, *matrix);
    if (options.pull_request && !sieve.kept.empty()) sieve.kept.resize(1);
  } else {
    for (std::size_t i = 0; i < matrix->rows.size(); ++i) sift(sieve, matrix->rows[i], i);
    if (sieve.machines.empty() && outcome.refusals.empty()) {
      outcome.refuse(
          fmt::format("the result is empty: of {} rows none is CUDA on a machine of the "
                      "policy, so nothing would be built",
                      matrix->rows.size()));
    } else if (options.pull_request) {
      keep_pull_request(sieve);
    } else {
      refuse_missing(sieve);
    }
  }
  if (!outcome.refusals.empty()) return outcome;
  std::vector<std::string> rows;
  for (const Kept& kept : sieve.kept) rows.push_back(matrix->texts[kept.index]);
  outcome.output = fmt::format("{{\"include\": [{}]}}\n", join(rows, ", "));
  return outcome;
}

}  // namespace wheel_audit::matrix
