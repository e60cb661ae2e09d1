// Questions about the NVIDIA packages that a wheel declares.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/trains.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

bool applies_outside_extras(const Subject& subject, const Requirement& requirement) {
  const Applies applies = subject.applies(requirement);
  return applies == Applies::always || applies == Applies::sometimes;
}

/// `cuda.package-train`: declared packages of another train than the claim's.
Check package_train(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    const Claim& claim = subject.claim();
    if (claim.accelerator != "cuda" || claim.major == 0) return Looked::nothing;
    Looked looked = Looked::nothing;
    for (const Requirement& requirement : subject.requirements()) {
      const int train = train_told_by(libraries, requirement);
      if (train == 0 || !applies_outside_extras(subject, requirement)) continue;
      looked = Looked::something;
      if (train == claim.major) continue;
      report(
          {.where = std::nullopt,
           .message = fmt::format("declares {}, a package of CUDA {}; the wheel's {} says CUDA {}",
                                  requirement.name, train, claim.from, claim.major),
           .evidence = {{"package", requirement.name},
                        {"found", requirement.text},
                        {"expected", fmt::format("packages of CUDA {}", claim.major)}},
           .subject = requirement.name,
           .fix = {}});
    }
    return looked;
  };
}

/// The CUDA release that bounds of an unsuffixed package should name, and its major there.
struct Wanted {
  int train = 0;
  std::uint64_t major = 0;
};

/// Of cuda-toolkit the claim's CUDA major, which its versions are; of the others their own.
std::optional<Wanted> wanted_major(const Subject& subject, const Libraries& libraries,
                                   const std::string& package) {
  if (package == "cuda-toolkit") {
    const int major = subject.claim().major;
    if (major == 0) return std::nullopt;
    return Wanted{major, static_cast<std::uint64_t>(major)};
  }
  const auto row = std::ranges::find_if(libraries.all(), [&](const Provider& provider) {
    return provider.package == package && provider.major != 0;
  });
  // A suffix tells the train; where there is none, only bounds do.
  const bool suffixed = without_train_suffix(package) != std::string_view(package);
  if (row == libraries.all().end() || suffixed) return std::nullopt;
  return Wanted{row->train, static_cast<std::uint64_t>(row->major)};
}

/// `cuda.package-bounds`: bounds of an unsuffixed package that forbid the major which the train
/// needs, or allow another train's.
Check package_bounds(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    Looked looked = Looked::nothing;
    for (const Requirement& requirement : subject.requirements()) {
      const std::optional<Wanted> wanted = wanted_major(subject, libraries, requirement.name);
      if (!wanted || !applies_outside_extras(subject, requirement)) continue;
      if (is_fixed_elsewhere(requirement)) continue;
      looked = Looked::something;
      const std::uint64_t major = wanted->major;
      const bool forbids = !requirement.specifiers.allow_some_of_major(major);
      // cuda/wrong-train-package tells of a cuda-toolkit that is another train's alone.
      if (forbids && requirement.name == "cuda-toolkit") continue;
      const bool allows_other =
          requirement.specifiers.allow_some_of_major(major + 1) ||
          (major > 0 && requirement.specifiers.allow_some_of_major(major - 1));
      if (!forbids && !allows_other) continue;
      const std::string expected = fmt::format("{}>={},<{}", requirement.name, major, major + 1);
      report({.where = std::nullopt,
              .message = fmt::format(
                  "declares \"{}\", which {} CUDA {} ({} there is major {})", requirement.text,
                  forbids ? "forbids the release of" : "also allows releases of other trains than",
                  wanted->train, requirement.name, major),
              .evidence = {{"package", requirement.name},
                           {"found", requirement.text},
                           {"expected", expected}},
              .subject = requirement.name,
              .fix = {}});
    }
    return looked;
  };
}

/// `cuda.conflicting-packages`: two declared packages that install the same files: one library of
/// two trains in one directory.
Check conflicting_packages(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    std::map<std::string, const Requirement*> by_file;  // directory/soname to the first requirement
    std::set<std::string> reported;
    Looked looked = Looked::nothing;
    for (const Requirement& requirement : subject.requirements()) {
      if (!is_cuda_package(libraries, requirement) || !applies_outside_extras(subject, requirement))
        continue;
      looked = Looked::something;
      for (const Provider& provider : libraries.all()) {
        if (provider.package != requirement.name) continue;
        for (const std::string& directory : provider.directories) {
          const auto [place, fresh] =
              by_file.emplace(directory + "/" + provider.soname, &requirement);
          if (fresh || place->second->name == requirement.name) continue;
          if (!reported.emplace(without_train_suffix(requirement.name)).second) continue;
          report({.where = std::nullopt,
                  .message = fmt::format("declares {} and {}, which install the same files ({}/{})",
                                         place->second->name, requirement.name,
                                         shown_path(directory), provider.soname),
                  .evidence = {{"package", requirement.name},
                               {"found", place->second->text + "; " + requirement.text},
                               {"expected", "one of the two"}},
                  .subject = std::string(without_train_suffix(requirement.name)),
                  .fix = {}});
        }
      }
    }
    return looked;
  };
}

/// Everything that the wheel's files need or name, in lower case.
std::string everything_named(const Subject& subject) {
  std::string text;
  for (const ElfFacts& elf : subject.wheel.elves) {
    for (const std::string& name : elf.needed) text += name + "\n";
    for (const std::string& entry : elf.search_path()) text += entry + "\n";
  }
  for (const MemberFacts& member : subject.wheel.members) {
    if (member.path.find(".dist-info/") != std::string::npos)
      continue;  // METADATA names what it declares
    for (const std::string& mention : member.mentions) text += mention + "\n";
  }
  return lower(text);
}

/// The words that show a use of a package: its name in three spellings, its directory's part.
bool is_used(const std::string& named, const std::string& package, const Libraries& libraries) {
  std::string name(without_train_suffix(package));
  std::vector<std::string> words = {name};
  std::ranges::replace(name, '-', '_');
  words.push_back(name);
  const std::size_t first = name.find('_');
  if (first != std::string::npos) {
    words.push_back(name.substr(0, first) + "." + name.substr(first + 1));
    words.push_back(name.substr(0, first) + "/" + name.substr(first + 1));
  }
  for (const Provider& provider : libraries.all()) {
    if (provider.package != package) continue;
    words.push_back(lower(provider.soname.substr(0, provider.soname.find(".so") + 3)));
  }
  return std::ranges::any_of(
      words, [&](const std::string& word) { return named.find(word) != std::string::npos; });
}

/// The packages that cuda-toolkit brings by an extra: of every train; none for extras that the
/// table does not have.
std::set<std::string> packages_of_extra(const Libraries& libraries, const std::string& extra) {
  std::set<std::string> packages;
  for (const Provider& provider : libraries.all()) {
    if (provider.nvidia() && provider.extra == extra) packages.insert(provider.package);
  }
  return packages;
}

/// What a requirement declares that nothing uses: a package, or single extras of cuda-toolkit.
std::vector<std::string> unused_of(const Requirement& requirement, const std::string& named,
                                   const Libraries& libraries) {
  const auto used = [&](const std::string& package) { return is_used(named, package, libraries); };
  std::vector<std::string> unused;
  if (requirement.name != "cuda-toolkit") {
    if (!used(requirement.name)) unused.push_back(requirement.name);
    return unused;
  }
  for (const std::string& extra : requirement.extras) {
    const std::set<std::string> packages = packages_of_extra(libraries, extra);
    if (!packages.empty() && std::ranges::none_of(packages, used))
      unused.push_back(fmt::format("cuda-toolkit[{}]", extra));
  }
  return unused;
}

/// `cuda.unneeded-package`: a declared NVIDIA package that nothing needs, mentions or opens.
Check unneeded_package(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    if (subject.wheel.elves.empty()) return Looked::nothing;
    Looked looked = Looked::nothing;
    const std::string named = everything_named(subject);
    for (const Requirement& requirement : subject.requirements()) {
      if (!is_cuda_package(libraries, requirement)) continue;
      if (!applies_outside_extras(subject, requirement)) continue;
      looked = Looked::something;
      for (const std::string& unused : unused_of(requirement, named, libraries)) {
        report({.where = std::nullopt,
                .message =
                    fmt::format("declares {}, which no file of the wheel needs or names", unused),
                .evidence = {{"package", unused},
                             {"found", requirement.text},
                             {"expected", "a use of it"}},
                .subject = unused,
                .fix = {}});
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> cuda_package_kinds() {
  return {{"cuda.package-train", package_train},
          {"cuda.package-bounds", package_bounds},
          {"cuda.conflicting-packages", conflicting_packages},
          {"cuda.unneeded-package", unneeded_package}};
}

}  // namespace wheel_audit
