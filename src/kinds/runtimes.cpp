// What the C and C++ runtimes export.
#include "kinds/runtimes.hpp"

#include <algorithm>
#include <array>

#include "kinds/platform.hpp"

namespace wheel_audit {

Runtimes::Runtimes(const Json& table) {
  for (const auto& [library, names] : table["libraries"].entries()) {
    for (const Json& name : names.items()) libraries_[name.as_string()].push_back(library);
  }
}

bool Runtimes::exports(std::string_view name, Libc libc) const {
  return std::ranges::any_of(homes(name), [&](const std::string& library) {
    return !is_c_library(library) || library.starts_with("libc.musl") == (libc == Libc::musl);
  });
}

const std::vector<std::string>& Runtimes::homes(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto found = libraries_.find(name);
  return found == libraries_.end() ? kNone : found->second;
}

CxxRuntime::CxxRuntime(const Json& table)
    : machines_(table["machines"].strings()),
      later_(table["later_prefixes"].strings()),
      others_(table["other_prefixes"].strings()) {
  for (const auto& [beginning, rests] : table["names"].entries()) {
    for (const Json& rest : rests.items()) names_.insert(beginning + rest.as_string());
  }
}

bool CxxRuntime::exports(std::string_view name, const std::string& machine) const {
  const bool listed = std::ranges::find(machines_, machine) != machines_.end();
  return std::ranges::any_of(listed ? later_ : others_,
                             [&](const std::string& prefix) { return name.starts_with(prefix); }) ||
         names_.contains(name);
}

bool is_runtime_library(std::string_view library) {
  constexpr std::array<std::string_view, 4> kNames = {"libstdc++.so.6", "libgcc_s.so.1",
                                                      "libz.so.1", "libatomic.so.1"};
  return is_c_library(library) || std::ranges::find(kNames, library) != kNames.end();
}

bool is_of_python(std::string_view symbol) {
  return symbol.starts_with("Py") || symbol.starts_with("_Py");
}

bool is_special(std::string_view name) {
  return name.starts_with("__gmon_start__") || name.starts_with("_ITM_") || name == "_DYNAMIC" ||
         name == "_GLOBAL_OFFSET_TABLE_" || name == "__tls_get_addr" || name == "environ" ||
         name.starts_with("__libc_");
}

}  // namespace wheel_audit
