// Questions about what a wheel puts on the PATH: script files and entry points.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Script files that the system could not start: no `#!` line, no magic of an executable, and no
/// suffix by which a shell knows what to do.
void check_files(const Subject& subject, const std::vector<std::string>& other_suffixes,
                 Report& report) {
  for (const MemberFacts& member : subject.wheel.members) {
    const auto name = below_scheme(member.path, "scripts");
    if (!name || name->empty() || member.kind == MemberKind::directory) continue;
    const bool started_by_suffix = std::ranges::any_of(
        other_suffixes, [&](const std::string& suffix) { return lower(*name).ends_with(suffix); });
    const bool binary = member.kind == MemberKind::elf || member.kind == MemberKind::pe ||
                        member.kind == MemberKind::macho;
    const bool shebang = !trim(member.head).empty();
    constexpr std::uint32_t kExecute = 0111;
    const bool needs_it = !started_by_suffix && (member.kind == MemberKind::elf || shebang);
    if (needs_it && has_mode(subject, member) && (member.mode & kExecute) == 0) {
      const std::string mode = fmt::format("{:04o}", member.mode & 07777U);
      report(fault(member.path,
                   fmt::format("cannot be started: its mode is {}, which pip gives it", mode),
                   {{"found", mode}, {"expected", "0755"}}));
    }
    if (started_by_suffix || binary || shebang) continue;
    const std::string found = member.size == 0                  ? "an empty file"
                              : !member.head.empty()            ? "a #! line that names nothing"
                              : member.kind == MemberKind::text ? "text without a #! line"
                                                                : "bytes of no executable format";
    report(fault(member.path, fmt::format("cannot be started: it is {}", found),
                 {{"found", found}, {"expected", "a #! line or an executable"}}));
  }
}

/// The modules that a wheel installs, as paths without their suffixes, and its directories.
struct Modules {
  OwnNameSet files;
  NameSet directories;  ///< into the members' paths
};

/// A module's path for a file, or nothing: `a/b` of `a/b.py`, `a/b.cpython-312-x86_64….so`.
std::optional<std::string> module_of(std::string_view path) {
  const std::string_view name = base_name(path);
  constexpr std::string_view kSuffixes[] = {".py", ".pyc", ".so", ".pyd"};
  const bool is_module = std::ranges::any_of(
      kSuffixes, [&](std::string_view suffix) { return name.ends_with(suffix); });
  if (!is_module) return std::nullopt;
  return std::string(path.substr(0, path.size() - name.size() + name.find('.')));
}

Modules modules_of(const WheelFacts& wheel) {
  Modules modules;
  for (const MemberFacts& member : wheel.members) {
    const std::optional<std::string_view> path = site_path(member.path);
    if (!path) continue;
    if (auto module = module_of(*path)) modules.files.insert(std::move(*module));
    // What lies above a directory that is known is known too.
    for (std::string_view above = openable_directory(*path);
         !above.empty() && modules.directories.emplace(above).second;)
      above = directory_name(above);
  }
  return modules;
}

/// The first part of a dotted module that the wheel lacks, or empty. Below a module that is a
/// single file anything may be made at run time.
std::string missing_part(const Modules& modules, std::string_view dotted) {
  std::string path;
  for (const std::string_view part : split(dotted, '.')) {
    if (!path.empty() && !modules.directories.contains(path)) return {};
    path += path.empty() ? "" : "/";
    path += part;
    if (modules.files.contains(path) || modules.directories.contains(path)) continue;
    std::ranges::replace(path, '/', '.');
    return path;
  }
  return {};
}

/// What is wrong with an entry point of a script; empty when nothing is.
std::string entry_problem(const Modules& modules, const EntryPoint& entry, bool alone,
                          std::string& found) {
  std::string_view target = entry.target;
  target = trim(target.substr(0, target.find('[')));  // extras
  const std::size_t colon = target.find(':');
  if (colon == std::string_view::npos || trim(target.substr(colon + 1)).empty()) {
    found = std::string(target);
    return fmt::format("names no function: {}", entry.target);
  }
  found = missing_part(modules, trim(target.substr(0, colon)));
  // A package that the wheel has nothing of may be one of its requirements'.
  const bool whole = found.find('.') == std::string::npos;
  if (found.empty() || (whole && !alone)) return {};
  return fmt::format("names the module {}, which is not in the wheel", found);
}

/// Script names that are no file names, and names that two entries share: installers write one file
/// for each name, and the last one stays.
void check_names(const WheelFacts& wheel, const std::string& where, Report& report) {
  std::map<std::string_view, std::size_t> counts;
  for (const EntryPoint& entry : wheel.entry_points) {
    if (!is_script(entry)) continue;
    const std::string_view name = entry.name;
    if (++counts[name] == 2) {
      report(fault(where, fmt::format("two scripts have the name {}", name),
                   {{"found", entry.name}, {"script", entry.name}, {"expected", "one entry"}},
                   entry.name));
    }
    const bool file_name = !name.empty() && name != "." && name != ".." &&
                           name.find_first_of("/\\") == std::string_view::npos;
    if (file_name || counts[name] > 1) continue;
    report(fault(where, fmt::format("the name of script {} is no file name", name),
                 {{"found", entry.name}, {"script", entry.name}, {"expected", "a file name"}},
                 entry.name));
  }
}

/// `scripts.broken`: scripts that cannot be started.
Check broken(Params& params) {
  const std::vector<std::string> other_suffixes = params.list("other_suffixes");
  return [other_suffixes](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    check_files(subject, other_suffixes, report);
    const std::string where = own_dist_info(wheel) + "/entry_points.txt";
    for (const std::string& problem : wheel.entry_point_problems) {
      report(fault(where, problem, {{"found", problem}}, problem));
    }
    check_names(wheel, where, report);
    const Modules modules = modules_of(wheel);
    const bool alone =
        std::ranges::none_of(subject.requirements(), [&](const Requirement& requirement) {
          return rank(subject.applies(requirement)) >= rank(Applies::sometimes);
        });
    for (const EntryPoint& entry : wheel.entry_points) {
      if (!is_script(entry)) continue;
      std::string found;
      const std::string problem = entry_problem(modules, entry, alone, found);
      if (problem.empty()) continue;
      report(
          fault(where, fmt::format("script {} {}", entry.name, problem),
                {{"found", found}, {"script", entry.name}, {"expected", "a module of the wheel"}},
                entry.name));
    }
    return looked_at_members(wheel);
  };
}

}  // namespace

std::vector<Kind> scripts_kinds() { return {{"scripts.broken", broken}}; }

}  // namespace wheel_audit
