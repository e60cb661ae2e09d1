// Questions about which library owns a component: the symbols of a table's row, defined whole by
// one file and by no other. Dynamic symbols alone are asked: a hidden copy is the linker's secret.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/shipped_files.hpp"
#include "kinds/written_name.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Symbols that belong together, and the file that alone defines them.
struct Component {
  std::string name;
  std::vector<std::string> files;  ///< the owner, or a choice of names for it
  std::vector<WrittenName> symbols;
  When when;
  std::vector<std::string> exempt;  ///< globs of members that may define them too
  bool excuses_export = false;      ///< so may libraries of the export side
};

/// Libraries that load on the export side only, where a second definition does not matter.
struct ExportSide {
  std::vector<std::string> names;  ///< globs of file names
  std::vector<std::string> needs;  ///< or of needed libraries
  std::vector<std::string> never;  ///< globs of file names that are not of that side
  bool has(const ElfFacts& elf) const {
    const std::string_view name = base_name(elf.path);
    if (matches_any(never, name)) return false;
    return matches_any(names, name) ||
           std::ranges::any_of(elf.needed,
                               [&](const std::string& need) { return matches_any(needs, need); });
  }
};

struct Owners {
  std::vector<Component> components;
  ExportSide export_side;
};

Owners owners_of(Params& params) {
  Owners owners;
  const Json& table = params.table("table");
  if (const Json* side = table.find("export_side")) {
    strictly(params, *side, "export_side", [&](Fields& fields) {
      owners.export_side = {fields.texts("names"), fields.texts("needs"), fields.texts("never")};
    });
  }
  each_row(params, table["components"], "components", [&](Fields& row) {
    Component component;
    component.name = row.text("name");
    component.files = one_or_more(row, "file");
    component.symbols = written_names(row.texts("symbols"));
    component.when = row_condition(row);
    component.exempt = row.texts("exempt");
    component.excuses_export = row.flag("excuses_export", false);
    if (component.files.empty() || component.symbols.empty())
      row.fail("", "has no file or no symbols");
    owners.components.push_back(std::move(component));
  });
  return owners;
}

/// nm's kinds that own a name: data, text, read-only, small and weak ones; no indirect function.
bool owns(const Symbol& symbol) {
  constexpr std::uint8_t kIndirectFunction = 10;
  return symbol.defined && symbol.type != kIndirectFunction && symbol.binding != Binding::unique;
}

/// The names of a component that a file defines, as written.
std::vector<std::string> defined_by(const ElfFacts& elf, const Component& component) {
  std::vector<std::string> found;
  for (const WrittenName& name : component.symbols) {
    const bool defines = std::ranges::any_of(elf.symbols, [&](const Symbol& symbol) {
      return owns(symbol) && name.matches(symbol.name);
    });
    if (defines) found.push_back(name.text());
  }
  return found;
}

/// The owner among a wheel's files: by its name, a version after it aside.
bool is_owner(const ElfFacts& elf, const Component& component) {
  const std::string_view path = site_path_of(elf.path);
  return std::ranges::any_of(component.files, [&](const std::string& file) {
    return path == file || path.starts_with(file + ".");
  });
}

/// One component in one wheel.
struct Standing {
  const ElfFacts* owner = nullptr;
  std::vector<std::string> owned;  ///< what the owner defines
  std::vector<std::pair<const ElfFacts*, std::vector<std::string>>> others;
};

Standing standing_of(const Subject& subject, const Owners& owners, const Component& component) {
  Standing standing;
  for (const ElfFacts* elf : judged_elves(subject)) {
    std::vector<std::string> defined = defined_by(*elf, component);
    if (is_owner(*elf, component)) {
      standing.owner = elf;
      standing.owned = std::move(defined);
      continue;
    }
    const bool excused = matches_any(component.exempt, site_path_of(elf->path)) ||
                         (component.excuses_export && owners.export_side.has(*elf));
    if (!defined.empty() && !excused) standing.others.emplace_back(elf, std::move(defined));
  }
  return standing;
}

/// A library that defines what another one owns.
Fault defined_elsewhere(const Component& component, const Standing& standing, const ElfFacts& elf,
                        const std::vector<std::string>& defined) {
  const std::string& file = component.files.front();
  const std::string owner_has = standing.owner == nullptr
                                    ? "is not shipped"
                                    : fmt::format("defines {} of them", standing.owned.size());
  Fault fault = {
      .where = elf.path,
      .message = fmt::format("defines {} of the {} symbols of the {} ({}), which {} alone must "
                             "define; that {}",
                             defined.size(), component.symbols.size(), component.name,
                             shortened(defined), file, owner_has),
      .evidence = {{"component", component.name},
                   {"symbol", defined.front()},
                   {"found", fmt::format("{} in {}, {} in {}", defined.size(), elf.path,
                                         standing.owned.size(), file)},
                   {"expected",
                    fmt::format("0 in {}, {} in {}", elf.path, component.symbols.size(), file)}},
      .subject = component.name,
      .fix = {}};
  for (const std::string& name : defined) fault.covers.emplace_back(elf.path, name);
  // That the owner lacks them, or is not there, and that nobody needs it is the same fault.
  fault.covers.emplace_back(std::nullopt, file);
  fault.covers.emplace_back(elf.path, std::string(base_name(file)));
  if (standing.owner != nullptr) fault.covers.emplace_back(standing.owner->path, component.name);
  return fault;
}

Fault owner_lacks(const Component& component, const Standing& standing,
                  const std::vector<std::string>& lacking) {
  const std::size_t all = component.symbols.size();
  return {.where = standing.owner->path,
          .message = fmt::format("defines {} of the {} symbols of the {}, and lacks {}",
                                 all - lacking.size(), all, component.name, shortened(lacking)),
          .evidence = {{"component", component.name},
                       {"symbol", lacking.front()},
                       {"found", std::to_string(all - lacking.size())},
                       {"expected", std::to_string(all)}},
          .subject = component.name,
          .fix = {}};
}

std::vector<std::string> lacking_names(const Component& component, const Standing& standing) {
  std::vector<std::string> lacking;
  for (const WrittenName& name : component.symbols) {
    if (std::ranges::find(standing.owned, name.text()) == standing.owned.end())
      lacking.push_back(name.text());
  }
  return lacking;
}

/// `elf.owner`: components whose symbols another file than the owner defines, or none does; with
/// `is` partial, those of which the owner defines some and not all.
Check owner(Params& params) {
  const bool partial = params.word("is", {"whole", "partial"}) == "partial";
  const Owners owners = owners_of(params);
  return [partial, owners](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const Component& component : owners.components) {
      if (!component.when.holds(subject)) continue;
      const Standing standing = standing_of(subject, owners, component);
      if (standing.owner != nullptr || !standing.others.empty()) looked = Looked::something;
      if (!partial) {
        for (const auto& [elf, defined] : standing.others)
          report(defined_elsewhere(component, standing, *elf, defined));
      }
      if (standing.owner == nullptr) continue;
      const std::vector<std::string> lacking = lacking_names(component, standing);
      if (lacking.empty() || partial == standing.owned.empty()) continue;
      if (!partial && !standing.others.empty()) continue;  // said of the other file
      report(owner_lacks(component, standing, lacking));
    }
    return looked;
  };
}

std::vector<std::string> owner_symbols(Params& params) {
  std::vector<std::string> globs;
  for (const Component& component : owners_of(params).components) {
    for (const WrittenName& name : component.symbols) {
      for (std::string& glob : name.globs()) globs.push_back(std::move(glob));
    }
  }
  return globs;
}

}  // namespace

std::vector<Kind> owner_kinds() { return {{"elf.owner", owner, owner_symbols}}; }

}  // namespace wheel_audit
