// Questions about the absolute paths among a library's strings.
#include <fmt/format.h>

#include "kinds/build_trees.hpp"
#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

PathWish wish_of(Params& params) {
  PathWish wish{BuildTrees::of(params).roots, params.list("below"), params.list("except")};
  for (const std::string& root : params.list("roots")) wish.roots.push_back(root);
  return wish;
}

/// `elf.path-strings`: absolute paths among the strings that begin with a root (of the table, or of
/// `roots`), go on as a glob of `below` says, and match none of `except`.
Check path_strings(Params& params) {
  const PathWish wish = wish_of(params);
  for (const std::string& root : wish.roots) {
    if (root.size() < 2 || root.front() != '/')
      params.fail(
          fmt::format("\"{}\" is no root: expected the beginning of an absolute path", root));
  }
  return [wish](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      looked = Looked::something;
      std::vector<std::string> found;
      for (const std::string& path : elf->paths) {
        if (wish.wants(path)) found.push_back(path);
      }
      if (found.empty()) {
        if (elf->more_paths) {
          report.unread(elf->path,
                        "has more paths among its strings than are followed; whether one is of a "
                        "machine that built it is not known");
        }
        continue;
      }
      std::string paths = shortened(found, 3);
      if (elf->more_paths) paths += fmt::format(" (of the first {})", elf->paths.size());
      report({.where = elf->path,
              .message = "holds paths of the machine that built it: " + paths,
              .evidence = {{"found", paths}, {"expected", "no path of a build machine"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

void path_texts(Params& params, TextWishes& wishes) { wishes.paths.push_back(wish_of(params)); }

}  // namespace

std::vector<Kind> path_string_kinds() {
  return {{.name = "elf.path-strings", .bind = path_strings, .texts = path_texts}};
}

}  // namespace wheel_audit
