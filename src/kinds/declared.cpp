// Which files are judged, what the tags promise, and which packages the requirements bring.
#include <algorithm>
#include <map>
#include <set>

#include "kinds/machine_words.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

bool is_named_extension(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.ends_with(".abi3.so") ||
         (name.ends_with(".so") && name.find(".cpython-") != std::string_view::npos);
}

int rank(Applies applies) {
  switch (applies) {
    case Applies::always:
      return 3;
    case Applies::sometimes:
      return 2;
    case Applies::under_extra:
      return 1;
    case Applies::never:
      break;
  }
  return 0;
}

std::string_view when_words(Applies applies) {
  switch (applies) {
    case Applies::always:
      return "always";
    case Applies::sometimes:
      return "in some of the environments that the tags allow";
    case Applies::under_extra:
      return "under an extra of this wheel only";
    case Applies::never:
      break;
  }
  return "in none of the environments that the tags allow";
}

bool is_fixed_elsewhere(const Requirement& requirement) {
  return !requirement.url.empty() && requirement.specifiers.clauses().empty();
}

bool is_linux(const Subject& subject) { return !subject.tags().empty(); }

bool tags_promise(const Subject& subject) {
  return is_linux(subject) && std::ranges::all_of(subject.tags(), [](const PlatformTag& tag) {
           return !tag.libc.empty() && machine_word(tag.machine) != nullptr;
         });
}

bool installs_on_linux(const Subject& subject) {
  if (!subject.wheel.name || is_linux(subject)) return true;
  return std::ranges::find(subject.wheel.name->platform, "any") !=
         subject.wheel.name->platform.end();
}

std::vector<const ElfFacts*> judged_elves(const Subject& subject) {
  std::vector<const ElfFacts*> found;
  if (!installs_on_linux(subject)) return found;
  for (const ElfFacts& elf : subject.wheel.elves) {
    if (elf.is_host() && elf.type != "rel" && elf.type != "core") found.push_back(&elf);
  }
  return found;
}

namespace {

void keep_best(std::optional<Applies>& best, Applies now) {
  if (!best || rank(now) > rank(*best)) best = now;
}

/// What the requirements of given wheels name, as far as the wheel's own requirements lead to
/// those wheels; names normalised. An extra that is asked for brings what is under it.
std::set<std::string> brought_by_given_wheels(const Subject& subject) {
  std::map<std::string, const WheelFacts*> given;
  for (const WheelFacts* wheel : subject.context.wheels) {
    if (wheel->name) given.emplace(normalize_name(wheel->name->distribution), wheel);
  }
  using Wanted = std::pair<std::string, std::string>;  // a name, and an extra of it or none
  std::set<Wanted> seen;
  std::vector<Wanted> open;
  const auto want = [&](const Requirement& requirement) {
    if (seen.emplace(requirement.name, "").second) open.emplace_back(requirement.name, "");
    for (const std::string& extra : requirement.extras) {
      if (seen.emplace(requirement.name, extra).second) open.emplace_back(requirement.name, extra);
    }
  };
  for (const Requirement& requirement : subject.requirements()) {
    if (rank(subject.applies(requirement)) >= 2) want(requirement);
  }
  std::set<std::string> reached;
  while (!open.empty()) {
    const auto [name, extra] = std::move(open.back());
    open.pop_back();
    const auto wheel = given.find(name);
    if (wheel == given.end() || !wheel->second->metadata) continue;
    for (const std::string& text : wheel->second->metadata->all("Requires-Dist")) {
      const Result<Requirement> requirement = parse_requirement(text);
      if (!requirement) continue;
      const Applies applies = applies_in(*requirement, subject.environments(), {extra});
      if (rank(applies) < (extra.empty() ? 2 : 1)) continue;
      reached.insert(requirement->name);
      want(*requirement);
    }
  }
  return reached;
}

/// Whether cuda-toolkit with this extra brings a provider's package: the extra, and a version of
/// the provider's train.
bool toolkit_brings(const Requirement& requirement, const Provider& provider) {
  if (requirement.name != "cuda-toolkit" || !provider.nvidia() || provider.extra.empty())
    return false;
  const bool extra = std::ranges::any_of(requirement.extras, [&](const std::string& name) {
    return name == provider.extra || name == "all";
  });
  return extra &&
         requirement.specifiers.allow_some_of_major(static_cast<std::uint64_t>(provider.train));
}

}  // namespace

std::set<std::string> packages_declared(const Subject& subject) {
  std::set<std::string> packages;
  if (subject.context.given()) packages = brought_by_given_wheels(subject);
  for (const Requirement& requirement : subject.requirements()) {
    if (rank(subject.applies(requirement)) >= 2) packages.insert(requirement.name);
  }
  return packages;
}

std::optional<Applies> declared(const Subject& subject, const Provider& provider) {
  std::optional<Applies> best;
  for (const Requirement& requirement : subject.requirements()) {
    if (requirement.name == provider.package || toolkit_brings(requirement, provider)) {
      keep_best(best, subject.applies(requirement));
    }
  }
  if (subject.context.given() && (!best || rank(*best) < 3) &&
      brought_by_given_wheels(subject).contains(provider.package)) {
    best = Applies::always;
  }
  // The wheel may itself be the package (a vendor's wheel, whose libraries lie beside each other).
  if (subject.wheel.name && normalize_name(subject.wheel.name->distribution) == provider.package) {
    best = Applies::always;
  }
  return best;
}

}  // namespace wheel_audit
