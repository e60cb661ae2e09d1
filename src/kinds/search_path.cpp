// Questions about DT_RPATH and DT_RUNPATH entries, one by one.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/build_trees.hpp"
#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/search_entry.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

using Type = SearchEntry::Type;

/// One entry of one library, with what it is an entry of.
struct Place {
  const Subject* subject = nullptr;
  const Placed* library = nullptr;
  SearchEntry entry;
  bool alone = false;                ///< the only entry of its path
  std::vector<std::string> earlier;  ///< directories of the entries before it
};

/// Whether an entry is `/..` and the like: an `$ORIGIN` that a shell expanded to nothing.
bool lost_origin(std::string_view text) {
  return text == "/.." || text.starts_with("/../") || text.starts_with("/./") || text == "/.";
}

bool leaves_prefix(const SearchEntry& entry) {
  return std::ranges::any_of(entry.directories, [](const std::string& directory) {
    return directory == ".." || directory.starts_with("../");
  });
}

/// The prefix's own library directories, where declared packages of other kinds install.
bool is_prefix_library_directory(std::string_view directory) {
  return directory == "lib" || directory == "lib64" || directory.starts_with("lib/") ||
         directory.starts_with("lib64/");
}

bool is_absolute(const Place& place) {
  return place.entry.type == Type::absolute && !lost_origin(place.entry.text);
}
/// glibc ignores a path that is empty as a whole (decompose_rpath() in elf/dl-load.c), and musl
/// every empty entry (path_open() in ldso/dynlink.c).
bool is_empty(const Place& place) {
  const std::vector<Libc>& libcs = place.subject->libcs();
  return place.entry.type == Type::empty && !place.alone &&
         std::ranges::find(libcs, Libc::glibc) != libcs.end();
}
bool is_relative(const Place& place) {
  return place.entry.type == Type::relative ||
         (place.entry.type == Type::absolute && lost_origin(place.entry.text));
}
bool escapes(const Place& place) {
  if (place.entry.type != Type::origin) return false;
  return leaves_prefix(place.entry) ||
         std::ranges::any_of(place.entry.directories, [&](const std::string& directory) {
           const bool own = directory == directory_name(place.library->path) ||
                            place.subject->site().is_directory(directory);
           return !own && !is_in_site_packages(directory) &&
                  !is_prefix_library_directory(directory);
         });
}
/// Whether the last part is a library's file name: `libx.so`, `libx.so.1.2`.
bool looks_like_library(std::string_view text) {
  const std::string_view name = base_name(text);
  const std::size_t at = name.find(".so");
  if (!name.starts_with("lib") || at == std::string_view::npos) return false;
  return name.substr(at + 3).find_first_not_of(".0123456789") == std::string_view::npos;
}

bool names_a_file(const Place& place) {
  const bool is_directory = std::ranges::any_of(place.entry.directories, [&](const std::string& d) {
    return place.subject->site().is_directory(d);
  });
  if (!is_directory && looks_like_library(place.entry.text)) return true;
  return std::ranges::any_of(place.entry.directories, [&](const std::string& directory) {
    return place.subject->site().at(directory) != nullptr;
  });
}
bool is_repeated(const Place& place) {
  return place.entry.type == Type::origin && !place.entry.directories.empty() &&
         std::ranges::find(place.earlier, place.entry.directories.front()) != place.earlier.end();
}

/// Whether host tokens make a difference: some of the directories exist in the wheel, others not.
bool depends_on_host(const Place& place) {
  if (!place.entry.host_token) return false;
  const auto exists = [&](const std::string& directory) {
    return place.subject->site().is_directory(directory);
  };
  return std::ranges::any_of(place.entry.directories, exists) &&
         !std::ranges::all_of(place.entry.directories, exists);
}

struct Question {
  std::string_view word;
  bool (*holds)(const Place&);
  std::string_view message;
};

const Question kQuestions[] = {
    {"absolute", is_absolute, "is an absolute path, which exists on the machine that built it"},
    {"empty", is_empty, "is empty: the loader searches the working directory"},
    {"relative", is_relative, "starts at the working directory, not at the library"},
    {"escaping", escapes, "climbs above the environment that the wheel is installed in"},
    {"file", names_a_file, "names a file; the loader looks for directories"},
    {"repeated", is_repeated, "is the same directory as an entry before it"},
    {"host-token", depends_on_host, "leads to different directories on different machines"},
};

/// Calls `visit` for each entry of each judged library; false when there is none at all.
template <typename Visit>
bool each_entry(const Subject& subject, const Visit& visit) {
  bool any = false;
  for (const ElfFacts* elf : judged_elves(subject)) {
    const Placed* placed = subject.site().of(subject.wheel, elf->path);
    if (placed == nullptr || placed->elf == nullptr) continue;
    for (const std::vector<std::string>* path : {&elf->rpath, &elf->runpath}) {
      Place place{&subject, placed, {}, path->size() == 1, {}};
      for (const std::string& text : *path) {
        any = true;
        place.entry = search_entry(text, *placed);
        visit(place);
        for (const std::string& directory : place.entry.directories)
          place.earlier.push_back(directory);
      }
    }
  }
  return any;
}

/// The command that leaves the library the other entries of its search path.
std::string command_without(const Place& place) {
  const ElfFacts& elf = *place.library->elf;
  const bool of_rpath = !elf.has_runpath;
  constexpr std::size_t kMostShown = 64;  // real paths have under ten entries
  const std::vector<std::string>& all = of_rpath ? elf.rpath : elf.runpath;
  if (all.size() > kMostShown) return "patchelf --set-rpath with the entries that are meant";
  std::vector<std::string> rest = all;
  std::erase(rest, place.entry.text);
  if (rest.empty()) return "patchelf --remove-rpath";
  return fmt::format("patchelf {}--set-rpath {}", of_rpath ? "--force-rpath " : "",
                     shell_quoted(join(rest, ":")));
}

Fault fault_of(const Place& place, std::string_view message) {
  return {.where = place.library->member->path,
          .message = fmt::format("search entry \"{}\" {}", place.entry.text, message),
          .evidence = {{"entry", place.entry.text},
                       {"without", command_without(place)},
                       {"found", place.entry.directories.empty()
                                     ? place.entry.text
                                     : shown_path(place.entry.directories.front())},
                       {"expected", "an entry that starts with $ORIGIN"}},
          .subject = place.entry.text,
          .fix = {}};
}

/// `elf.search-entry`: entries of the form that parameter `is` names.
Check search_entry_is(Params& params) {
  std::vector<std::string> words;
  for (const Question& question : kQuestions) words.emplace_back(question.word);
  const std::string word = params.word("is", words);
  const Question* question = std::ranges::find(kQuestions, word, &Question::word);
  return [question](const Subject& subject, Report& report) {
    const bool any = each_entry(subject, [&](const Place& place) {
      if (question->holds(place)) report(fault_of(place, question->message));
    });
    return any ? Looked::something : Looked::nothing;
  };
}

/// Whether an entry below $ORIGIN leads to a directory of the wheel or of what it is installed
/// with.
bool leads_into_wheel(const Place& place, const Subject& subject) {
  return place.entry.type == Type::origin &&
         std::ranges::any_of(place.entry.directories, [&](const std::string& directory) {
           return subject.site().is_directory(directory);
         });
}

/// `elf.search-entry-names`: entries that match a glob of `deny` or name a build tree of the table,
/// and match no glob of `allow`. What `allow` lets pass is judged all the same where it names a
/// directory that only builds make and leads to nothing in the wheel.
Check search_entry_names(Params& params) {
  std::vector<std::string> deny = params.list("deny");
  const BuildTrees trees = BuildTrees::of(params);
  for (const std::string& root : trees.roots) deny.push_back(root + "*");
  deny.insert(deny.end(), trees.entries.begin(), trees.entries.end());
  const std::vector<std::string> allow = params.list("allow");
  const std::string message = params.text("message", "is denied");
  return [deny, allow, scratch = trees.scratch, message](const Subject& subject, Report& report) {
    const bool any = each_entry(subject, [&](const Place& place) {
      // A closing slash lets one glob name a directory at the end and in the middle.
      const std::string text = place.entry.text + "/";
      if (matches_any(scratch, text)) {
        if (!leads_into_wheel(place, subject)) report(fault_of(place, message));
        return;
      }
      if (matches_any(deny, text) && !matches_any(allow, text)) report(fault_of(place, message));
    });
    return any ? Looked::something : Looked::nothing;
  };
}

/// `elf.rpath-beside-runpath`: DT_RPATH that the loader ignores.
Check rpath_beside_runpath(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (elf->has_rpath || elf->has_runpath) looked = Looked::something;
      if (!elf->has_rpath || !elf->has_runpath) continue;
      report({.where = elf->path,
              .message = fmt::format(
                  "has DT_RPATH \"{}\" beside DT_RUNPATH \"{}\": the loader ignores DT_RPATH",
                  join(elf->rpath, ":"), join(elf->runpath, ":")),
              .evidence = {{"found", join(elf->rpath, ":")}, {"expected", "DT_RUNPATH alone"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

/// `elf.dangling-entry`: `$ORIGIN` entries that lead to no directory of the wheel, of a given wheel
/// or of a package of the tables that is declared.
Check dangling_entry(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    std::set<std::string> declared_directories;
    for (const Provider& provider : libraries.all()) {
      const std::optional<Applies> applies = declared(subject, provider);
      if (!applies || *applies == Applies::never) continue;
      declared_directories.insert(provider.directories.begin(), provider.directories.end());
    }
    const bool any = each_entry(subject, [&](const Place& place) {
      if (place.entry.type != Type::origin || escapes(place) || names_a_file(place)) return;
      const bool leads =
          std::ranges::any_of(place.entry.directories, [&](const std::string& directory) {
            return subject.site().is_directory(directory) ||
                   declared_directories.contains(directory) ||
                   owner_by_name(subject, directory) != nullptr ||
                   (is_prefix_library_directory(directory) && !is_in_site_packages(directory));
          });
      if (!leads)
        report(fault_of(place, "leads to no directory of the wheel or of a declared package"));
    });
    return any ? Looked::something : Looked::nothing;
  };
}

}  // namespace

std::vector<Kind> search_path_kinds() {
  return {{"elf.search-entry", search_entry_is},
          {"elf.search-entry-names", search_entry_names},
          {"elf.rpath-beside-runpath", rpath_beside_runpath},
          {"elf.dangling-entry", dangling_entry}};
}

}  // namespace wheel_audit
