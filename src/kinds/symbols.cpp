// Questions about symbols that a system library, or two objects, define.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/runtimes.hpp"
#include "wheel_audit/globs.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

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
                   // Another library than these may define anything: a copy of zlib by another
                   // name.
                   return !is_c_library(need) && need != "libstdc++.so.6" &&
                          need != "libgcc_s.so.1" && subject_.site().libraries_named(need).empty();
                 });
    }
  }

  const Subject& subject_;
  NameSet defined_;
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
  const Globs patterns(params.list("symbols"));
  return [patterns](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    std::set<std::string> reported;
    for (const Closure& closure : subject.closures(subject.libcs().front())) {
      NameMap<const Placed*> owners;
      for (const Placed* object : closure.loaded) {
        for (const Symbol& symbol : object->elf->symbols) {
          if (!symbol.defined || symbol.hidden || symbol.binding != Binding::global) continue;
          if (!patterns.match(symbol.name)) continue;
          looked = Looked::something;
          const auto [place, fresh] = owners.emplace(symbol.name, object);
          if (fresh || place->second == object) continue;
          // The member that is named is one of this wheel; the other may be of a given one.
          const bool own = object->wheel == &subject.wheel;
          const Placed* here = own ? object : place->second;
          const Placed* there = own ? place->second : object;
          if (here->wheel != &subject.wheel) continue;
          if (!reported.insert(std::string(symbol.name)).second) continue;
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
  return {{"elf.underlinked", underlinked},
          {"elf.duplicate-definition", duplicate_definition, nullptr, true}};
}

}  // namespace wheel_audit
