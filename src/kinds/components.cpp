// Questions about the files that each kind of a project's wheels must ship, or must not: groups of
// files in a table, each with the wheels that it belongs to.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/project.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Files that are shipped together.
struct Group {
  std::string name;
  std::vector<std::vector<std::string>> files;  ///< each a choice of globs
  std::vector<std::string> foreign;  ///< globs of further files that only these wheels ship
  std::vector<std::string> also;     ///< names of other tables' groups that hold some of these
  std::vector<std::string> with;     ///< globs of files beside which they are shipped
  When when;
  bool never = false;      ///< no wheel ships them
  bool exclusive = false;  ///< other wheels must not ship them

  bool belongs_to(const Subject& subject) const {
    return !never && when.holds(subject) && (with.empty() || ships_member(subject, with));
  }
};

std::vector<Group> groups_of(Params& params) {
  std::vector<Group> groups;
  each_row(params, params.table("table")["groups"], "groups", [&](Fields& row) {
    Group group;
    group.name = row.text("name");
    for (const Json& file : row.array("files")) group.files.push_back(one_or_more(file));
    group.foreign = row.texts("foreign");
    group.also = row.texts("also");
    group.with = row.texts("with");
    group.when = row_condition(row);
    group.never = row.flag("never", false);
    group.exclusive = row.flag("exclusive", false);
    if (group.files.empty() || std::ranges::any_of(group.files, &std::vector<std::string>::empty))
      row.fail("files", "is no list of names, or of choices of names");
    groups.push_back(std::move(group));
  });
  return groups;
}

/// What the wheel says it is, for messages.
std::string claim_words(const Subject& subject) {
  const Claim& claim = subject.claim();
  if (claim.accelerator.empty()) return "a wheel that claims no accelerator";
  return "a wheel for " + (claim.train.empty() ? claim.accelerator : claim.train);
}

/// The findings of other rules that the absence of a file leads to: whoever needs it lacks it.
void cover_needs(const Subject& subject, std::string_view path, Fault& into) {
  const std::string name(base_name(path));
  for (const ElfFacts& elf : subject.wheel.elves) {
    if (elf.needs(name)) into.covers.emplace_back(elf.path, name);
  }
}

void report_missing(const Subject& subject, const Group& group, Report& report) {
  std::vector<std::string> missing;
  for (const std::vector<std::string>& choice : group.files) {
    if (!ships_member(subject, choice)) missing.push_back(choice.front());
  }
  if (missing.empty()) return;
  if (missing.size() == group.files.size() && missing.size() > 1) {
    Fault fault = {.where = std::nullopt,
                   .message = fmt::format("is {} and ships nothing of {}: no {}",
                                          claim_words(subject), group.name, shortened(missing)),
                   .evidence = {{"component", group.name},
                                {"found", "none of " + join(missing, ", ")},
                                {"expected", join(missing, ", ")}},
                   .subject = group.name,
                   .fix = {}};
    fault.covers.emplace_back(std::nullopt, "claim");
    fault.covers.emplace_back(std::nullopt, "inspected");
    for (const std::string& path : missing) cover_needs(subject, path, fault);
    cover_renaming(subject, fault);
    report(std::move(fault));
    return;
  }
  for (const std::string& path : missing) {
    Fault fault = {
        .where = std::nullopt,
        .message = fmt::format("does not ship {} ({}), which {} must", path, group.name,
                               claim_words(subject)),
        .evidence = {{"component", group.name}, {"found", "no " + path}, {"expected", path}},
        .subject = path,
        .fix = {}};
    cover_needs(subject, path, fault);
    report(std::move(fault));
  }
}

/// Everything that other rules may find at a file because it is not the wheel's.
void cover_file(const Subject& subject, const std::string& path, Fault& into) {
  for (const char* aspect : {"", "code"}) into.covers.emplace_back(path, aspect);
  if (const ElfFacts* elf = subject.index().elf(path)) {
    for (const std::string& need : elf->needed) into.covers.emplace_back(path, need);
  }
}

void report_unexpected(const Subject& subject, const Group& group, Report& report) {
  std::vector<std::string> globs = group.foreign;
  for (const std::vector<std::string>& choice : group.files) {
    globs.insert(globs.end(), choice.begin(), choice.end());
  }
  const std::vector<const MemberFacts*> found = shipped_members(subject, globs);
  if (found.empty()) return;
  std::vector<std::string> paths;
  for (const MemberFacts* member : found) paths.push_back(member->path);
  const bool alone = found.size() == 1;
  const std::string whose =
      group.never ? "no wheel ships" : claim_words(subject) + " must not ship";
  Fault fault = {
      .where = alone ? std::optional<std::string>(paths.front()) : std::nullopt,
      .message = alone ? fmt::format("is of {}, which {}", group.name, whose)
                       : fmt::format("ships {}, which {}: {}", group.name, whose, shortened(paths)),
      .evidence = {{"component", group.name},
                   {"found", join(paths, ", ")},
                   {"expected", "nothing of " + group.name}},
      .subject = group.name,
      .fix = {}};
  for (const std::string& path : paths) {
    cover_file(subject, path, fault);
    for (const std::string& name : group.also) fault.covers.emplace_back(path, name);
  }
  for (const std::string& name : group.also) fault.covers.emplace_back(std::nullopt, name);
  cover_renaming(subject, fault);
  report(std::move(fault));
}

/// `wheel.components`: files of a group that a wheel must ship and does not (`is` missing), and
/// that it ships and must not (unexpected), or both.
Check components(Params& params) {
  const std::string is = params.word("is", {"missing", "unexpected", "both"});
  const std::vector<Group> groups = groups_of(params);
  return [is, groups](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    if (subject.wheel.members.empty()) return looked;  // an archive that could not be read
    for (const Group& group : groups) {
      const bool own = group.belongs_to(subject);
      if (own && is != "unexpected") {
        looked = Looked::something;
        report_missing(subject, group, report);
      } else if (!own && group.exclusive && is != "missing") {
        looked = Looked::something;
        report_unexpected(subject, group, report);
      }
    }
    return looked;
  };
}

bool is_named_library(std::string_view path) {
  const std::string_view name = base_name(path);
  return name.ends_with(".so") || name.find(".so.") != std::string_view::npos;
}

/// `wheel.inspected`: fewer ELF files read than a wheel of its kind has: the first row that holds
/// says how many. A check that looked at nothing does not pass.
Check inspected(Params& params) {
  std::vector<std::pair<When, std::size_t>> rows;
  each_row(params, params.json("rows"), "rows", [&](Fields& row) {
    When when = row_condition(row);
    rows.emplace_back(std::move(when), row.number("least", 0, SIZE_MAX));
  });
  const std::vector<std::string> libraries = params.list("libraries");
  return [rows, libraries](const Subject& subject, Report& report) {
    if (subject.wheel.members.empty()) return Looked::nothing;
    const auto row =
        std::ranges::find_if(rows, [&](const auto& one) { return one.first.holds(subject); });
    if (row == rows.end()) return Looked::nothing;
    std::size_t found = 0;
    std::vector<std::string> others;  // named as libraries, and none
    for (const MemberFacts* member : shipped_members(subject, libraries)) {
      const ElfFacts* elf = subject.index().elf(member->path);
      if (elf != nullptr && elf->is_host()) {
        ++found;
      } else if (is_named_library(member->path)) {
        others.push_back(member->path);
      }
    }
    if (found >= row->second) return Looked::something;
    const std::string what = others.empty() ? "" : "; no ELF files are " + shortened(others);
    Fault fault = {.where = std::nullopt,
                   .message = fmt::format("only {} libraries could be looked at, and {} has {} at "
                                          "least{}",
                                          found, claim_words(subject), row->second, what),
                   .evidence = {{"found", std::to_string(found)},
                                {"expected", fmt::format("at least {}", row->second)}},
                   .subject = "inspected",
                   .fix = {}};
    for (const std::string& path : others) {
      fault.covers.emplace_back(path, "");
      cover_needs(subject, path, fault);
    }
    report(std::move(fault));
    return Looked::something;
  };
}

/// `member.allowed-names`: files directly in a directory under a name that is not in the list; a
/// version after a listed name is said to be one.
Check allowed_names(Params& params) {
  const std::string directory = params.text("directory");
  const std::vector<std::string> names = params.list("names");
  return [directory, names](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const MemberFacts* member : shipped_members(subject, {directory + "/*"})) {
      const std::string_view path = site_path_of(member->path);
      if (directory_name(path) != directory) continue;
      looked = Looked::something;
      const std::string name(base_name(path));
      if (std::ranges::find(names, name) != names.end()) continue;
      const auto plain = std::ranges::find_if(
          names, [&](const std::string& known) { return name.starts_with(known + "."); });
      Fault fault = {
          .where = member->path,
          .message = plain != names.end()
                         ? fmt::format("has a version in its name; {} is expected", *plain)
                         : fmt::format("is no file that {} may hold{}", directory,
                                       did_you_mean(name, names)),
          .evidence = {{"found", name},
                       {"expected", plain != names.end() ? *plain : join(names, ", ")}},
          .subject = name,
          .fix = {}};
      if (plain != names.end()) {
        fault.covers.emplace_back(std::nullopt, directory + "/" + *plain);
        const ElfFacts* elf = subject.index().elf(member->path);
        if (elf != nullptr) fault.covers.emplace_back(member->path, elf->soname);
      }
      report(std::move(fault));
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> component_kinds() {
  return {{"wheel.components", components},
          {"wheel.inspected", inspected},
          {"member.allowed-names", allowed_names}};
}

}  // namespace wheel_audit
