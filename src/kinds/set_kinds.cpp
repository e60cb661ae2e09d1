// The table of kinds about several wheels, and how they group siblings.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/set_groups.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

const std::vector<SetKind>& set_kinds() {
  static const std::vector<SetKind> kAll = {arch_set_kind(), content_set_kind(),
                                            duplicate_set_kind(), metadata_set_kind()};
  return kAll;
}

const SetKind* set_kind(std::string_view name) {
  const auto found = std::ranges::find(set_kinds(), name, &SetKind::name);
  return found == set_kinds().end() ? nullptr : &*found;
}

std::string build_of(const Subject& subject) {
  const NameFacts& name = *subject.wheel.name;
  const Result<Version> version = Version::parse(name.version);
  return fmt::format("{}/{}", version ? version->local() : name.version,
                     name.variant.value_or(std::string()));
}

std::string system_of(const Subject& subject) {
  if (!subject.tags().empty()) return "linux";
  const std::vector<std::string>& platforms = subject.wheel.name->platform;
  if (platforms.empty()) return "any";
  return lower(platforms.front().substr(0, platforms.front().find_first_of("_0123456789")));
}

std::vector<Siblings> apart(const Siblings& wheels, const Key& key) {
  std::map<std::string, Siblings> groups;
  for (const Subject* wheel : wheels) {
    const std::optional<std::string> own = key(*wheel);
    if (own) groups[*own].push_back(wheel);
  }
  std::vector<Siblings> found;
  for (auto& [own, group] : groups) {
    if (group.size() > 1) found.push_back(std::move(group));
  }
  return found;
}

std::string named(const Siblings& wheels) {
  const std::string& first = wheels.front()->wheel.file_name;
  if (wheels.size() == 1) return first;
  return fmt::format("{} and {} more", first, wheels.size() - 1);
}

}  // namespace wheel_audit
