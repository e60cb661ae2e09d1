// Questions about symbol versions: what the tag promises, what the providing library defines.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "kinds/groups.hpp"
#include "kinds/honest_tag.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

bool runs_on_glibc(const Subject& subject) {
  return std::ranges::find(subject.libcs(), Libc::glibc) != subject.libcs().end();
}

/// The first symbols that an object imports with a version of a library, for messages.
std::string symbols_with(const ElfFacts& elf, const VersionNeed& need) {
  std::vector<std::string> names;
  for (const Symbol& symbol : elf.symbols) {
    if (!symbol.defined && symbol.version == need.version && symbol.library == need.library)
      names.emplace_back(symbol.name);
  }
  return shortened(names, 3);
}

/// Whether every symbol behind a version need is one that the tag's policy forbids by name: then
/// that is the fault, and the version follows from it.
bool is_forbidden_alone(const ElfFacts& elf, const VersionNeed& need, const Platforms& platforms,
                        const PlatformTag& tag) {
  bool any = false;
  for (const Symbol& symbol : elf.symbols) {
    if (symbol.defined || symbol.version != need.version || symbol.library != need.library)
      continue;
    if (symbol.binding == Binding::weak ||
        !platforms.forbids_symbol(tag, need.library, symbol.name))
      return false;
    any = true;
  }
  return any;
}

/// `elf.version-promised`: versions needed of host libraries that a tag does not promise.
Check version_promised(Params& params) {
  const auto platforms = Platforms::of(params);
  return [platforms](const Subject& subject, Report& report) {
    const std::vector<const ElfFacts*> elves = judged_elves(subject);
    if (elves.empty() || !tags_promise(subject)) return Looked::nothing;
    const std::string honest = honest_tags(subject, *platforms);
    for (const ElfFacts* elf : elves) {
      for (const VersionNeed& need : elf->version_needs) {
        // A weak need may be absent: the loader goes on without it.
        if (need.weak || need.version == "GLIBC_PRIVATE" || ships(subject, need.library)) continue;
        const auto lacking = std::ranges::find_if(subject.tags(), [&](const PlatformTag& tag) {
          return tag.libc == "glibc" && platforms->promises_version(tag, need.version) == false;
        });
        if (lacking == subject.tags().end() || is_forbidden_alone(*elf, need, *platforms, *lacking))
          continue;
        const std::string symbols = symbols_with(*elf, need);
        report(
            {.where = elf->path,
             .message = fmt::format("needs {}{} of {}, which {} does not promise; its needs fit {}",
                                    symbols.empty() ? "" : symbols + "@", need.version,
                                    need.library, lacking->tag, honest),
             .evidence = {{"library", need.library},
                          {"symbol", symbols},
                          {"found", need.version},
                          {"expected", "versions that " + lacking->tag + " promises"},
                          {"honest_tag", honest}},
             .subject = need.library + " " + need.version,
             .fix = {}});
      }
    }
    return Looked::something;
  };
}

std::vector<std::string> forbidden_symbols(Params& params) {
  return Platforms::of(params)->forbidden_symbols();
}

/// `elf.forbidden-symbol`: GLIBC_PRIVATE, and symbols that a tag's policy forbids.
Check forbidden_symbol(Params& params) {
  const auto platforms = Platforms::of(params);
  return [platforms](const Subject& subject, Report& report) {
    const std::vector<const ElfFacts*> elves = judged_elves(subject);
    if (elves.empty() || !is_linux(subject)) return Looked::nothing;
    for (const ElfFacts* elf : elves) {
      for (const Symbol& symbol : elf->symbols) {
        if (symbol.defined || symbol.binding == Binding::weak) continue;
        if (symbol.version == "GLIBC_PRIVATE") {
          report({.where = elf->path,
                  .message = fmt::format(
                      "imports {}@GLIBC_PRIVATE of {}: an internal symbol of one glibc build",
                      symbol.name, symbol.library),
                  .evidence = {{"symbol", std::string(symbol.name)},
                               {"library", std::string(symbol.library)},
                               {"found", "GLIBC_PRIVATE"}},
                  .subject = std::string(symbol.name),
                  .fix = {}});
          continue;
        }
        // An unversioned import belongs to whichever needed library forbids it.
        const auto forbids = [&](const PlatformTag& tag) {
          if (!symbol.library.empty()) {
            return platforms->forbids_symbol(tag, symbol.library, symbol.name) &&
                   !ships(subject, symbol.library);
          }
          return std::ranges::any_of(elf->needed, [&](const std::string& library) {
            return platforms->forbids_symbol(tag, library, symbol.name) && !ships(subject, library);
          });
        };
        const auto tag = std::ranges::find_if(subject.tags(), forbids);
        if (tag == subject.tags().end()) continue;
        report({.where = elf->path,
                .message = fmt::format("imports {}, which the policy of {} forbids", symbol.name,
                                       tag->tag),
                .evidence = {{"symbol", std::string(symbol.name)},
                             {"library", std::string(symbol.library)},
                             {"found", "a strong import"},
                             {"expected", "no use of it under " + tag->tag}},
                .subject = std::string(symbol.name),
                .fix = {}});
      }
    }
    return Looked::something;
  };
}

/// `elf.version-defined`: versions needed of a library of the site that it does not define.
Check version_defined(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const Libc libc : subject.libcs()) {
      if (libc == Libc::musl) continue;  // musl resolves by name and reads no versions
      for (const Closure& closure : subject.closures(libc)) {
        for (const Edge& edge : closure.edges) {
          if (edge.from->wheel != &subject.wheel || edge.to == nullptr || edge.to->elf == nullptr)
            continue;
          const std::vector<std::string>& defined = edge.to->elf->defines_versions;
          for (const VersionNeed& need : edge.from->elf->version_needs) {
            if (need.library != edge.need) continue;
            looked = Looked::something;
            // A library without any version satisfies every need, with a message at run time.
            if (need.weak || defined.empty() ||
                std::ranges::find(defined, need.version) != defined.end())
              continue;
            report({.where = edge.from->member->path,
                    .message =
                        fmt::format("needs version {} of {}, and {} defines {}", need.version,
                                    need.library, shown_path(edge.to->path), join(defined, ", ")),
                    .evidence = {{"library", need.library},
                                 {"found", join(defined, ", ")},
                                 {"expected", need.version},
                                 {"symbol", symbols_with(*edge.from->elf, need)}},
                    .subject = need.library + " " + need.version,
                    .fix = {}});
          }
        }
      }
    }
    return looked;
  };
}

/// Libraries of an object's version needs that it does not need itself: of each file once.
std::set<std::string_view> orphans_of(const ElfFacts& elf) {
  std::set<std::string_view> orphans;
  for (const VersionNeed& need : elf.version_needs) {
    if (!elf.needs(need.library)) orphans.insert(need.library);
  }
  return orphans;
}

/// The libraries that are loaded whenever an object is: those that the interpreter has loaded, and
/// what every closure with the object needs.
class AlwaysLoaded {
 public:
  explicit AlwaysLoaded(const Subject& subject) {
    for (const Closure& closure : subject.closures(Libc::glibc)) {
      std::set<std::string_view> needs;
      for (const Edge& edge : closure.edges) needs.insert(edge.need);
      for (const Placed* object : closure.loaded) keep(object->elf, needs);
    }
  }

  bool has(const ElfFacts& elf, const std::string& library) const {
    if (library == "libc.so.6" || library == "libm.so.6" || is_program_loader(library)) return true;
    const auto found = with_.find(&elf);
    return found != with_.end() && found->second.contains(library);
  }

 private:
  void keep(const ElfFacts* elf, const std::set<std::string_view>& needs) {
    if (elf == nullptr || elf->version_needs.empty()) return;
    const auto [place, fresh] = with_.try_emplace(elf);
    if (fresh) place->second = orphans_of(*elf);
    std::erase_if(place->second, [&](std::string_view one) { return !needs.contains(one); });
  }

  std::unordered_map<const ElfFacts*, std::set<std::string_view>> with_;
};

/// `elf.version-orphan`: version needs on a file that is not NEEDED; with `indirect`, those whose
/// file is loaded all the same.
Check version_orphan(Params& params) {
  const bool indirect = params.flag("indirect");
  return [indirect](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    if (!runs_on_glibc(subject)) return looked;  // musl reads no versions
    std::optional<AlwaysLoaded> always;          // few wheels have a need of this kind
    for (const ElfFacts* elf : judged_elves(subject)) {
      std::set<std::string> seen;
      for (const VersionNeed& need : elf->version_needs) {
        looked = Looked::something;
        if (elf->needs(need.library) || !seen.insert(need.library).second) continue;
        if (!always) always.emplace(subject);
        if (always->has(*elf, need.library) != indirect) continue;
        report({.where = elf->path,
                .message = fmt::format(
                    "needs version {} of {}, which is not among its NEEDED{}", need.version,
                    need.library, indirect ? "; it is loaded all the same" : ": the loader aborts"),
                .evidence = {{"library", need.library},
                             {"found", "NEEDED " + join(elf->needed, ", ")},
                             {"expected", "NEEDED " + need.library}},
                .subject = need.library,
                .fix = {}});
      }
    }
    return looked;
  };
}

/// `elf.relr-unmarked`: DT_RELR without the version need that keeps older loaders away.
Check relr_unmarked(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    if (!runs_on_glibc(subject)) return looked;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (!elf->packed_relocations) continue;
      looked = Looked::something;
      const bool marked = std::ranges::any_of(elf->version_needs, [](const VersionNeed& need) {
        return need.version == "GLIBC_ABI_DT_RELR";
      });
      if (marked) continue;
      report({.where = elf->path,
              .message = "has DT_RELR relocations and no need of GLIBC_ABI_DT_RELR: a loader "
                         "before glibc 2.36 "
                         "leaves them undone and crashes",
              .evidence = {{"found", "DT_RELR"},
                           {"expected", "a version need on GLIBC_ABI_DT_RELR of libc.so.6"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> version_kinds() {
  return {{"elf.version-promised", version_promised},
          {"elf.forbidden-symbol", forbidden_symbol, forbidden_symbols},
          {"elf.version-defined", version_defined},
          {"elf.version-orphan", version_orphan},
          {"elf.relr-unmarked", relr_unmarked}};
}

}  // namespace wheel_audit
