// Questions about how a project's own libraries are linked with each other: what an extension must
// and must not need or import, what each library's row allows, and what keeps a library loaded.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/shipped_files.hpp"
#include "kinds/written_name.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The names by which others can need a library.
bool needs_library(const ElfFacts& elf, const ElfFacts& library) {
  return elf.needs(base_name(library.path)) ||
         (!library.soname.empty() && elf.needs(library.soname));
}

/// What an extension is linked with.
struct Linkage {
  std::vector<std::string> extension;  ///< globs: the one extension
  std::vector<std::string> libraries;  ///< globs: libraries that it must need where shipped
  std::vector<std::string> apart;      ///< globs among them that it need not
  std::vector<std::string> never;      ///< globs of needs that it must not have
  std::vector<WrittenName> imports;    ///< what it must share with them
};

Linkage linkage_of(Params& params) {
  return {params.list("extension"), params.list("libraries"), params.list("apart"),
          params.list("never"), written_names(params.list("imports"))};
}

void report_needs(const Subject& subject, const ElfFacts& extension, const Linkage& linkage,
                  Report& report) {
  for (const ElfFacts* library : shipped_elves(subject, linkage.libraries)) {
    if (matches_any(linkage.apart, site_path_of(library->path)) ||
        needs_library(extension, *library))
      continue;
    const std::string name(base_name(library->path));
    report({.where = extension.path,
            .message = fmt::format("does not need {}, which the wheel ships for it", name),
            .evidence = {{"soname", name},
                         {"found", "NEEDED " + join(extension.needed, ", ")},
                         {"expected", "NEEDED " + name}},
            .subject = name,
            .fix = {}});
  }
  for (const std::string& need : extension.needed) {
    if (!matches_any(linkage.never, need)) continue;
    report(
        {.where = extension.path,
         .message = fmt::format("needs {}, which it must leave to whoever wants it", need),
         .evidence = {{"soname", need}, {"found", "NEEDED " + need}, {"expected", "no such need"}},
         .subject = need,
         .fix = {}});
  }
}

void report_imports(const ElfFacts& extension, const Linkage& linkage, Report& report) {
  for (const WrittenName& name : linkage.imports) {
    const auto has = [&](bool defined) {
      return std::ranges::any_of(extension.symbols, [&](const Symbol& symbol) {
        return symbol.defined == defined && name.matches(symbol.name);
      });
    };
    if (has(false)) continue;
    const std::string found = has(true) ? "defines it itself" : "neither imports nor defines it";
    report({.where = extension.path,
            .message = fmt::format("does not import {} ({}): it shares no registry with the "
                                   "libraries",
                                   name.text(), found),
            .evidence = {{"symbol", name.text()}, {"found", found}, {"expected", "an import"}},
            .subject = name.text(),
            .fix = {}});
  }
}

/// `elf.linked-with`: a library that the extension must need and does not, or needs and must not,
/// a symbol that it must import, and a second extension.
Check linked_with(Params& params) {
  const Linkage linkage = linkage_of(params);
  return [linkage](const Subject& subject, Report& report) {
    const std::vector<const ElfFacts*> extensions = shipped_elves(subject, linkage.extension);
    if (extensions.empty()) return Looked::nothing;
    report_needs(subject, *extensions.front(), linkage, report);
    report_imports(*extensions.front(), linkage, report);
    for (std::size_t i = 1; i < extensions.size(); ++i) {
      report({.where = extensions[i]->path,
              .message = fmt::format("is a second extension beside {}", extensions.front()->path),
              .evidence = {{"found", fmt::format("{} extensions", extensions.size())},
                           {"expected", "one"}},
              .subject = "second",
              .fix = {}});
    }
    return Looked::something;
  };
}

std::vector<std::string> linked_symbols(Params& params) {
  std::vector<std::string> globs;
  for (const WrittenName& name : linkage_of(params).imports) {
    for (std::string& glob : name.globs()) globs.push_back(std::move(glob));
  }
  return globs;
}

/// What the libraries of one row may need.
struct NeedRow {
  std::vector<std::string> files;     ///< globs
  std::vector<std::string> required;  ///< globs, each to be met by a need
  std::vector<std::string> forbidden;
  std::vector<std::string> allowed;  ///< exceptions to `forbidden`
};

/// The name or glob of a library without its version: `libx.so` of `libx.so.1*`.
std::string_view unversioned(std::string_view name) {
  const std::size_t at = name.find(".so");
  return at == std::string_view::npos ? name : name.substr(0, at + 3);
}

void judge_row(const ElfFacts& elf, const NeedRow& row, Report& report) {
  std::vector<std::string> lacking;
  for (const std::string& glob : row.required) {
    const bool met = std::ranges::any_of(
        elf.needed, [&](const std::string& need) { return glob_match(glob, need); });
    if (!met) lacking.push_back(glob);
  }
  for (const std::string& need : elf.needed) {
    if (!matches_any(row.forbidden, need) || matches_any(row.allowed, need)) continue;
    // Another version of what it must need is one fault, not two.
    const auto instead = std::ranges::find_if(
        lacking, [&](const std::string& glob) { return unversioned(glob) == unversioned(need); });
    const bool other_version = instead != lacking.end();
    const std::string expected = other_version ? "NEEDED " + *instead : "no such need";
    const std::string allowed =
        row.allowed.empty() ? "" : fmt::format(" (it may need {})", join(row.allowed, ", "));
    report({.where = elf.path,
            .message = other_version ? fmt::format("needs {} where {} is expected", need, *instead)
                                     : fmt::format("needs {}, which it must not{}", need, allowed),
            .evidence = {{"soname", need}, {"found", "NEEDED " + need}, {"expected", expected}},
            .subject = need,
            .fix = {}});
    if (other_version) lacking.erase(instead);
  }
  for (const std::string& glob : lacking) {
    report({.where = elf.path,
            .message = fmt::format("does not need {}", glob),
            .evidence = {{"soname", glob},
                         {"found", "NEEDED " + join(elf.needed, ", ")},
                         {"expected", "NEEDED " + glob}},
            .subject = glob,
            .fix = {}});
  }
}

/// `elf.needs-of-row`: a shipped library that lacks a need its row requires, or has one that the
/// row forbids.
Check needs_of_row(Params& params) {
  std::vector<NeedRow> rows;
  each_row(params, params.table("table")["rows"], "rows", [&](Fields& row) {
    rows.push_back({one_or_more(row, "file"), row.texts("requires"), row.texts("forbids"),
                    row.texts("allows")});
  });
  return [rows](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const NeedRow& row : rows) {
      for (const ElfFacts* elf : shipped_elves(subject, row.files)) {
        looked = Looked::something;
        judge_row(*elf, row, report);
      }
    }
    return looked;
  };
}

/// `elf.kept-loaded`: libraries that do their work when they load, and that nothing which loads
/// with the extension needs.
Check kept_loaded(Params& params) {
  const std::vector<std::string> extension = params.list("extension");
  const std::vector<std::string> libraries = params.list("libraries");
  return [extension, libraries](const Subject& subject, Report& report) {
    const std::vector<const ElfFacts*> extensions = shipped_elves(subject, extension);
    const std::vector<const ElfFacts*> shipped = shipped_elves(subject, libraries);
    if (extensions.empty() || shipped.empty()) return Looked::nothing;
    const std::string& root = extensions.front()->path;
    for (const ElfFacts* library : shipped) {
      const std::string name(base_name(library->path));
      bool needed = false;
      for (const Closure& closure : subject.closures(subject.libcs().front())) {
        if (closure.root->member->path != root) continue;
        needed = needed || std::ranges::any_of(closure.edges, [&](const Edge& edge) {
                   return edge.need == name || (!edge.need.empty() && edge.need == library->soname);
                 });
      }
      if (needed) continue;
      Fault fault = {
          .where = library->path,
          .message = fmt::format("registers itself when it is loaded, and nothing that loads with "
                                 "{} needs it: it is never loaded",
                                 root),
          .evidence = {{"soname", name},
                       {"found", "no NEEDED " + name},
                       {"expected", fmt::format("NEEDED {} in {}", name, root)}},
          .subject = name,
          .fix = {}};
      fault.covers.emplace_back(root, name);
      report(std::move(fault));
    }
    return Looked::something;
  };
}

/// `elf.soname-of-file`: libraries whose soname is not their file name.
Check soname_of_file(Params& params) {
  const std::vector<std::string> libraries = params.list("libraries");
  return [libraries](const Subject& subject, Report& report) {
    const std::vector<const ElfFacts*> shipped = shipped_elves(subject, libraries);
    for (const ElfFacts* elf : shipped) {
      const std::string name(base_name(elf->path));
      if (elf->soname == name) continue;
      const std::string found = elf->soname.empty() ? "no soname" : "the soname " + elf->soname;
      report({.where = elf->path,
              .message = fmt::format("has {}; its file name is {}", found, name),
              .evidence = {{"soname", elf->soname}, {"found", found}, {"expected", name}},
              .subject = elf->soname,
              .fix = {}});
    }
    return shipped.empty() ? Looked::nothing : Looked::something;
  };
}

}  // namespace

std::vector<Kind> linkage_kinds() {
  return {{"elf.linked-with", linked_with, linked_symbols},
          {"elf.needs-of-row", needs_of_row},
          {"elf.kept-loaded", kept_loaded},
          {"elf.soname-of-file", soname_of_file}};
}

}  // namespace wheel_audit
