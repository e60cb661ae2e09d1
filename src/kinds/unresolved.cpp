// Symbols that nothing which loads together defines.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/runtimes.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

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
    return edge.met == Met::absent && !is_runtime_library(edge.need);
  });
}

/// Whether the C++ runtime is among what loads.
bool brings_cxx(const Closure& closure) {
  return std::ranges::any_of(closure.edges,
                             [](const Edge& edge) { return edge.need.starts_with("libstdc++"); });
}

/// The closures of a subject, seen from their objects.
class Company {
 public:
  Company(const Subject& subject, const Platforms& platforms) {
    std::uint32_t index = 0;
    for (const Closure& closure : subject.closures(subject.libcs().front())) {
      const bool complete = is_complete(subject, closure, platforms);
      const bool decides = complete && !host_may_define(closure);
      const bool cxx = brings_cxx(closure);
      for (const Placed* object : closure.loaded) {
        Of& of = objects_[object];
        of.closures.push_back(index);
        of.decides = of.decides && decides;
        of.complete = of.complete || complete;
        of.cxx = of.cxx || cxx;
      }
      ++index;
    }
  }

  /// Whether some closure of the object is complete.
  bool is_complete_once(const Placed* object) const { return of(object).complete; }
  /// Whether every closure of the object tells all that may define a name in it.
  bool decides(const Placed* object) const { return of(object).decides; }
  /// Whether some closure of the object brings the C++ runtime.
  bool has_cxx(const Placed* object) const { return of(object).cxx; }

  /// Whether two objects load together in some closure.
  bool are_together(const Placed* a, const Placed* b) {
    const auto [known, fresh] = together_.try_emplace(std::minmax(a, b), false);
    if (fresh) {
      const std::vector<std::uint32_t>& left = of(a).closures;
      const std::vector<std::uint32_t>& right = of(b).closures;
      auto l = left.begin();
      auto r = right.begin();
      while (l != left.end() && r != right.end() && *l != *r) *l < *r ? ++l : ++r;
      known->second = l != left.end() && r != right.end();
    }
    return known->second;
  }

 private:
  struct Of {
    std::vector<std::uint32_t> closures;  ///< that it loads in, rising
    bool decides = true;
    bool complete = false;
    bool cxx = false;
  };
  const Of& of(const Placed* object) const {
    static const Of kNone{{}, false, false, false};
    const auto found = objects_.find(object);
    return found == objects_.end() ? kNone : found->second;
  }

  std::unordered_map<const Placed*, Of> objects_;
  std::map<std::pair<const Placed*, const Placed*>, bool> together_;
};

/// Names, and the objects of the site that define them.
using Definers = NameMap<std::vector<const Placed*>>;

/// Adds the definitions of the names that are there.
void find_definers(const Subject& subject, Definers& names) {
  for (const Placed& file : subject.site().files()) {
    if (file.elf == nullptr) continue;
    for (const Symbol& symbol : file.elf->symbols) {
      if (!symbol.defined) continue;
      const auto wanted = names.find(symbol.name);
      if (wanted == names.end()) continue;
      if (wanted->second.empty() || wanted->second.back() != &file) wanted->second.push_back(&file);
    }
  }
}

/// `elf.unresolved`: strong undefined symbols that nothing in a complete closure defines. Facts
/// without every symbol leave out what another library of the wheel defines. An object whose
/// symbol some root brings is left alone. Each object and each definition is looked at once,
/// however many roots load it.
Check unresolved(Params& params) {
  const auto platforms = Platforms::of(params);
  const LateTable table = params.late_table("runtimes");
  const LateTable cxx = params.late_table("cxx");
  return [platforms, table, cxx](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    if (!tags_promise(subject)) return looked;
    Company company(subject, *platforms);
    Definers definers;
    std::vector<std::pair<const Placed*, std::vector<std::string_view>>> imports;
    for (const Placed& object : subject.site().files()) {
      if (object.elf == nullptr || object.wheel != &subject.wheel) continue;
      if (company.is_complete_once(&object)) looked = Looked::something;
      if (!company.decides(&object)) continue;
      std::vector<std::string_view> names;
      for (const Symbol& symbol : object.elf->symbols) {
        // A version need says who must define it; other rules judge that.
        const bool asked = !symbol.defined && symbol.binding != Binding::weak &&
                           symbol.version.empty() && !is_of_python(symbol.name) &&
                           !is_special(symbol.name);
        if (!asked || table.as<Runtimes>().exports(symbol.name, subject.libcs().front()) ||
            (company.has_cxx(&object) &&
             cxx.as<CxxRuntime>().exports(symbol.name, object.elf->machine)))
          continue;
        names.push_back(symbol.name);
        definers.try_emplace(symbol.name);
      }
      if (!names.empty()) imports.emplace_back(&object, std::move(names));
    }
    if (!definers.empty()) find_definers(subject, definers);
    for (const auto& [object, names] : imports) {
      std::set<std::string> lacking;
      for (const std::string_view name : names) {
        const bool is_brought = std::ranges::any_of(
            definers.find(name)->second,
            [&, from = object](const Placed* by) { return company.are_together(from, by); });
        if (!is_brought) lacking.emplace(name);
      }
      if (lacking.empty()) continue;
      const std::vector<std::string> sorted(lacking.begin(), lacking.end());
      const std::string shown = shortened(sorted, 3);
      report({.where = object->member->path,
              .message = fmt::format("imports {}, which nothing that loads with it defines", shown),
              .evidence = {{"symbol", shown},
                           {"found", "no definition"},
                           {"expected", "a needed library that defines it"},
                           {"symbols", std::to_string(sorted.size())}},
              .subject = sorted.size() == 1 ? sorted.front() : std::string(),
              .fix = {}});
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> unresolved_kinds() { return {{"elf.unresolved", unresolved}}; }

}  // namespace wheel_audit
