// Questions about the libraries that a wheel ships: their names and sonames.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/hashed_name.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// `elf.ships`: shipped libraries whose file name or soname matches a glob of `deny`; with
/// `hashed`, names that repair tools hashed too.
Check ships_denied(Params& params) {
  const std::vector<std::string> deny = params.list("deny");
  const bool hashed = params.flag("hashed");
  return [deny, hashed](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      looked = Looked::something;
      for (const std::string& name : {std::string(base_name(elf->path)), elf->soname}) {
        const std::string plain = hashed ? without_hash(name) : name;
        const auto denied = std::ranges::find_if(
            deny, [&](const std::string& glob) { return glob_match(glob, plain); });
        if (denied == deny.end()) continue;
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
  const Libraries libraries(params);
  const Json& table = params.table("platforms");
  return [libraries, &table](const Subject& subject, Report& report) {
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
    for (const Need& need : judge_needs(subject, libraries, Platforms(table))) {
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

}  // namespace

std::vector<Kind> shipped_kinds() { return {{"elf.ships", ships_denied}, {"elf.soname", soname}}; }

}  // namespace wheel_audit
