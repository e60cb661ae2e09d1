// Places on the line of all versions: each version has one, and so do the cuts between versions
// that specifiers speak of ("after 1.0 and all its post-releases"). One ordering serves versions
// and specifiers, so that the two cannot disagree.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "wheel_audit/version.hpp"

namespace wheel_audit {

/// A place on the line of versions (PEP 440, "Summary of permitted suffixes and relative
/// ordering").
struct VersionKey {
  enum class Local : std::uint8_t { none, some, after_all };
  static constexpr std::uint64_t kAfterAll = UINT64_MAX;  ///< no version has this number

  VersionKey() = default;
  explicit VersionKey(const Version& version);

  static VersionKey minus_infinity() { return infinity_of(-1); }
  static VersionKey plus_infinity() { return infinity_of(1); }
  /// Before every pre-release of the version: its `.dev0`.
  static VersionKey before_prereleases(const Version& version);
  /// Right after this very version.
  static VersionKey after(const Version& version);
  /// After the version and its local versions.
  static VersionKey after_locals(const Version& version);
  /// After the version, its local versions and its post-releases.
  static VersionKey after_posts(const Version& version);
  /// Before the first version whose release starts with `count` numbers of this release.
  static VersionKey before_prefix(const Version& version, std::size_t count);
  /// Before the first version after all those whose release starts so.
  static VersionKey after_prefix(const Version& version, std::size_t count);

  std::strong_ordering operator<=>(const VersionKey& other) const;
  bool operator==(const VersionKey& other) const { return (*this <=> other) == 0; }

 private:
  static VersionKey infinity_of(int sign);
  static VersionKey of_release(std::uint64_t epoch, std::vector<std::uint64_t> release);

  int infinity_ = 0;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t> release_;  ///< without trailing zeros
  int stage_ = 4;                       ///< 0 dev of a final, 1 a, 2 b, 3 rc, 4 final
  std::uint64_t stage_number_ = 0;
  std::uint64_t post_ = 0;  ///< 0 none, else number + 1, or kAfterAll
  std::uint64_t dev_ = kAfterAll;
  Local local_ = Local::none;
  std::string local_text_;
  bool after_ = false;
};

}  // namespace wheel_audit
