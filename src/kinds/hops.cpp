// Questions about search paths that a packager adds by one scheme to all of a project's libraries:
// a hop to the packages of the train, the directories of the siblings, and nothing that leads
// nowhere but what the table lets dangle. Resolved directories are compared as sets.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/release.hpp"
#include "kinds/search_scheme.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// A directory that a library's entries should lead to and do not.
struct Miss {
  const Library* library = nullptr;
  std::string directory;
  std::string_view why;                  ///< why it should
  std::vector<std::string> unreachable;  ///< needs that are not found for it
};

/// An entry that was meant for a directory of the scheme and leads elsewhere.
struct Stray {
  const Library* library = nullptr;
  const SearchEntry* entry = nullptr;
  std::string directory;  ///< that it was meant for
};

std::string expected_entry(const Library& library, const std::string& directory) {
  return fmt::format("{} in {}", origin_entry(*library.placed, directory), library.path());
}

/// Every miss: of the train's directories by libraries that need the toolkit, of the siblings by
/// all.
std::vector<Miss> misses_of(const Subject& subject, const std::vector<Library>& libraries,
                            const Scheme& scheme, const ReleaseTrain* train) {
  std::vector<Miss> misses;
  for (const Library& library : libraries) {
    if (train != nullptr && library.wants_hop) {
      for (const std::string& directory : train->directories) {
        if (!library.directories.contains(directory))
          misses.push_back(
              {&library, directory, "where the train's packages install", {train->runtime}});
      }
    }
    for (const std::string& directory : scheme.siblings) {
      if (library.directories.contains(directory)) continue;
      misses.push_back({&library, directory, "where its siblings lie", {}});
      for (const std::string& need : library.placed->elf->needed) {
        if (subject.site().at(directory + "/" + need) != nullptr)
          misses.back().unreachable.push_back(need);
      }
    }
  }
  return misses;
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
    if (!is_in_site_packages(directory))
      return fmt::format("leaves the tree, to {}", shown_path(directory));
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

/// Entries that were meant for a directory of the scheme: each leads elsewhere, and either nowhere
/// or while the library misses that directory.
std::vector<Stray> strays_of(const Subject& subject, const std::vector<Library>& libraries,
                             const Scheme& scheme, const std::set<std::string>& installed) {
  std::set<std::string> wanted = installed;
  wanted.insert(scheme.siblings.begin(), scheme.siblings.end());
  std::vector<Stray> strays;
  for (const Library& library : libraries) {
    for (const SearchEntry& entry : library.entries) {
      if (entry.type != SearchEntry::Type::origin || entry.directories.empty()) continue;
      const auto aim = std::ranges::find_if(
          wanted, [&](const std::string& directory) { return aims_at(entry, directory); });
      if (aim == wanted.end() || entry.directories.front() == *aim) continue;
      const bool lost = !wrong_about(subject, entry, scheme, installed).empty();
      if (lost || !library.directories.contains(*aim)) strays.push_back({&library, &entry, *aim});
    }
  }
  return strays;
}

/// Strays as one fault: one step of the packager made them all, at another depth than the wheel's.
/// It is the fault of the misses that they explain.
void report_strays(const std::vector<Stray>& strays, const std::vector<Miss>& misses,
                   Report& report) {
  if (strays.empty()) return;
  std::set<const Library*> libraries;
  std::vector<std::string> found;
  std::vector<std::string> expected;
  for (const Stray& stray : strays) {
    libraries.insert(stray.library);
    found.push_back(fmt::format("\"{}\" in {} leads to {}", stray.entry->text,
                                stray.library->path(),
                                shown_path(stray.entry->directories.front())));
    expected.push_back(expected_entry(*stray.library, stray.directory));
  }
  const bool alone = libraries.size() == 1;
  const std::string whose =
      alone ? "its search entries are"
            : fmt::format("search entries of {} libraries are", libraries.size());
  Fault fault = {
      .where = alone ? std::optional<std::string>(strays.front().library->path()) : std::nullopt,
      .message = fmt::format("{} for another depth in the package: {}", whose, shortened(found, 3)),
      .evidence = {{"entry", strays.front().entry->text},
                   {"found", shortened(found)},
                   {"expected", shortened(expected)}},
      .subject = "depth",
      .fix = {}};
  for (const Stray& stray : strays)
    fault.covers.emplace_back(stray.library->path(), stray.entry->text);
  for (const Miss& miss : misses) {
    for (const std::string& need : miss.unreachable)
      fault.covers.emplace_back(miss.library->path(), need);
  }
  report(std::move(fault));
}

/// Libraries without any entry for one directory, as one fault.
void report_absent(const std::vector<Miss>& misses, Report& report) {
  std::vector<std::string> paths;
  std::vector<std::string> expected;
  for (const Miss& miss : misses) {
    paths.push_back(miss.library->path());
    expected.push_back(expected_entry(*miss.library, miss.directory));
  }
  const bool alone = misses.size() == 1;
  const std::string directory = shown_path(misses.front().directory);
  const std::string whose = alone ? "has" : fmt::format("{} libraries have", misses.size());
  Fault fault = {
      .where = alone ? std::optional<std::string>(paths.front()) : std::nullopt,
      .message = fmt::format("{} no search entry that leads to {}, {}{}", whose, directory,
                             misses.front().why, alone ? "" : ": " + shortened(paths)),
      .evidence = {{"entry",
                    origin_entry(*misses.front().library->placed, misses.front().directory)},
                   {"found", "no such entry"},
                   {"expected", shortened(expected)}},
      .subject = directory,
      .fix = {}};
  for (const Miss& miss : misses) {
    for (const std::string& need : miss.unreachable)
      fault.covers.emplace_back(miss.library->path(), need);
  }
  report(std::move(fault));
}

void report_misses(const std::vector<Miss>& misses, const std::vector<Stray>& strays,
                   Report& report) {
  std::vector<Miss> explained;
  std::map<std::string, std::vector<Miss>> absent;
  for (const Miss& miss : misses) {
    const bool strayed = std::ranges::any_of(strays, [&](const Stray& stray) {
      return stray.library == miss.library && stray.directory == miss.directory;
    });
    (strayed ? explained : absent[miss.directory]).push_back(miss);
  }
  report_strays(strays, explained, report);
  for (const auto& [directory, of] : absent) {
    if (!of.empty()) report_absent(of, report);
  }
}

void report_entries(const Subject& subject, const std::vector<Library>& libraries,
                    const Scheme& scheme, const std::set<std::string>& installed,
                    const std::vector<Stray>& strays, Report& report) {
  for (const Library& library : libraries) {
    for (const SearchEntry& entry : library.entries) {
      const std::string wrong = wrong_about(subject, entry, scheme, installed);
      const bool told = std::ranges::find(strays, &entry, &Stray::entry) != strays.end();
      if (wrong.empty() || told) continue;
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
    const std::set<std::string> installed =
        installed_directories(subject, libraries, release, train);
    const std::vector<Stray> strays = strays_of(subject, libraries, scheme, installed);
    report_misses(misses_of(subject, libraries, scheme, train), strays, report);
    report_entries(subject, libraries, scheme, installed, strays, report);
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
