// Questions about the C++ symbols that a wheel imports from a partner's libraries, such as torch's.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

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

enum class StringAbi : std::uint8_t { none, old_one, new_one };

std::size_t skip_digits(std::string_view name, std::size_t at) {
  while (at < name.size() && is_digit(name[at])) ++at;
  return at;
}

/// The end of a sequence number (`S1A_`, `T_`), its underscore included; `at` where there is none.
std::size_t skip_sequence_number(std::string_view name, std::size_t at) {
  std::size_t end = at;
  while (end < name.size() && (is_digit(name[end]) || (name[end] >= 'A' && name[end] <= 'Z')))
    ++end;
  return end < name.size() && name[end] == '_' ? end + 1 : at;
}

/// The end of a literal of a built-in type (`Lj12E`), which looks like a source name; `at` where
/// there is none.
std::size_t skip_literal(std::string_view name, std::size_t at) {
  if (at + 2 >= name.size() || name[at] != 'L' || name[at + 1] < 'a' || name[at + 1] > 'z')
    return at;
  const std::size_t number = name[at + 2] == 'n' ? at + 3 : at + 2;
  const std::size_t end = skip_digits(name, number);
  return end > number && end < name.size() && name[end] == 'E' ? end + 1 : at;
}

/// Which std::string a mangled name uses: the new one lies in `__cxx11` or marks what returns it
/// with the tag `B5cxx11`, the old one is the abbreviation `Ss` or `Sb`. Source names (a length and
/// that many characters) are stepped over: an identifier may begin with `Ss`. Itanium C++ ABI, 5.1.
StringAbi string_abi(std::string_view name) {
  StringAbi found = StringAbi::none;
  for (std::size_t at = 2; at < name.size();) {
    const char previous = name[at - 1];
    const char next = at + 1 < name.size() ? name[at + 1] : '\0';
    if (const std::size_t end = skip_literal(name, at); end != at) {
      at = end;
    } else if (is_digit(name[at])) {
      std::size_t length = 0;
      const std::size_t start = skip_digits(name, at);
      for (std::size_t i = at; i < start && length < name.size(); ++i)
        length = length * 10 + static_cast<std::size_t>(name[i] - '0');
      // The extent of an array (`A10_c`) is no length.
      const bool extent = previous == 'A' && start < name.size() && name[start] == '_';
      if (extent || length > name.size() - start) length = 0;
      const std::string_view word = name.substr(start, length);
      if (word == "__cxx11" || (word == "cxx11" && previous == 'B')) return StringAbi::new_one;
      at = start + length;
    } else if (name[at] == 'S' && (next == 's' || next == 'b')) {
      found = StringAbi::old_one;
      at += 2;
    } else if (name[at] == 'S' || name[at] == 'T') {
      at = skip_sequence_number(name, at + 1);
    } else {
      ++at;
    }
  }
  return found;
}

/// `elf.cxx-string-mix`: imports from a partner's namespaces with the old and with the new
/// std::string.
Check cxx_string_mix(Params& params) {
  const std::vector<std::string> namespaces = params.some("namespaces");
  return [namespaces](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    std::string old_name;
    std::string old_path;
    std::string new_name;
    for (const ElfFacts* elf : judged_elves(subject)) {
      for (const Symbol& symbol : elf->symbols) {
        if (symbol.defined || !of_namespace(symbol.name, namespaces)) continue;
        looked = Looked::something;
        const StringAbi abi = string_abi(symbol.name);
        if (abi == StringAbi::new_one && new_name.empty()) new_name = std::string(symbol.name);
        if (abi == StringAbi::old_one && old_name.empty()) {
          old_name = std::string(symbol.name);
          old_path = elf->path;
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
  const std::vector<std::string> namespaces = params.some("namespaces");
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
