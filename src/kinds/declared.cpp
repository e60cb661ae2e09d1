// Which files are judged, what the tags promise, and which packages the requirements bring.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "kinds/machine_words.hpp"
#include "kinds/needs.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

bool is_named_extension(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.ends_with(".abi3.so") ||
         (name.ends_with(".so") && name.find(".cpython-") != std::string_view::npos);
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
/// those wheels, and when; names normalised. An extra that is asked for brings what is under it.
using Brought = std::map<std::string, Applies>;

class GivenWheels {
 public:
  explicit GivenWheels(const Subject& subject) : subject_(subject) {
    for (const WheelFacts* wheel : subject.context.wheels) {
      if (wheel->name)
        given_.emplace(normalize_name(wheel->name->distribution), Given{wheel, {}, {}});
    }
  }

  Brought brought() {
    for (const Requirement& requirement : subject_.requirements())
      want(requirement, subject_.applies(requirement));
    Brought reached;
    while (!open_.empty()) {
      const Wanted wanted = std::move(open_.back());
      open_.pop_back();
      const auto& [name, extra] = wanted;
      const auto given = given_.find(name);
      if (given == given_.end()) continue;
      for (const Requirement* requirement : under(given->second, extra)) {
        const Applies when = when_with(*requirement, extra, seen_[wanted]);
        if (rank(when) < rank(Applies::sometimes)) continue;
        Applies& best = reached.emplace(requirement->name, when).first->second;
        if (rank(when) > rank(best)) best = when;
        want(*requirement, when);
      }
    }
    return reached;
  }

 private:
  using Wanted = std::pair<std::string, std::string>;  ///< a name, and an extra of it or none

  struct Given {
    const WheelFacts* wheel;
    std::deque<Requirement> requirements;  ///< those that parse, once they are asked for
    std::map<std::string, std::vector<const Requirement*>> under;  ///< an extra; all under none
  };

  /// The requirements that an extra makes a difference to.
  static const std::vector<const Requirement*>& under(Given& given, const std::string& extra) {
    if (given.wheel->metadata && given.under.empty()) {
      for (const std::string& text : given.wheel->metadata->all("Requires-Dist")) {
        Result<Requirement> parsed = parse_requirement(text);
        if (!parsed) continue;
        const Requirement& requirement = given.requirements.emplace_back(std::move(*parsed));
        given.under[""].push_back(&requirement);
        for (const std::string& name : requirement.marker.extras())
          given.under[name].push_back(&requirement);
      }
    }
    return given.under[extra];
  }

  /// What a requirement of a wheel that comes along `outer` brings comes along no oftener.
  Applies when_with(const Requirement& requirement, const std::string& extra, Applies outer) const {
    std::vector<Environment> environments = subject_.environments();
    if (!extra.empty()) {
      for (Environment& environment : environments) environment["extra"] = extra;
    }
    const Applies own = applies_in(requirement, environments, {});
    return rank(own) < rank(outer) ? own : outer;
  }

  void want(const Requirement& requirement, Applies when) {
    if (rank(when) < rank(Applies::sometimes)) return;
    std::vector<std::string> extras = requirement.extras;
    extras.emplace_back();  // what comes without an extra
    for (const std::string& extra : extras) {
      const auto [place, fresh] = seen_.emplace(Wanted(requirement.name, extra), when);
      if (!fresh && rank(when) <= rank(place->second)) continue;
      place->second = when;
      open_.push_back(place->first);
    }
  }

  const Subject& subject_;
  std::map<std::string, Given> given_;
  std::map<Wanted, Applies> seen_;
  std::vector<Wanted> open_;
};

std::shared_ptr<const Brought> brought_by_given_wheels(const Subject& subject) {
  return subject.memo().get<Brought>({}, [&] { return GivenWheels(subject).brought(); });
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
  if (subject.context.given()) {
    for (const auto& [name, when] : *brought_by_given_wheels(subject)) packages.insert(name);
  }
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
  if (subject.context.given()) {
    const std::shared_ptr<const Brought> brought = brought_by_given_wheels(subject);
    const auto found = brought->find(provider.package);
    if (found != brought->end()) keep_best(best, found->second);
  }
  // The wheel may itself be the package (a vendor's wheel, whose libraries lie beside each other).
  if (subject.wheel.name && normalize_name(subject.wheel.name->distribution) == provider.package) {
    best = Applies::always;
  }
  return best;
}

bool is_given(const Subject& subject, const std::string& package) {
  return std::ranges::any_of(subject.context.wheels, [&](const WheelFacts* wheel) {
    return project_of(*wheel) == package;
  });
}

const Requirement* owner_by_name(const Subject& subject, std::string_view directory) {
  if (!is_in_site_packages(directory) || directory == kSitePackages) return nullptr;
  std::string_view top = directory.substr(kSitePackages.size() + 1);
  top = top.substr(0, top.find('/'));
  if (top.ends_with(".libs")) top.remove_suffix(5);
  const std::string name = normalize_name(top);
  if (is_given(subject, name) || subject.site().is_directory(directory)) return nullptr;
  for (const Requirement& requirement : subject.requirements()) {
    if (requirement.name == name && rank(subject.applies(requirement)) >= 2) return &requirement;
  }
  return nullptr;
}

}  // namespace wheel_audit
