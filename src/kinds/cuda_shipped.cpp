// Questions about CUDA libraries that a wheel ships, links in, or opens by name.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/lasting_name.hpp"
#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/trains.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The plain names under which a file may be known: its own and its soname's.
std::vector<std::string> plain_names(const ElfFacts& elf) {
  std::vector<std::string> names = {plain_name(base_name(elf.path))};
  if (!elf.soname.empty() && plain_name(elf.soname) != names.front())
    names.push_back(plain_name(elf.soname));
  return names;
}

bool is_in_stubs(std::string_view path) {
  const std::vector<std::string_view> parts = split(path, '/');
  return std::ranges::find(parts, "stubs") != parts.end();
}

/// `cuda.driver-shipped`: a driver library in the wheel, renamed or not.
Check driver_shipped(Params& params) {
  const std::vector<std::string> names = params.some("names");
  return [names](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      looked = Looked::something;
      for (const std::string& name : plain_names(*elf)) {
        if (std::ranges::find(names, name) == names.end()) continue;
        report({.where = elf->path,
                .message = fmt::format("is {}, which belongs to the GPU driver", name),
                .evidence = {{"found", name},
                             {"soname", elf->soname},
                             {"expected", "the driver's own copy"}},
                .subject = {},
                .fix = {}});
        break;
      }
    }
    return looked;
  };
}

/// The row of the toolkit library that a file is a copy of, or nothing.
const Provider* toolkit_row(const Libraries& libraries, const ElfFacts& elf) {
  for (const std::string& name : plain_names(elf)) {
    for (const Provider& provider : libraries.all()) {
      if (provider.nvidia() && plain_name(provider.soname) == name) return &provider;
    }
  }
  return nullptr;
}

/// `cuda.stub`: search entries to a `stubs` directory, and shipped stubs.
Check stub(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      looked = Looked::something;
      for (const std::string& entry : elf->search_path()) {
        if (!is_in_stubs(entry)) continue;
        report({.where = elf->path,
                .message = fmt::format(
                    "search entry \"{}\" leads to link-time stubs, which do nothing when called",
                    entry),
                .evidence = {{"entry", entry},
                             {"found", entry},
                             {"expected", "the directory of the real libraries"}},
                .subject = entry,
                .fix = {}});
      }
      const bool cuda = toolkit_row(libraries, *elf) != nullptr ||
                        libraries.is_driver(base_name(elf->path)) ||
                        libraries.is_driver(elf->soname);
      if (!is_in_stubs(elf->path) || !cuda) continue;
      report({.where = elf->path,
              .message = "is a link-time stub of a CUDA library, which does nothing when called",
              .evidence = {{"found", elf->path}, {"expected", "not in the wheel"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

/// `cuda.toolkit-shipped`: a toolkit library in the wheel although its package is declared, or
/// beside a need for the public one.
Check toolkit_shipped(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    Looked looked = Looked::nothing;
    const std::string own =
        subject.wheel.name ? normalize_name(subject.wheel.name->distribution) : "";
    for (const ElfFacts* elf : judged_elves(subject)) {
      const Provider* row = toolkit_row(libraries, *elf);
      if (row == nullptr) continue;
      looked = Looked::something;
      const std::string name = plain_name(row->soname);
      std::string beside;
      bool vendor = false;
      for (const Provider& provider : libraries.all()) {
        if (!provider.nvidia() || plain_name(provider.soname) != name) continue;
        vendor = vendor || provider.package == own;
        const std::optional<Applies> applies = declared(subject, provider);
        if (applies && (*applies == Applies::always || *applies == Applies::sometimes)) {
          beside = provider.package + " is declared";
        }
      }
      if (vendor) continue;
      for (const ElfFacts* other : judged_elves(subject)) {
        for (const std::string& need : other->needed) {
          const bool is_public = plain_name(need) == name && without_hash(need) == need;
          if (is_public && base_name(elf->path) != need) {
            beside = fmt::format("{} needs the public {}", other->path, need);
          }
        }
      }
      if (beside.empty()) continue;
      report({.where = elf->path,
              .message = fmt::format("is a bundled {} although {}: two copies in one process", name,
                                     beside),
              .evidence = {{"found", std::string(base_name(elf->path))},
                           {"expected", "one copy"},
                           {"beside", beside}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

bool mentions(const Subject& subject, const ElfFacts& elf, std::string_view word) {
  const MemberFacts* member = subject.index().member(elf.path);
  return member != nullptr && std::ranges::find(member->mentions, word) != member->mentions.end();
}

/// `cuda.linked-runtime`: the CUDA runtime linked into one library, and shared in another.
Check linked_runtime(Params& params) {
  const std::string marker = params.text("marker");
  return [marker](const Subject& subject, Report& report) {
    const ElfFacts* shared = nullptr;
    const std::vector<const ElfFacts*> elves = judged_elves(subject);
    for (const ElfFacts* elf : elves) {
      const bool needs = std::ranges::any_of(
          elf->needed, [](const std::string& name) { return plain_name(name) == "libcudart.so"; });
      // Of several, one that has no runtime inside: the other half of the pair.
      if (needs && (shared == nullptr || mentions(subject, *shared, marker))) shared = elf;
    }
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : elves) {
      if (!mentions(subject, *elf, marker) || plain_names(*elf).front() == "libcudart.so") continue;
      looked = Looked::something;
      if (shared == nullptr || shared == elf) continue;
      report({.where = elf->path,
              .message = fmt::format(
                  "has the CUDA runtime linked in, and {} needs the shared one: their states are "
                  "two",
                  shared->path),
              .evidence = {{"found", "a static CUDA runtime"},
                           {"expected", "one runtime for the wheel"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

/// Whether an ELF file of the wheel needs a library: other rules judge it then.
bool is_needed(const Subject& subject, std::string_view name) {
  return std::ranges::any_of(subject.wheel.elves,
                             [&](const ElfFacts& elf) { return elf.needs(name); });
}

/// The members that may open a library by its name: those that the loader maps, Python's sources.
std::vector<const MemberFacts*> openers(const Subject& subject) {
  std::vector<const MemberFacts*> found;
  for (const ElfFacts* elf : judged_elves(subject)) {
    if (const MemberFacts* member = subject.index().member(elf->path)) found.push_back(member);
  }
  if (!installs_on_linux(subject)) return found;
  for (const MemberFacts& member : subject.wheel.members) {
    if (member.path.ends_with(".py")) found.push_back(&member);
  }
  return found;
}

/// `cuda.opened`: a versioned CUDA library among the strings of a file, neither needed nor shipped
/// nor declared.
Check opened(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    Looked looked = Looked::nothing;
    for (const MemberFacts* member : openers(subject)) {
      const ElfFacts* elf = subject.index().elf(member->path);
      for (const std::string& name : member->mentions) {
        const std::vector<Provider> providers = libraries.providers(name, {});
        if (providers.empty() || !providers.front().nvidia() || libraries.is_driver(name)) continue;
        looked = Looked::something;
        const bool needs =
            elf != nullptr ? elf->needs(name) || elf->soname == name : is_needed(subject, name);
        const bool known = needs || !subject.site().libraries_named(name).empty() ||
                           std::ranges::any_of(providers, [&](const Provider& provider) {
                             const std::optional<Applies> applies = declared(subject, provider);
                             return applies && *applies != Applies::never;
                           });
        if (known) continue;
        report({.where = member->path,
                .message =
                    fmt::format("names {} (of {}), which it neither needs nor METADATA declares",
                                name, providers.front().package),
                .evidence = {{"soname", name},
                             {"package", providers.front().package},
                             {"found", "a string " + name}},
                .subject = name,
                .fix = {}});
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> cuda_shipped_kinds() {
  return {{"cuda.driver-shipped", driver_shipped},
          {"cuda.stub", stub},
          {"cuda.toolkit-shipped", toolkit_shipped},
          {"cuda.linked-runtime", linked_runtime},
          {"cuda.opened", opened}};
}

}  // namespace wheel_audit
