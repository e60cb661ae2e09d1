// Lists of files in parameters: which the wheel ships, and under which condition it has to.
#include "kinds/shipped_files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kinds/needs.hpp"
#include "kinds/project.hpp"
#include "rules/when.hpp"
#include "wheel_audit/globs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

std::string_view site_path_of(std::string_view path) { return site_path(path).value_or(path); }

std::vector<const MemberFacts*> shipped_members(const Subject& subject,
                                                const std::vector<std::string>& globs) {
  const Globs wanted(globs);
  std::vector<const MemberFacts*> found;
  for (const MemberFacts& member : subject.wheel.members) {
    if (member.kind == MemberKind::directory) continue;
    if (wanted.match(site_path_of(member.path))) found.push_back(&member);
  }
  return found;
}

bool ships_member(const Subject& subject, const std::vector<std::string>& globs) {
  return !shipped_members(subject, globs).empty();
}

std::vector<const ElfFacts*> shipped_elves(const Subject& subject,
                                           const std::vector<std::string>& globs) {
  const Globs wanted(globs);
  std::vector<const ElfFacts*> found;
  for (const ElfFacts* elf : judged_elves(subject)) {
    if (wanted.match(site_path_of(elf->path))) found.push_back(elf);
  }
  return found;
}

std::vector<std::string> one_or_more(const Json& json) {
  return json.is_string() ? std::vector<std::string>{json.as_string()} : json.strings();
}

std::vector<std::string> one_or_more(Fields& row, std::string_view key) {
  const Json* json = row.find(key);
  if (json == nullptr) return {};
  std::vector<std::string> texts = one_or_more(*json);
  if (texts.empty()) row.fail(key, "is no string and no list of strings");
  return texts;
}

When row_condition(Fields& row) {
  const Json* json = row.find("when");
  if (json == nullptr) return {};
  Result<When> when = parse_when(*json);
  if (when) return std::move(*when);
  row.fail(when.error());
  return {};
}

void cover_renaming(const Subject& subject, Fault& fault) {
  if (!subject.wheel.metadata || !subject.wheel.name) return;
  const std::string* said = subject.wheel.metadata->first("Version");
  if (said == nullptr) return;
  const Result<Version> inside = Version::parse(trim(*said));
  const Result<Version> outside = escaped_version(subject.wheel.name->version);
  // Another release is another fault.
  if (!inside || !outside || *inside == *outside || inside->base() != outside->base()) return;
  fault.message += fmt::format("; its METADATA says {}, so it was renamed", trim(*said));
  fault.covers.emplace_back(std::nullopt, "");
  fault.covers.emplace_back(subject.wheel.metadata->path, "Version");
}

}  // namespace wheel_audit
