// pack.json: what a pack extends and adjusts; and what its reader and that of rule files share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/pack_files.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// Nothing, or the first key of an object that is not known, as an error.
Result<void> only_keys(const Json& json, const std::vector<std::string>& known);

/// A mandatory text.
Result<std::string> text_of(const Json& json, std::string_view key);

/// Reads pack.json: its adjustments go into the set, the packs that it brings along come back.
Result<std::vector<std::string>> read_pack_json(const PackFile& file, RuleSet& set);

}  // namespace wheel_audit
