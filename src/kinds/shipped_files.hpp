// What kinds that name a project's own files ask alike: members by where they are installed, rows
// of tables with a condition, and lists in tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.hpp"
#include "wheel_audit/rules.hpp"

namespace wheel_audit {

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

/// The same of a row of a table.
std::vector<std::string> one_or_more(Fields& row, std::string_view key);

/// The `when` of a row of a table.
When row_condition(Fields& row);

/// Reads one object of a table, or of a parameter, strictly: what is unknown or of the wrong type
/// is the rule's fault.
template <typename Use>
void strictly(Params& params, const Json& object, std::string place, const Use& use) {
  Fields fields(object, std::move(place));
  use(fields);
  const Result<void> done = fields.finish();
  if (!done) params.fail(done.error().message());
}

/// Reads each object of a list so.
template <typename Use>
void each_row(Params& params, const Json& list, std::string_view name, const Use& use) {
  std::size_t index = 0;
  for (const Json& row : list.items()) {
    strictly(params, row, std::string(name) + "[" + std::to_string(index++) + "]", use);
  }
}

/// Where the file's name says another version than METADATA, what rules about names find is the
/// fault of whoever renamed it.
void cover_renaming(const Subject& subject, Fault& fault);

}  // namespace wheel_audit
