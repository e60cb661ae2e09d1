// Versions, specifiers, names, markers and requirements as the packaging standards define them:
// PEP 440 (versions), PEP 503 (names), PEP 508 (requirements, markers).
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

struct VersionKey;

/// A PEP 440 version; compares as the standard orders (local versions included).
class Version {
 public:
  static Result<Version> parse(std::string_view text);
  std::strong_ordering operator<=>(const Version& other) const;
  bool operator==(const Version& other) const { return (*this <=> other) == 0; }
  /// The standard's normal form: `1.0rc1+cu130`.
  std::string normalized() const;
  const std::vector<std::uint64_t>& release() const { return release_; }
  const std::string& local() const { return local_; }
  bool is_prerelease() const { return pre_ || dev_; }
  bool is_postrelease() const { return post_.has_value(); }
  bool is_developmental() const { return dev_.has_value(); }
  /// The same without its local part.
  Version base() const;

 private:
  friend struct VersionKey;
  std::uint64_t epoch_ = 0;
  std::vector<std::uint64_t> release_;
  std::optional<std::pair<char, std::uint64_t>> pre_;  ///< 'a', 'b', 'r' and number
  std::optional<std::uint64_t> post_;
  std::optional<std::uint64_t> dev_;
  std::string local_;  ///< normalised
};

/// The version of a file name or directory name, where `-` may have been written `_`.
Result<Version> escaped_version(std::string_view text);

/// One clause: `>=` and `13.0.*`.
struct Clause {
  std::string op;       ///< `==`, `!=`, `<=`, `>=`, `<`, `>`, `~=`, `===`
  std::string version;  ///< as written, trimmed; may end in `.*`
  bool operator==(const Clause&) const = default;
};

/// A specifier set: clauses joined by and.
class Specifiers {
 public:
  static Result<Specifiers> parse(std::string_view text);
  /// Whether the version is allowed; pre-releases count like others.
  bool allow(const Version& version) const;
  bool empty() const { return clauses_.empty(); }
  const std::vector<Clause>& clauses() const { return clauses_; }
  /// Whether some release of major version `major` (`major.x.y` with any minor and patch) can
  /// satisfy every clause; decided on the intervals, not by trying versions.
  bool allow_some_of_major(std::uint64_t major) const;
  /// The release that the set's lower bound or exact clause names (`>=3.9`, `==13.0.*`, `~=1.4`,
  /// `>3.8`), the highest of several, or nothing.
  std::optional<Version> lower_bound() const;
  bool has_upper_bound() const;

 private:
  std::vector<Clause> clauses_;
};

/// A project name in PEP 503's normal form (`nvidia-cuda-runtime`).
std::string normalize_name(std::string_view name);

/// An environment for markers: variable to value (`sys_platform` → `linux`). `extra` may be set.
using Environment = std::map<std::string, std::string, std::less<>>;

/// A parsed marker expression; empty is always true.
class Marker {
 public:
  static Result<Marker> parse(std::string_view text);
  bool evaluate(const Environment& environment) const;
  /// Whether the expression mentions `extra`.
  bool uses_extra() const;
  /// The names, normalised, that it compares `extra` with.
  std::set<std::string> extras() const;
  bool empty() const { return nodes_.empty(); }

 private:
  friend class MarkerParser;
  struct Node {
    enum class Type : std::uint8_t { compare, both, either } type = Type::compare;
    std::string left, op, right;  ///< of a comparison; literals keep a leading quote
    int first = -1, second = -1;  ///< of `and` and `or`: indices of nodes
  };
  std::vector<Node> nodes_;  ///< the last one is the root
};

/// A PEP 508 requirement.
struct Requirement {
  std::string text;                 ///< as written
  std::string name;                 ///< normalised
  std::vector<std::string> extras;  ///< normalised, sorted
  Specifiers specifiers;
  std::string url;  ///< of `name @ url`
  Marker marker;
  std::string marker_text;
};

/// Refuses what pip refuses, and says where.
Result<Requirement> parse_requirement(std::string_view text);

/// When a requirement applies, over all environments that a wheel's tags and Requires-Python allow.
enum class Applies : std::uint8_t { always, sometimes, never, under_extra };

/// How much a requirement that applies so brings: 3 always, 2 in some environments, 1 under an
/// extra, 0 never.
int rank(Applies applies);

/// The environments that a wheel can be installed in: one for each Python that its tags and
/// Requires-Python allow (3.6 to 3.20 for open ends) and each of its platform tags' systems and
/// machines (`any`: Linux, macOS and Windows). Of a parsed name, 1 to kMostEnvironments.
std::vector<Environment> environments_of(const WheelFacts& wheel);

/// Evaluates a requirement's marker over environments; `under_extra` when it needs one of the
/// wheel's own extras, in the normal form of names (then with that extra it applies in at least one
/// environment).
Applies applies_in(const Requirement& requirement, const std::vector<Environment>& environments,
                   const std::set<std::string>& extras);

}  // namespace wheel_audit
