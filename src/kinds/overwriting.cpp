// Questions about the files that several wheels install into one environment.
#include <fmt/format.h>

#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Whether two files of one path have the same bytes; nothing where they have one size and no sum
/// that both sides know (an installed file has RECORD's digest, a wheel read without digests has
/// CRC-32 alone).
std::optional<bool> are_same(const MemberFacts& a, const MemberFacts& b) {
  if (a.size != b.size) return false;
  if (!a.sha256.empty() && !b.sha256.empty()) return a.sha256 == b.sha256;
  if (a.size == 0) return true;
  if (a.crc32 != 0 && b.crc32 != 0) return a.crc32 == b.crc32;
  return std::nullopt;
}

/// A file that an installer puts somewhere: a member, or what it writes for a script's entry point.
struct Installed {
  const WheelFacts* wheel = nullptr;
  std::string where;                    ///< the member that brings it
  const MemberFacts* member = nullptr;  ///< null for an entry point
  std::string target;                   ///< of the entry point

  std::string shown_size() const {
    return member != nullptr ? fmt::format("{} bytes", member->size) : "a script for " + target;
  }
};

/// Whether two files of one path are the same; nothing where that is not known.
std::optional<bool> are_same(const Installed& a, const Installed& b) {
  if (a.member != nullptr && b.member != nullptr) return are_same(*a.member, *b.member);
  return a.member == b.member && a.target == b.target;
}

/// Calls `visit(path, file)` for every file that installing a wheel brings.
template <typename Visit>
void each_file(const WheelFacts& wheel, Visit visit) {
  for (const MemberFacts& member : wheel.members) {
    if (member.kind == MemberKind::directory || member.path.ends_with('/')) continue;
    visit(install_path(member.path), Installed{&wheel, member.path, &member, {}});
  }
  for (const EntryPoint& entry : wheel.entry_points) {
    if (!is_script(entry)) continue;
    visit("bin/" + entry.name,
          Installed{&wheel, own_dist_info(wheel) + "/entry_points.txt", nullptr, entry.target});
  }
}

using Owners = OwnNameMap<Installed>;

/// What two wheels that are installed together do to each other.
class Overwriting {
 public:
  explicit Overwriting(const Subject& subject)
      : subject_(subject), declared_(packages_declared(subject)) {
    each_file(subject.wheel,
              [&](std::string at, const Installed& file) { own(std::move(at), file); });
  }

  void add(const WheelFacts& wheel, Report& report) {
    const bool is_declared = declared_.contains(project_of(wheel));
    each_file(wheel, [&](std::string at, const Installed& file) {
      if (const auto owner = owners_.find(at); owner != owners_.end()) {
        meet(at, owner->second, file, is_declared, report);
        return;
      }
      report_directory(at, file, report);
      if (is_declared) own(std::move(at), file);
    });
  }

  /// Paths that two given wheels install which the requirements bring together.
  void report_pairs(Report& report) const {
    for (const auto& [pair, paths] : pairs_) {
      const std::string both =
          fmt::format("{} and {}", shown_wheel(*pair.first), shown_wheel(*pair.second));
      report(
          fault(std::nullopt,
                fmt::format("requires {}, which both install {}, with different bytes", both,
                            shortened(paths, 3)),
                {{"path", paths.front()}, {"found", both}, {"expected", "one owner of each path"}},
                both));
    }
  }

 private:
  void own(std::string at, const Installed& file) {
    const auto [place, fresh] = owners_.emplace(std::move(at), file);
    for (std::string_view above = openable_directory(place->first);
         !above.empty() && directories_.emplace(above, &place->second).second;)
      above = directory_name(above);
  }

  void meet(const std::string& at, const Installed& first, const Installed& file, bool is_declared,
            Report& report) {
    if (first.wheel == file.wheel) return;
    const std::optional<bool> same = are_same(first, file);
    if (same == true) return;
    if (!same) {
      report.unread(first.where,
                    fmt::format("installs {}, and so does {}; whether with the same bytes is not "
                                "known: no digest is known of both",
                                shown_path(at), shown_wheel(*file.wheel)));
      return;
    }
    if (first.wheel != &subject_.wheel) {
      if (is_declared) pairs_[{first.wheel, file.wheel}].push_back(shown_path(at));
      return;
    }
    report(fault(
        first.where,
        fmt::format("installs {}, and so does {}, with other bytes: the one that is installed last "
                    "overwrites the other",
                    shown_path(at), shown_wheel(*file.wheel)),
        {{"path", shown_path(at)},
         {"wheel", shown_wheel(*file.wheel)},
         {"found", fmt::format("{} and {}", first.shown_size(), file.shown_size())},
         {"expected", "one owner of each path"}},
        project_of(*file.wheel)));
  }

  /// A file of one wheel where the judged one has a directory, or the other way round.
  void report_directory(const std::string& at, const Installed& file, Report& report) {
    const auto below = directories_.find(at);
    if (below != directories_.end()) return report_both(at, *below->second, file, report);
    // Where a directory is known, no file has its name, nor one above it.
    for (std::string_view above = openable_directory(at);
         !above.empty() && !directories_.contains(above); above = directory_name(above)) {
      const auto owner = owners_.find(above);
      if (owner != owners_.end())
        return report_both(std::string(above), owner->second, file, report);
    }
  }

  void report_both(const std::string& at, const Installed& own, const Installed& file,
                   Report& report) {
    const bool told = !told_.emplace(at, file.wheel).second;
    if (told || own.wheel != &subject_.wheel) return;
    report(fault(own.where,
                 fmt::format("{} is a file of one and a directory of the other: this wheel and {} "
                             "cannot be installed together",
                             shown_path(at), shown_wheel(*file.wheel)),
                 {{"path", shown_path(at)},
                  {"wheel", shown_wheel(*file.wheel)},
                  {"found", "a file and a directory"},
                  {"expected", "one owner of each path"}},
                 project_of(*file.wheel)));
  }

  const Subject& subject_;
  std::set<std::string> declared_;
  Owners owners_;
  NameMap<const Installed*> directories_;  ///< the first file below each; views into owners_
  std::set<std::pair<std::string, const WheelFacts*>> told_;
  std::map<std::pair<const WheelFacts*, const WheelFacts*>, std::vector<std::string>> pairs_;
};

/// `environment.path`: paths that two wheels install with different bytes, or as a file and as a
/// directory: the judged wheel and a given one, or two given ones that its requirements bring
/// together.
Check path(Params&) {
  return [](const Subject& subject, Report& report) {
    const std::vector<const WheelFacts*> given = other_projects(subject);
    if (given.empty()) return Looked::nothing;
    Overwriting overwriting(subject);
    for (const WheelFacts* wheel : given) overwriting.add(*wheel, report);
    overwriting.report_pairs(report);
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> overwriting_kinds() { return {{"environment.path", path}}; }

}  // namespace wheel_audit
