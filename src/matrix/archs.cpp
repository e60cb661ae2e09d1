// matrix archs and parse-archs: a row's architectures, and the reading of any arch list.
#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/matrix.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::matrix {

namespace {

std::string spelled(const Row& row, ArchStyle style) {
  std::vector<std::string> parts;
  for (const Arch& arch : row.archs) {
    const bool newest = arch == row.newest;
    if (style == ArchStyle::torch) {
      parts.push_back(to_string(arch) + (newest ? "+PTX" : ""));
      continue;
    }
    std::string number = to_string(arch);
    std::erase(number, '.');
    parts.push_back(number + "-real");
    if (newest) parts.push_back(number + "-virtual");
  }
  return join(parts, ";");
}

}  // namespace

Outcome archs(const Policy& policy, std::string_view train, std::string_view machine,
              ArchStyle style) {
  Outcome outcome;
  const auto check = [&](std::string_view what, std::string_view word,
                         const std::vector<std::string>& known) {
    if (trim(word).empty()) {
      outcome.refuse(
          fmt::format("no {} given (--{}); the policy builds {}", what, what, join(known, ", ")));
    } else if (std::ranges::find(known, word) == known.end()) {
      outcome.refuse(fmt::format("{} \"{}\" is outside the policy, which builds {}{}", what, word,
                                 join(known, ", "), did_you_mean(word, known)));
    }
  };
  check("train", train, policy.train_names());
  check("machine", machine, policy.machine_names());
  if (!outcome.refusals.empty()) return outcome;
  const Row* row = policy.row(train, machine);
  if (row == nullptr) {
    outcome.refuse(fmt::format("the policy builds no {} on {}", train, machine));
    return outcome;
  }
  outcome.output = spelled(*row, style) + "\n";
  return outcome;
}

Outcome parse_archs(std::string_view list) {
  Outcome outcome;
  const Result<std::vector<ArchEntry>> entries = parse_arch_list(list);
  if (!entries) {
    outcome.refuse(entries.error().message());
    return outcome;
  }
  std::vector<std::string> items;
  for (const ArchEntry& entry : *entries) {
    items.push_back(
        fmt::format(R"({{"form": "{}", "arch": "{}"}})", entry.form, to_string(entry.arch)));
  }
  outcome.output = fmt::format("[{}]\n", join(items, ", "));
  return outcome;
}

}  // namespace wheel_audit::matrix
