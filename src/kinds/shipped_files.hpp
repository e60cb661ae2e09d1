// What kinds that name a project's own files ask alike: members by where they are installed, rows
// of tables with a condition, and lists in tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

bool matches_any(const std::vector<std::string>& globs, std::string_view text);

/// Members whose path below site-packages matches a glob, in the archive's order; directories are
/// left out.
std::vector<const MemberFacts*> shipped_members(const Subject& subject,
                                                const std::vector<std::string>& globs);
bool ships_member(const Subject& subject, const std::vector<std::string>& globs);

/// The ELF files for a host that are shipped so.
std::vector<const ElfFacts*> shipped_elves(const Subject& subject,
                                           const std::vector<std::string>& globs);

/// Where a member is installed below site-packages; its path where it is not installed there.
std::string_view site_path_of(std::string_view path);

/// A string, or a list of them, as a list.
std::vector<std::string> one_or_more(const Json& json);

/// The `when` of a row of a table; a faulty one holds never. Tables that ship are tested.
When row_condition(const Json& row);

/// `a, b, c and 4 more`.
std::string shortened(const std::vector<std::string>& words, std::size_t most = 4);

}  // namespace wheel_audit
