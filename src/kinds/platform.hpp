// What the platform tags promise: libraries of the host, symbol versions, forbidden symbols.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// The table of platform tags (rules/linux/tables/platform-tags.json), asked by tag.
class Platforms {
 public:
  explicit Platforms(const Json& table);
  /// The table that a rule's parameter `platforms` names; rules of one table share it.
  static std::shared_ptr<const Platforms> of(Params& params);

  /// Whether a tag promises a library of the host; the C library's loader is always there.
  bool promises_library(const PlatformTag& tag, std::string_view library) const;
  /// Whether a tag promises a symbol version such as `GLIBC_2.17`. Nothing when the version's
  /// family is none that tags speak of.
  std::optional<bool> promises_version(const PlatformTag& tag, std::string_view version) const;
  /// Whether a tag's policy forbids a symbol of a host library.
  bool forbids_symbol(const PlatformTag& tag, std::string_view library,
                      std::string_view symbol) const;
  /// The tags of a C library and machine in rising order, for finding the honest one.
  std::vector<PlatformTag> ladder(std::string_view libc, std::string_view machine) const;
  /// Every symbol that some row forbids.
  std::vector<std::string> forbidden_symbols() const;

 private:
  struct Row {
    std::string tag;  ///< without the machine: `manylinux_2_17`
    std::string libc;
    std::pair<int, int> version;
    std::vector<std::string> machines;
    /// Library to the symbols of it that the policy forbids.
    std::map<std::string, std::set<std::string, std::less<>>, std::less<>> forbidden;
    const Json* json = nullptr;
    bool serves(const std::string& libc_name, const std::string& machine) const;
  };
  /// The row of a tag: the nearest at or below its version.
  const Row* row(const PlatformTag& tag) const;
  std::vector<Row> rows_;  ///< in rising order of version for each C library
  std::set<std::string, std::less<>> forbidden_anywhere_;  ///< symbols, of any library in any row
};

/// Compares dotted numbers as numbers: 2.4 < 2.17. Text that is no dotted number sorts last.
int compare_dotted(std::string_view a, std::string_view b);

/// Whether a library name is that of a C library's program loader.
bool is_program_loader(std::string_view library);

/// Whether a library name is part of glibc or musl itself.
bool is_c_library(std::string_view library);

/// Whether musl takes a needed name for itself, whatever version stands behind it, and opens no
/// file (load_library() in ldso/dynlink.c).
bool is_of_musl(std::string_view library);

}  // namespace wheel_audit
