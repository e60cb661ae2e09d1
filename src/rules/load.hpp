// The two steps of loading that selection stands between.
#pragma once

#include "wheel_audit/rules.hpp"

namespace wheel_audit::detail {

/// What messages call an item of a list of the selection: `--select`, or where the configuration
/// has it.
std::string label_of(const Selection& selection, const std::string& list, const std::string& item);

/// Reads the selection's packs, what they extend, and its folders; rules are not bound to kinds
/// yet.
Result<RuleSet> read_packs(const Selection& selection);

/// Reads one rule file of a pack (`runpath-empty.json`), not bound yet.
Result<Rule> read_rule(const std::string& pack, const std::string& file, std::string_view text);

/// Binds a rule to its kind with its parameters.
Result<void> bind(Rule& rule, const RuleSet& set);

}  // namespace wheel_audit::detail
