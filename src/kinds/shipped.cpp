// Questions about the libraries that a wheel ships: their names and sonames.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/lasting_name.hpp"
#include "kinds/groups.hpp"
#include "kinds/honest_tag.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// `elf.ships`: shipped libraries whose file name or soname matches a glob of `deny`; with
/// `hashed`, names that repair tools hashed too.
Check ships_denied(Params& params) {
  const std::vector<std::string> deny = params.some("deny");
  const bool hashed = params.flag("hashed");
  return [deny, hashed](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      looked = Looked::something;
      for (const std::string& name : {std::string(base_name(elf->path)), elf->soname}) {
        const std::string plain = hashed ? without_hash(name) : name;
        if (!matches_any(deny, plain)) continue;
        report({.where = elf->path,
                .message = fmt::format("is a bundled {}", plain),
                .evidence = {{"found", name},
                             {"soname", elf->soname},
                             {"expected", "not in the wheel"}},
                .subject = {},
                .fix = {}});
        break;
      }
    }
    return looked;
  };
}

/// `elf.soname`: sonames by which others need a library that is shipped under another name only,
/// and absolute sonames.
Check soname(Params& params) {
  const auto tables = Libraries::of(params);
  const auto platforms = Platforms::of(params);
  return [tables, platforms](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (elf->soname.empty()) continue;
      looked = Looked::something;
      if (!elf->soname.starts_with("/")) continue;
      report(
          {.where = elf->path,
           .message = fmt::format(
               "has the absolute soname {}: whatever links with it needs that path", elf->soname),
           .evidence = {{"soname", elf->soname}, {"expected", std::string(base_name(elf->soname))}},
           .subject = elf->soname,
           .fix = {}});
    }
    if (looked == Looked::nothing) return looked;
    for (const Need& need : judge_needs(subject, libraries, *platforms)) {
      if (need.state != NeedState::soname_only) continue;
      report({.where = need.shipped->member->path,
              .message = fmt::format(
                  "is needed as {} (its soname) by {}, and no file of that name is shipped",
                  need.name, shown_path(need.from->path)),
              .evidence = {{"soname", need.name},
                           {"found", std::string(base_name(need.shipped->path))},
                           {"expected", need.name}},
              .subject = need.name,
              .fix = {}});
    }
    return looked;
  };
}

/// `elf.public-soname`: bundled libraries under a soname that other packages and the host use too.
Check public_soname(Params& params) {
  const Json& table = params.table("sonames");
  return [&table](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    const std::string own =
        subject.wheel.name ? normalize_name(subject.wheel.name->distribution) : "";
    for (const ElfFacts* elf : judged_elves(subject)) {
      const std::string name =
          elf->soname.empty() ? std::string(base_name(elf->path)) : elf->soname;
      if (elf->is_extension()) continue;
      looked = Looked::something;
      if (without_hash(name) != name) continue;  // a repair tool gave it a name of its own
      for (const Json& row : table["libraries"].items()) {
        if (!glob_match(row["soname"].as_string(), name)) continue;
        const std::vector<std::string> owners = row["owners"].strings();
        if (matches_any(owners, own)) continue;
        report(
            {.where = elf->path,
             .message = fmt::format(
                 "is a bundled {} under its public soname: the next library that needs {} in this "
                 "process binds to it",
                 row["library"].as_string(), name),
             .evidence = {{"soname", name},
                          {"found", name},
                          {"expected", "a soname of its own, such as a hashed one"}},
             .subject = {},
             .fix = {}});
        break;
      }
    }
    return looked;
  };
}

bool same_bytes(const Placed& a, const Placed& b) {
  return a.member->size == b.member->size && a.member->crc32 == b.member->crc32;
}

/// Two files of one soname that are both loaded, each needed by its file name. The loader compares
/// later needs with sonames: which of the two answers is chance.
void report_loaded_twice(const Subject& subject, const Closure& closure, Report& report) {
  std::map<std::string_view, const Placed*> first;
  for (const Placed* object : closure.loaded) {
    if (object->elf == nullptr || object->elf->soname.empty()) continue;
    const auto [of, fresh] = first.emplace(object->elf->soname, object);
    const bool own = object->wheel == &subject.wheel;
    if (fresh || same_bytes(*of->second, *object) || (!own && of->second->wheel != &subject.wheel))
      continue;
    const Placed* where = own ? object : of->second;
    const Placed* other = own ? of->second : object;
    report({.where = where->member->path,
            .message = fmt::format("has the soname {}, and so has {}, which loads beside it and "
                                   "differs",
                                   object->elf->soname, shown_path(other->path)),
            .evidence = {{"soname", object->elf->soname},
                         {"found", shown_path(other->path)},
                         {"expected", "a soname of its own"}},
            .subject = object->elf->soname,
            .fix = {}});
  }
}

/// `elf.duplicate-soname`: an object that asks for a library by a soname and gets the one that was
/// loaded before, while its own search path leads to another file of that soname; or two files of
/// one soname that load together.
Check duplicate_soname(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const Libc libc : subject.libcs()) {
      for (const Closure& closure : subject.closures(libc)) {
        report_loaded_twice(subject, closure, report);
        Chains chains(closure);
        for (const Edge& edge : closure.edges) {
          if (edge.met != Met::loaded || edge.from->wheel != &subject.wheel) continue;
          looked = Looked::something;
          const Placed* other = nullptr;
          for (const AppliedEntry& applied :
               search_path_of(*edge.from, chains.to(edge.from), libc)) {
            for (const std::string& directory : applied.entry.directories) {
              if (other == nullptr) other = subject.site().at(directory + "/" + edge.need);
            }
          }
          if (other == nullptr || other == edge.to || other->elf == nullptr ||
              same_bytes(*other, *edge.to))
            continue;
          // A finding is about a member of this wheel: the one that asks, where it means another's.
          const bool own = other->wheel == &subject.wheel;
          report({.where = (own ? other : edge.from)->member->path,
                  .message = fmt::format(
                      "{} asks for {} and means {}; {} is loaded already and differs",
                      shown_path(edge.from->path), edge.need,
                      own ? "this file" : shown_path(other->path), shown_path(edge.to->path)),
                  .evidence = {{"soname", edge.need},
                               {"found", shown_path(edge.to->path)},
                               {"expected", shown_path(other->path)}},
                  .subject = edge.need,
                  .fix = {}});
        }
      }
    }
    return looked;
  };
}

/// `elf.duplicate-runtime`: two runtimes of one family among what the wheel ships and needs.
Check duplicate_runtime(Params& params) {
  const std::vector<std::string> family = params.list("family");
  const std::string name = params.text("name");
  return [family, name](const Subject& subject, Report& report) {
    const auto belongs = [&](std::string_view library) {
      return matches_any(family, without_hash(library));
    };
    std::vector<std::pair<std::string, std::string>>
        runtimes;  // what it is, and the member to name
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (belongs(base_name(elf->path)) || belongs(elf->soname)) {
        runtimes.emplace_back(elf->soname.empty() ? std::string(base_name(elf->path)) : elf->soname,
                              elf->path);
      }
    }
    for (const ElfFacts* elf : judged_elves(subject)) {
      for (const std::string& need : elf->needed) {
        if (belongs(need) && !ships(subject, need)) runtimes.emplace_back(need, elf->path);
      }
    }
    if (runtimes.empty()) return Looked::nothing;
    for (const auto& [what, where] : runtimes) {
      if (what == runtimes.front().first) continue;
      report({.where = where,
              .message = fmt::format("{} is a second {} runtime beside {} ({})", what, name,
                                     runtimes.front().first, runtimes.front().second),
              .evidence = {{"found", what}, {"expected", "one of them: " + runtimes.front().first}},
              .subject = name,
              .fix = {}});
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> shipped_kinds() {
  return {{"elf.ships", ships_denied},
          {"elf.soname", soname},
          {"elf.public-soname", public_soname},
          {"elf.duplicate-soname", duplicate_soname},
          {"elf.duplicate-runtime", duplicate_runtime}};
}

}  // namespace wheel_audit
