// Questions about symbols across the objects that load together.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "kinds/groups.hpp"
#include "kinds/honest_tag.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The names that the C runtimes export (rules/linux/tables/runtime-symbols.json).
class Runtimes {
 public:
  explicit Runtimes(const Json& table) {
    for (const auto& [library, names] : table["libraries"].entries()) {
      for (const Json& name : names.items()) libraries_[name.as_string()].push_back(library);
    }
  }
  bool exports(std::string_view name, Libc libc) const {
    return std::ranges::any_of(homes(name), [&](const std::string& library) {
      return is_c_library(library) == false ||
             library.starts_with("libc.musl") == (libc == Libc::musl);
    });
  }
  /// The libraries that export a name; former homes included.
  const std::vector<std::string>& homes(std::string_view name) const {
    static const std::vector<std::string> kNone;
    const auto found = libraries_.find(name);
    return found == libraries_.end() ? kNone : found->second;
  }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> libraries_;
};

/// The names that libstdc++ exports (rules/linux/tables/cxx-symbols.json): exactly on the machines
/// that the table lists, by their beginnings on others.
class CxxRuntime {
 public:
  explicit CxxRuntime(const Json& table)
      : machines_(table["machines"].strings()),
        later_(table["later_prefixes"].strings()),
        others_(table["other_prefixes"].strings()) {
    for (const Json& name : table["names"].items()) names_.insert(name.as_string());
  }
  bool exports(std::string_view name, const std::string& machine) const {
    const bool listed = std::ranges::find(machines_, machine) != machines_.end();
    return std::ranges::any_of(
               listed ? later_ : others_,
               [&](const std::string& prefix) { return name.starts_with(prefix); }) ||
           names_.contains(name);
  }

 private:
  std::vector<std::string> machines_;
  std::vector<std::string> later_;
  std::vector<std::string> others_;
  std::set<std::string, std::less<>> names_;
};

bool is_python_name(std::string_view name) {
  return name.starts_with("Py") || name.starts_with("_Py");
}

/// Names that linkers make or that may stay undefined by design.
bool is_special(std::string_view name) {
  return name.starts_with("__gmon_start__") || name.starts_with("_ITM_") || name == "_DYNAMIC" ||
         name == "_GLOBAL_OFFSET_TABLE_" || name == "__tls_get_addr" || name == "environ" ||
         name.starts_with("__libc_");
}

/// Whether every need of a closure was met by the site or is the host's by promise.
bool is_complete(const Subject& subject, const Closure& closure, const Platforms& platforms) {
  return std::ranges::all_of(closure.edges, [&](const Edge& edge) {
    if (edge.met != Met::absent) return true;
    return tags_promise(subject) &&
           std::ranges::all_of(subject.tags(), [&](const PlatformTag& tag) {
             return platforms.promises_library(tag, edge.need);
           });
  });
}

/// Whether a library outside the table may define a name: a need of the closure that the site does
/// not meet.
bool host_may_define(const Closure& closure) {
  // A promised library outside the table (libX11, libglib…) may define anything.
  return std::ranges::any_of(closure.edges, [](const Edge& edge) {
    return edge.met == Met::absent && !is_c_library(edge.need) && edge.need != "libstdc++.so.6" &&
           edge.need != "libgcc_s.so.1" && edge.need != "libz.so.1" &&
           edge.need != "libatomic.so.1";
  });
}

/// Whether the C++ runtime is among what loads.
bool brings_cxx(const Closure& closure) {
  return std::ranges::any_of(closure.edges,
                             [](const Edge& edge) { return edge.need.starts_with("libstdc++"); });
}

/// Names that the objects of a closure define, of objects whose facts hold them.
std::unordered_set<std::string_view> defined_in(const Closure& closure) {
  std::unordered_set<std::string_view> names;
  for (const Placed* object : closure.loaded) {
    for (const Symbol& symbol : object->elf->symbols) {
      if (symbol.defined) names.insert(symbol.name);
    }
  }
  return names;
}

/// `elf.unresolved`: strong undefined symbols that nothing in a complete closure defines. Facts
/// without every symbol leave out what another library of the wheel defines.
Check unresolved(Params& params) {
  const auto platforms = Platforms::of(params);
  const LateTable table = params.late_table("runtimes");
  const LateTable cxx = params.late_table("cxx");
  return [platforms, table, cxx](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    if (!tags_promise(subject)) return looked;
    // By object: names, and in how many closures each is lacking.
    std::map<const Placed*, std::unordered_map<std::string_view, std::size_t>> lacking;
    std::map<const Placed*, std::size_t> closures_of;
    for (const Closure& closure : subject.closures(subject.libcs().front())) {
      const bool complete = is_complete(subject, closure, *platforms);
      const std::unordered_set<std::string_view> defined = defined_in(closure);
      const bool cxx_loads = brings_cxx(closure);
      const bool is_open = host_may_define(closure);
      for (const Placed* object : closure.loaded) {
        if (object->wheel != &subject.wheel) continue;
        ++closures_of[object];
        if (!complete) continue;
        looked = Looked::something;
        for (const Symbol& symbol : object->elf->symbols) {
          const bool asked = !symbol.defined && symbol.binding != Binding::weak &&
                             !is_python_name(symbol.name) && !is_special(symbol.name);
          if (!asked || defined.contains(symbol.name)) continue;
          // A version need says who must define it; other rules judge that.
          if (!symbol.version.empty() || is_open ||
              table.as<Runtimes>().exports(symbol.name, subject.libcs().front()) ||
              (cxx_loads && cxx.as<CxxRuntime>().exports(symbol.name, object->elf->machine)))
            continue;
          ++lacking[object][symbol.name];
        }
      }
    }
    for (const auto& [object, counts] : lacking) {
      std::vector<std::string> names;
      for (const auto& [name, count] : counts) {
        // Fewer: some root brings the definition.
        if (count == closures_of[object]) names.emplace_back(name);
      }
      if (names.empty()) continue;
      std::ranges::sort(names);
      const std::string shown = shortened(names, 3);
      report({.where = object->member->path,
              .message = fmt::format("imports {}, which nothing that loads with it defines", shown),
              .evidence = {{"symbol", shown},
                           {"found", "no definition"},
                           {"expected", "a needed library that defines it"},
                           {"symbols", std::to_string(names.size())}},
              .subject = names.size() == 1 ? names.front() : std::string(),
              .fix = {}});
    }
    return looked;
  };
}

/// What may define a name beside the host: every object of the site, found out when first asked.
class OtherDefinitions {
 public:
  explicit OtherDefinitions(const Subject& subject) : subject_(subject) {}

  /// Whether nothing else may: no object defines it, and none needs a library that is not there.
  bool only_host_defines(std::string_view name) {
    if (!is_known_) find_out();
    return !is_open_ && !defined_.contains(name);
  }

 private:
  void find_out() {
    is_known_ = true;
    for (const Placed& file : subject_.site().files()) {
      if (file.elf == nullptr) continue;
      for (const Symbol& symbol : file.elf->symbols) {
        if (symbol.defined) defined_.insert(symbol.name);
      }
      is_open_ = is_open_ || std::ranges::any_of(file.elf->needed, [&](const std::string& need) {
                   return !is_c_library(need) && need != "libstdc++.so.6" &&
                          need != "libgcc_s.so.1" &&
                          subject_.site().libraries_named(need).empty();
                 });
    }
  }

  const Subject& subject_;
  std::unordered_set<std::string_view> defined_;
  bool is_open_ = false;
  bool is_known_ = false;
};

/// `elf.underlinked`: unversioned imports of a system library that is not NEEDED.
Check underlinked(Params& params) {
  const LateTable table = params.late_table("runtimes");
  const std::vector<std::string> libraries = params.list("libraries");
  return [table, libraries](const Subject& subject, Report& report) {
    if (!tags_promise(subject) || subject.libcs().front() == Libc::musl) return Looked::nothing;
    Looked looked = Looked::nothing;
    OtherDefinitions others(subject);
    const Runtimes* runtimes = nullptr;  // the table is large: parsed when a symbol asks for it
    for (const ElfFacts* elf : judged_elves(subject)) {
      looked = Looked::something;
      std::map<std::string, std::vector<std::string>> by_library;
      for (const Symbol& symbol : elf->symbols) {
        if (symbol.defined || !symbol.version.empty() || symbol.binding == Binding::weak ||
            is_special(symbol.name))
          continue;
        if (runtimes == nullptr) runtimes = &table.as<Runtimes>();
        const std::vector<std::string>& homes = runtimes->homes(symbol.name);
        const bool linked =
            std::ranges::any_of(homes, [&](const std::string& home) { return elf->needs(home); });
        if (homes.empty() || linked) continue;
        const auto home = std::ranges::find_first_of(homes, libraries);
        if (home == homes.end()) continue;
        // Every process has the C library; another one may have come with any object.
        if (is_c_library(*home) || others.only_host_defines(symbol.name))
          by_library[*home].emplace_back(symbol.name);
      }
      for (const auto& [library, names] : by_library) {
        const std::string shown = shortened(names, 3);
        report({.where = elf->path,
                .message = fmt::format("imports {} of {} without needing it and without a version",
                                       shown, library),
                .evidence = {{"symbol", shown},
                             {"library", library},
                             {"found", "NEEDED " + join(elf->needed, ", ")},
                             {"expected", "NEEDED " + library}},
                .subject = library,
                .fix = {}});
      }
    }
    return looked;
  };
}

/// `elf.duplicate-definition`: symbols (globs) that two objects of one closure define.
Check duplicate_definition(Params& params) {
  const std::vector<std::string> patterns = params.list("symbols");
  return [patterns](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    std::set<std::string> reported;
    for (const Closure& closure : subject.closures(subject.libcs().front())) {
      std::unordered_map<std::string_view, const Placed*> owners;
      for (const Placed* object : closure.loaded) {
        for (const Symbol& symbol : object->elf->symbols) {
          if (!symbol.defined || symbol.hidden || symbol.binding != Binding::global) continue;
          if (!matches_any(patterns, symbol.name)) continue;
          looked = Looked::something;
          const auto [place, fresh] = owners.emplace(symbol.name, object);
          if (fresh || place->second == object || !reported.insert(std::string(symbol.name)).second)
            continue;
          // The member that is named is one of this wheel; the other may be of a given one.
          const bool own = object->wheel == &subject.wheel;
          const Placed* here = own ? object : place->second;
          const Placed* there = own ? place->second : object;
          if (here->wheel != &subject.wheel) continue;
          report({.where = here->member->path,
                  .message = fmt::format("defines {}, which {} defines too", symbol.name,
                                         shown_path(there->path)),
                  .evidence = {{"symbol", std::string(symbol.name)},
                               {"found", shown_path(there->path)}},
                  .subject = std::string(symbol.name),
                  .fix = {}});
        }
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> symbol_kinds() {
  return {{"elf.unresolved", unresolved},
          {"elf.underlinked", underlinked},
          {"elf.duplicate-definition", duplicate_definition, nullptr, true}};
}

}  // namespace wheel_audit
