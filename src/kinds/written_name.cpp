// C++ names as people write them, found in symbols as the Itanium C++ ABI mangles them.
#include "kinds/written_name.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::vector<std::string> scopes_of(std::string_view text) {
  std::vector<std::string> scopes;
  for (;;) {
    const std::size_t at = text.find("::");
    scopes.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return scopes;
    text.remove_prefix(at + 2);
  }
}

/// A name as the ABI spells it: `7runtime`; namespace std has a short form.
std::string source_name(const std::string& scope, bool outermost) {
  if (scope == "(anonymous namespace)") return "12_GLOBAL__N_1";
  if (outermost && scope == "std") return "St";
  return fmt::format("{}{}", scope.size(), scope);
}

}  // namespace

WrittenName::WrittenName(std::string_view text) : text_(text) {
  const std::vector<std::string> scopes = scopes_of(text);
  scoped_ = scopes.size() > 1;
  // `X::X` is a constructor: C1, C2 or C3 in place of the name.
  constructor_ = scoped_ && scopes.back() == scopes[scopes.size() - 2];
  std::string name;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    if (constructor_ && i + 1 == scopes.size()) break;
    name += source_name(scopes[i], i == 0);
  }
  // Members may be const; a static variable within a function is a `Z` more.
  for (const char* nested : {"_ZN", "_ZNK", "_ZZN", "_ZZNK"}) prefixes_.push_back(nested + name);
  if (!scoped_) {
    for (const char* plain : {"_Z", "_ZL", "_ZZ"}) prefixes_.push_back(plain + name);
  }
}

bool WrittenName::matches(std::string_view symbol) const {
  if (symbol == text_) return true;
  return std::ranges::any_of(prefixes_, [&](const std::string& prefix) {
    if (!symbol.starts_with(prefix)) return false;
    const std::string_view rest = symbol.substr(prefix.size());
    if (rest.empty()) return !scoped_;
    if (constructor_) return rest.size() > 1 && rest[0] == 'C' && is_digit(rest[1]);
    const bool nested = prefix.starts_with("_ZN") || prefix.starts_with("_ZZN");
    if (!nested) return rest[0] != 'I';  // a template, whose name is written with arguments
    // The end of the nested name, or a member: a name, a constructor, a destructor, an operator.
    const char c = rest[0];
    const bool is_operator = c >= 'a' && c <= 'z';
    return c == 'E' || is_digit(c) || c == 'C' || c == 'D' || is_operator;
  });
}

std::vector<std::string> WrittenName::globs() const {
  std::vector<std::string> globs = {text_};
  for (const std::string& prefix : prefixes_) globs.push_back(prefix + "*");
  return globs;
}

std::vector<WrittenName> written_names(const std::vector<std::string>& texts) {
  std::vector<WrittenName> names;
  for (const std::string& text : texts) names.emplace_back(text);
  return names;
}

}  // namespace wheel_audit
