// Questions about search paths that a packager adds by one scheme to all of a project's libraries:
// a hop to the packages of the train, the directories of the siblings, and nothing that leads
// nowhere but what the table lets dangle. Resolved directories are compared as sets.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/libraries.hpp"
#include "kinds/needs.hpp"
#include "kinds/release.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The scheme, as the table has it; directories are below the prefix.
struct Scheme {
  std::vector<std::string> libraries;  ///< globs of the libraries that follow it
  std::vector<std::string> siblings;
  std::vector<std::string> toolkit;   ///< globs of needs that want the hop
  std::set<std::string> dangling;     ///< directories that need not exist
  std::vector<std::string> absolute;  ///< globs of absolute entries that are allowed
  std::vector<std::string> builders;  ///< globs of parts that only a build machine has
};

Scheme scheme_of(Params& params) {
  Scheme scheme;
  strictly(params, params.table("table"), "", [&](Fields& table) {
    table.find("about");
    scheme.libraries = table.texts("libraries");
    for (const std::string& directory : table.texts("siblings"))
      scheme.siblings.push_back(directory_below_prefix(directory));
    scheme.toolkit = table.texts("toolkit");
    for (const std::string& directory : table.texts("dangling"))
      scheme.dangling.insert(directory_below_prefix(directory));
    scheme.absolute = table.texts("absolute");
    scheme.builders = table.texts("builders");
  });
  return scheme;
}

/// One library with its entries taken apart.
struct Library {
  const Placed* placed = nullptr;
  std::vector<SearchEntry> entries;
  std::set<std::string> directories;
  bool wants_hop = false;
  const std::string& path() const { return placed->member->path; }
};

std::vector<Library> libraries_of(const Subject& subject, const Scheme& scheme) {
  std::vector<Library> found;
  for (const ElfFacts* elf : shipped_elves(subject, scheme.libraries)) {
    const Placed* placed = subject.site().of(subject.wheel, elf->path);
    if (placed == nullptr || placed->elf == nullptr || elf->is_executable()) continue;
    Library library;
    library.placed = placed;
    for (const std::string& text : elf->search_path()) {
      SearchEntry entry = search_entry(text, directory_name(placed->path));
      library.directories.insert(entry.directories.begin(), entry.directories.end());
      library.entries.push_back(std::move(entry));
    }
    library.wants_hop = std::ranges::any_of(
        elf->needed, [&](const std::string& need) { return matches_any(scheme.toolkit, need); });
    found.push_back(std::move(library));
  }
  return found;
}

bool has_any_entry(const std::vector<Library>& libraries) {
  return std::ranges::any_of(libraries, [](const Library& one) { return !one.entries.empty(); });
}

/// Whether an entry was meant to lead to a directory: it ends in the directory's last parts.
bool aims_at(const SearchEntry& entry, const std::string& directory) {
  std::string_view text = entry.text;
  while (text.ends_with("/")) text.remove_suffix(1);
  const std::string_view below = std::string_view(directory).substr(kSitePackages.size());
  return text.ends_with(below);
}

/// Libraries that lack an entry to one directory, as one fault: the packager made them all.
Fault lacking(const std::vector<const Library*>& libraries, const std::string& directory,
              std::string_view what) {
  const bool alone = libraries.size() == 1;
  std::vector<std::string> wanted;
  std::vector<std::string> aimed;
  Fault fault;
  for (const Library* library : libraries) {
    wanted.push_back(
        fmt::format("{} in {}", origin_entry(*library->placed, directory), library->path()));
    for (const SearchEntry& entry : library->entries) {
      if (!aims_at(entry, directory) || entry.directories.empty()) continue;
      aimed.push_back(fmt::format("\"{}\" in {} leads to {}", entry.text, library->path(),
                                  shown_path(entry.directories.front())));
      fault.covers.emplace_back(library->path(), entry.text);
    }
  }
  if (alone) fault.where = libraries.front()->path();
  std::vector<std::string> paths;
  for (const Library* library : libraries) paths.push_back(library->path());
  fault.message = fmt::format(
      "{} no search entry that leads to {} ({}){}",
      alone ? "has" : fmt::format("{} libraries have", libraries.size()), shown_path(directory),
      what, aimed.empty() ? (alone ? "" : ": " + shortened(paths)) : ": " + shortened(aimed));
  fault.evidence = {{"entry", origin_entry(*libraries.front()->placed, directory)},
                    {"found", aimed.empty() ? "no such entry" : join(aimed, ", ")},
                    {"expected", join(wanted, ", ")}};
  fault.subject = shown_path(directory);
  return fault;
}

void report_hops(const std::vector<Library>& libraries, const ReleaseTrain& train, Report& report) {
  for (const std::string& directory : train.directories) {
    std::vector<const Library*> without;
    for (const Library& library : libraries) {
      if (library.wants_hop && !library.directories.contains(directory))
        without.push_back(&library);
    }
    if (without.empty()) continue;
    Fault fault = lacking(without, directory, "where the packages of " + train.name + " install");
    for (const Library* library : without)
      fault.covers.emplace_back(library->path(), train.runtime);
    report(std::move(fault));
  }
}

void report_siblings(const Subject& subject, const std::vector<Library>& libraries,
                     const Scheme& scheme, Report& report) {
  for (const std::string& directory : scheme.siblings) {
    std::vector<const Library*> without;
    for (const Library& library : libraries) {
      if (!library.directories.contains(directory)) without.push_back(&library);
    }
    if (without.empty()) continue;
    Fault fault = lacking(without, directory, "where its siblings lie");
    for (const Library* library : without) {
      for (const std::string& need : library->placed->elf->needed) {
        if (subject.site().at(directory + "/" + need) != nullptr)
          fault.covers.emplace_back(library->path(), need);
      }
    }
    report(std::move(fault));
  }
}

/// What is wrong with an entry by itself; empty when nothing is.
std::string wrong_about(const Subject& subject, const SearchEntry& entry, const Scheme& scheme,
                        const std::set<std::string>& installed) {
  using Type = SearchEntry::Type;
  if (entry.type == Type::empty) return "is empty: the loader searches the working directory";
  for (const std::string_view part : split(entry.text, '/')) {
    if (matches_any(scheme.builders, part))
      return fmt::format("names the build machine ({})", part);
  }
  if (entry.type == Type::absolute)
    return matches_any(scheme.absolute, entry.text) ? "" : "is an absolute path";
  if (entry.type == Type::relative) return "starts at the working directory, not at the library";
  for (const std::string& directory : entry.directories) {
    const bool inside =
        directory == kSitePackages || directory.starts_with(std::string(kSitePackages) + "/");
    if (!inside) return fmt::format("leaves the tree, to {}", shown_path(directory));
    if (!subject.site().is_directory(directory) && !scheme.dangling.contains(directory) &&
        !installed.contains(directory))
      return fmt::format(
          "leads to {}, which is no directory of the wheel and none that may be "
          "absent",
          shown_path(directory));
  }
  return {};
}

/// Where the packages of the wheel's train install, and of the trains whose runtime its libraries
/// need where that is in doubt.
std::set<std::string> installed_directories(const Subject& subject,
                                            const std::vector<Library>& libraries,
                                            const Release& release, const ReleaseTrain* own) {
  std::set<std::string> installed;
  for (const ReleaseTrain& train : release.trains()) {
    const bool needed = std::ranges::any_of(libraries, [&](const Library& library) {
      return library.placed->elf->needs(train.runtime);
    });
    if (own == nullptr ? needed || release.train_of_claim(subject) == &train : own == &train)
      installed.insert(train.directories.begin(), train.directories.end());
  }
  return installed;
}

void report_entries(const Subject& subject, const std::vector<Library>& libraries,
                    const Scheme& scheme, const std::set<std::string>& installed, Report& report) {
  for (const Library& library : libraries) {
    for (const SearchEntry& entry : library.entries) {
      const std::string wrong = wrong_about(subject, entry, scheme, installed);
      if (wrong.empty()) continue;
      // A hop that misses is told with the hop.
      const bool told =
          library.wants_hop && std::ranges::any_of(installed, [&](const std::string& directory) {
            return aims_at(entry, directory) && !library.directories.contains(directory);
          });
      if (told) continue;
      report({.where = library.path(),
              .message = fmt::format("search entry \"{}\" {}", entry.text, wrong),
              .evidence = {{"entry", entry.text},
                           {"found", entry.directories.empty()
                                         ? entry.text
                                         : shown_path(entry.directories.front())},
                           {"expected", "an entry of the packager's scheme"}},
              .subject = entry.text,
              .fix = {}});
    }
  }
}

/// `elf.hops`: libraries without the entries that the scheme gives them, and entries outside it.
/// Where no library has any entry, `elf.no-search-path` says so.
Check hops(Params& params) {
  const Scheme scheme = scheme_of(params);
  const Release release(params.table("release"));
  return [scheme, release](const Subject& subject, Report& report) {
    const std::vector<Library> libraries = libraries_of(subject, scheme);
    if (!has_any_entry(libraries)) return Looked::nothing;
    const ReleaseTrain* train = release.train_of(subject);
    if (train != nullptr) report_hops(libraries, *train, report);
    report_siblings(subject, libraries, scheme, report);
    report_entries(subject, libraries, scheme,
                   installed_directories(subject, libraries, release, train), report);
    return Looked::something;
  };
}

/// `elf.no-search-path`: not one of the libraries has a search path.
Check no_search_path(Params& params) {
  const Scheme scheme = scheme_of(params);
  return [scheme](const Subject& subject, Report& report) {
    const std::vector<Library> libraries = libraries_of(subject, scheme);
    if (libraries.empty()) return Looked::nothing;
    if (has_any_entry(libraries)) return Looked::something;
    Fault fault = {
        .where = std::nullopt,
        .message = fmt::format("none of its {} libraries has a search path: the step "
                               "that writes them did not run",
                               libraries.size()),
        .evidence = {{"found", "no DT_RUNPATH"}, {"expected", "DT_RUNPATH with $ORIGIN entries"}},
        .subject = {},
        .fix = {}};
    for (const Library& library : libraries) {
      for (const std::string& need : library.placed->elf->needed)
        fault.covers.emplace_back(library.path(), need);
    }
    report(std::move(fault));
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> hop_kinds() {
  return {{"elf.hops", hops}, {"elf.no-search-path", no_search_path}};
}

}  // namespace wheel_audit
