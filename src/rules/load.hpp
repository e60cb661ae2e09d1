// The two steps of loading that selection stands between.
#pragma once

#include "wheel_audit/rules.hpp"

namespace wheel_audit::detail {

/// Reads the named packs, what they extend, and the folders; rules are not bound to kinds yet.
Result<RuleSet> read_packs(const std::vector<std::string>& names,
                           const std::vector<std::string>& folders);

/// Reads one rule file of a pack (`runpath-empty.json`), not bound yet.
Result<Rule> read_rule(const std::string& pack, const std::string& file, std::string_view text);

/// Binds a rule to its kind with its parameters.
Result<void> bind(Rule& rule, const RuleSet& set);

}  // namespace wheel_audit::detail
