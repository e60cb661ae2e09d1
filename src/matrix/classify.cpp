// matrix classify: what a row's word or a version stands for, by the policy's trains and nothing
// else: a train that exists and is not built is unsupported, however plausible it reads.
#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/matrix.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::matrix {

namespace {

/// What the text says: its accelerator's word, and the machine that a row's word ends in.
struct Said {
  std::string word;  ///< `cu130`, `cpu`, `rocm6.2`; empty: a version without a local part
  std::string machine;
};

/// `cpu-aarch64` apart; a dash elsewhere belongs to the word.
Said split_row(const Policy& policy, const std::string& text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string::npos) return {text, {}};
  const std::string head = text.substr(0, dash);
  const std::string rest = text.substr(dash + 1);
  constexpr std::string_view kOtherMachines[] = {"aarch64", "arm64",  "s390x",
                                                 "ppc64le", "x86_64", "riscv64"};
  const bool is_machine = policy.machine(rest) != nullptr ||
                          std::ranges::find(kOtherMachines, rest) != std::end(kOtherMachines);
  return is_machine ? Said{head, rest} : Said{text, {}};
}

Result<Said> read_text(const Policy& policy, std::string_view given) {
  const std::string text = lower(trim(given));
  const Said row = split_row(policy, text);
  if (!claim_of_local_version(row.word).accelerator.empty()) return row;
  const auto train = std::ranges::find(policy.trains, text, &Train::cuda);
  if (train != policy.trains.end()) {
    return Error(
        fmt::format("\"{}\" is a CUDA version and reads as a version of the project too, "
                    "expected {}",
                    printable(given), train->name));
  }
  const Result<Version> version = Version::parse(text);
  if (!version) {
    return Error(
        fmt::format("\"{}\" is neither a row (cu130, cpu, cpu-aarch64) nor a version "
                    "(1.5.0+cu130)",
                    printable(given)));
  }
  return Said{version->local(), {}};
}

}  // namespace

Outcome classify(const Policy& policy, std::string_view text, std::string_view machine) {
  Outcome outcome;
  const Result<Said> said = read_text(policy, text);
  if (!said) {
    outcome.refuse(said.error().message());
    return outcome;
  }
  const std::string place = machine.empty() ? said->machine : std::string(machine);
  if (!machine.empty() && !said->machine.empty() && said->machine != machine) {
    outcome.refuse(fmt::format("\"{}\" is of machine {}, and {} was given", printable(text),
                               said->machine, machine));
    return outcome;
  }
  const std::string& word = said->word;
  if (word.empty() || word == "cpu") {
    outcome.output = "cpu\n";
    return outcome;
  }
  if (claim_of_local_version(word).accelerator != "cuda") {
    outcome.output = fmt::format("other:{}\n", word);
    return outcome;
  }
  if (policy.train(word) == nullptr) {
    const std::vector<std::string> trains = policy.train_names();
    outcome.refuse(fmt::format("{} is no train of the policy, which builds {}", printable(word),
                               join(trains, ", ")));
  } else if (!place.empty() && policy.row(word, place) == nullptr) {
    outcome.refuse(fmt::format("the policy builds no {} on {}, its machines are {}", word,
                               printable(place), join(policy.machine_names(), ", ")));
  }
  outcome.output = fmt::format("{}:{}\n", outcome.refusals.empty() ? "cuda" : "unsupported", word);
  return outcome;
}

}  // namespace wheel_audit::matrix
