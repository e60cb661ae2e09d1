// Fixtures: recipes of known-bad wheels and near misses, each run against the rule that it is
// named after. Conditions of failure: docs/design.md, section 4.7.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"
#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// One fixture file.
struct Fixture {
  std::string rule;    ///< `linux/runpath-empty`
  std::string name;    ///< `reject-last-entry`
  std::string origin;  ///< the file, for messages
  std::string folder;  ///< where `{"file": …}` sources lie; empty for embedded ones
  Json json;
  bool is_reject() const { return name.starts_with("reject-"); }
};

/// Every fixture, and the bases that they change.
struct Fixtures {
  std::map<std::string, Json> bases;
  std::vector<Fixture> fixtures;   ///< in order of rule, then name
  std::vector<std::string> roots;  ///< where a user's fixtures were looked for: `rules/fixtures`
};

/// The embedded fixtures, and those below `<folder>/fixtures` of a user's packs.
Result<Fixtures> load_fixtures(const std::vector<std::string>& folders);

/// The recipe of a fixture: its base with its change merged in.
Result<Json> recipe_of(const Fixtures& fixtures, const Fixture& fixture);

/// A fixture's wheel, forged, read and put to one rule of the set alone, with the parameters that
/// the fixture enables it with. Its report is the first; those of its option `set` (further wheels
/// of the release) follow.
Result<std::vector<WheelReport>> run_fixture(const Fixtures& fixtures, const Fixture& fixture,
                                             const Rule& rule, const RuleSet& rules);

/// One failed condition.
struct SelftestFailure {
  std::string rule;
  std::string fixture;  ///< empty where it is about the rule or a kind
  std::string reason;
};

/// Holds the rules to their fixtures.
struct SelftestResult {
  std::size_t rules = 0;
  std::size_t rejects = 0;
  std::size_t accepts = 0;
  std::vector<SelftestFailure> failures;
};
SelftestResult selftest(const RuleSet& rules, const Fixtures& fixtures);

}  // namespace wheel_audit
