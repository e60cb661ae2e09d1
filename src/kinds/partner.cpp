// Questions about the C++ symbols that a wheel imports from a partner's libraries, such as torch's.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"

namespace wheel_audit {

namespace {

/// Whether a mangled name is of a namespace: `_ZN3c10…`, `_ZNK2at…`, `_ZTI…N5torch…`.
bool of_namespace(std::string_view name, const std::vector<std::string>& namespaces) {
  if (!name.starts_with("_Z")) return false;
  return std::ranges::any_of(namespaces, [&](const std::string& word) {
    const std::string part = std::to_string(word.size()) + word;
    const std::size_t at = name.find(part);
    constexpr std::size_t kOuterMost = 8;  // _ZTVNK and the like before the outermost namespace
    return at != std::string_view::npos && at <= kOuterMost;
  });
}

/// `elf.cxx-string-mix`: imports from a partner's namespaces with the old and with the new
/// std::string (`Ss` against `NSt7__cxx11`).
Check cxx_string_mix(Params& params) {
  const std::vector<std::string> namespaces = params.list("namespaces");
  return [namespaces](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    std::string old_name;
    std::string old_path;
    std::string new_name;
    for (const ElfFacts* elf : judged_elves(subject)) {
      for (const Symbol& symbol : elf->symbols) {
        if (symbol.defined || !of_namespace(symbol.name, namespaces)) continue;
        looked = Looked::something;
        if (symbol.name.find("7__cxx11") != std::string_view::npos) {
          if (new_name.empty()) new_name = std::string(symbol.name);
        } else if (symbol.name.find("Ss") != std::string_view::npos) {
          if (old_name.empty()) {
            old_name = std::string(symbol.name);
            old_path = elf->path;
          }
        }
      }
    }
    if (!old_name.empty() && !new_name.empty()) {
      report({.where = old_path,
              .message = fmt::format(
                  "imports {} with the old std::string, and the wheel imports {} with the new one",
                  old_name, new_name),
              .evidence = {{"symbol", old_name},
                           {"found", "both"},
                           {"expected", "one std::string ABI"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

/// `elf.partner-unpinned`: C++ imports from a partner whose requirement has no upper bound.
Check partner_unpinned(Params& params) {
  const std::vector<std::string> namespaces = params.list("namespaces");
  const std::string package = params.text("package");
  return [namespaces, package](const Subject& subject, Report& report) {
    const Requirement* requirement = nullptr;
    for (const Requirement& candidate : subject.requirements()) {
      const Applies applies =
          candidate.name == package ? subject.applies(candidate) : Applies::never;
      if (applies == Applies::always || applies == Applies::sometimes) requirement = &candidate;
    }
    if (requirement == nullptr) return Looked::nothing;
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      const auto symbol = std::ranges::find_if(elf->symbols, [&](const Symbol& s) {
        return !s.defined && of_namespace(s.name, namespaces);
      });
      if (symbol == elf->symbols.end()) continue;
      looked = Looked::something;
      if (requirement->specifiers.has_upper_bound() || is_fixed_elsewhere(*requirement)) continue;
      report({.where = elf->path,
              .message = fmt::format(
                  "imports C++ symbols of {} ({}), and the requirement \"{}\" has no upper bound",
                  package, symbol->name, requirement->text),
              .evidence = {{"symbol", std::string(symbol->name)},
                           {"found", requirement->text},
                           {"expected", package + " pinned to the release that it was built with"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> partner_kinds() {
  return {{"elf.cxx-string-mix", cxx_string_mix}, {"elf.partner-unpinned", partner_unpinned}};
}

}  // namespace wheel_audit
