// A project's release policy: trains, rows, packages (schema release).
#include "kinds/release.hpp"

#include <algorithm>

#include "kinds/libraries.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

Release::Release(const Json& table) {
  for (const Json& json : table["trains"].items()) {
    ReleaseTrain train;
    train.name = json["train"].as_string();
    train.runtime = json["runtime"].as_string();
    for (const std::string& text : json["packages"].strings()) {
      Result<Requirement> requirement = parse_requirement(text);
      if (requirement) train.packages.push_back(std::move(*requirement));
    }
    for (const std::string& directory : json["directories"].strings())
      train.directories.push_back(directory_below_prefix(directory));
    trains_.push_back(std::move(train));
  }
  for (const Json& json : table["rows"].items()) {
    ReleaseRow row;
    row.train = json["train"].as_string();
    row.machine = json["machine"].as_string();
    for (const std::string& text : json["archs"].strings()) {
      if (const std::optional<Arch> arch = parse_arch(text)) row.archs.push_back(*arch);
    }
    row.newest = parse_arch(json["newest"].as_string()).value_or(Arch{});
    rows_.push_back(std::move(row));
  }
}

std::string Release::train_names() const {
  std::vector<std::string> names;
  for (const ReleaseTrain& train : trains_) names.push_back(train.name);
  return join(names, ", ");
}

const ReleaseTrain* Release::train_of_claim(const Subject& subject) const {
  const auto found = std::ranges::find(trains_, subject.claim().train, &ReleaseTrain::name);
  return found == trains_.end() ? nullptr : &*found;
}

const ReleaseTrain* Release::train_of(const Subject& subject) const {
  const ReleaseTrain* claimed = train_of_claim(subject);
  if (claimed == nullptr) return nullptr;
  const auto needed = [&](const std::string& runtime) {
    return std::ranges::any_of(subject.wheel.elves,
                               [&](const ElfFacts& elf) { return elf.needs(runtime); });
  };
  const bool other = std::ranges::any_of(
      trains_, [&](const ReleaseTrain& train) { return needed(train.runtime); });
  return needed(claimed->runtime) || !other ? claimed : nullptr;
}

const ReleaseRow* Release::row_of(const Subject& subject) const {
  if (train_of(subject) == nullptr) return nullptr;
  const auto found = std::ranges::find_if(rows_, [&](const ReleaseRow& row) {
    return row.train == subject.claim().train &&
           std::ranges::any_of(subject.tags(),
                               [&](const PlatformTag& tag) { return tag.machine == row.machine; });
  });
  return found == rows_.end() ? nullptr : &*found;
}

}  // namespace wheel_audit
