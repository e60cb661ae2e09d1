// What changed between two wheels, as plain data, and what of it a gate refuses. Members are
// matched across versions and platforms; formats are one function each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// A value on both sides.
template <typename T>
struct Change {
  T before{};
  T after{};
  bool differs() const { return before != after; }
};

/// What a list has on one side alone, sorted.
struct ListChange {
  std::vector<std::string> gained;
  std::vector<std::string> lost;
  bool empty() const { return gained.empty() && lost.empty(); }
};

/// A library: a member with ELF tables or GPU code. One that a side lacks has an empty path there,
/// and all that the other has of it is gained or lost.
struct LibraryDiff {
  Change<std::string> path;
  Change<std::uint64_t> size;   ///< in bytes, uncompressed
  Change<std::string> machine;  ///< the platform tag's word
  ListChange archs;             ///< device code: `sass 9.0a`, `ptx 10.0`, `lto 8.0`
  ListChange needed;            ///< as written; names that differ in a repair tool's hash are one
  /// Of the needs gained, those that come with neither the wheel nor the C library.
  std::vector<std::string> new_needs;
  Change<std::string> soname;
  Change<std::string> search_path;  ///< `runpath $ORIGIN:$ORIGIN/lib`, `rpath …`, or empty
  ListChange versions;              ///< `GLIBC_2.34 (libc.so.6)`
  bool symbols_compared = false;    ///< both sides hold every dynamic symbol
  ListChange symbols;               ///< exported ones: `name`, `name@VERSION`
};

/// A member whose size or contents changed, or that a side lacks (empty path there).
struct MemberDiff {
  Change<std::string> path;
  Change<std::uint64_t> size;        ///< in bytes, uncompressed
  Change<std::uint64_t> compressed;  ///< in bytes, as stored
};

/// Device code of one form and architecture in the whole wheel.
struct CodeDiff {
  std::string code;  ///< `sass 9.0a`
  Change<std::uint64_t> bytes;
};

/// What METADATA requires of one package.
struct PackageDiff {
  std::string name;                        ///< normalised; the text where it does not parse
  Change<std::vector<std::string>> texts;  ///< requirements as written
};

/// A word about the wheel that changed: version, tags, Requires-Python…
struct PropertyDiff {
  std::string name;
  Change<std::string> value;
};

/// One of the two wheels.
struct DiffSide {
  std::string given;            ///< the path as given
  std::uint64_t file_size = 0;  ///< of the wheel, in bytes
  std::uint64_t installed = 0;  ///< sum of its members' sizes
  std::string oldest_glibc;     ///< `2.28`: the oldest that has every version needed; or empty
  std::vector<std::string> without_symbols;  ///< libraries that hold no full list of symbols
  std::vector<Unread> unread;                ///< digests aside: none are compared
};

struct WheelDiff {
  Change<DiffSide> sides;
  std::vector<PropertyDiff> properties;
  std::vector<PackageDiff> packages;
  ListChange archs;                    ///< of the whole wheel
  std::vector<CodeDiff> code;          ///< those whose bytes changed
  std::vector<LibraryDiff> libraries;  ///< those that changed in more than contents
  std::size_t libraries_alike = 0;
  std::vector<MemberDiff> members;  ///< those that changed, largest change of stored bytes first
  std::size_t members_alike = 0;
};

/// Compares two wheels' facts. Facts without every symbol (`inspect` without `--symbols`) leave the
/// symbols of their libraries uncompared.
WheelDiff diff_wheels(const WheelFacts& before, const WheelFacts& after);

/// What `--fail-on` refuses.
struct DiffGate {
  bool lost_arch = false;        ///< device code of a form and architecture, of a library
  bool lost_symbol = false;      ///< an exported symbol of a library
  bool new_need = false;         ///< a need for a library that the wheel does not ship
  std::optional<double> bigger;  ///< the wheel's file grew by more than so many per cent
};

/// Reads `lost-arch`, `lost-symbol`, `new-need`, `bigger=10%`; refuses other words.
Result<DiffGate> parse_gate(const std::vector<std::string>& words);

/// Why a gate refuses.
struct DiffFailure {
  std::string word;     ///< of the gate: `lost-arch`
  std::string where;    ///< the library; empty for the whole wheel
  std::string message;  ///< what was lost or gained
};

/// A comparison as it is reported.
struct DiffReport {
  WheelDiff diff;
  std::vector<DiffFailure> failures;
  std::vector<std::string> undecided;  ///< what the gate asked and the facts cannot answer
  int exit = 0;                        ///< 3 unread or undecided, else 1 refused, else 0
};

/// Holds a comparison to a gate.
DiffReport judge(WheelDiff diff, const DiffGate& gate);

/// A format of the comparison.
struct DiffFormat {
  std::string_view name;
  std::string (*render)(const DiffReport& report);
};

/// json, markdown, text.
const std::vector<DiffFormat>& diff_formats();

}  // namespace wheel_audit
