// The comparison for people: what changed of the wheel, of each library, and where the bytes went.
#include "wheel_audit/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "diff/formats.hpp"
#include "wheel_audit/quantity.hpp"

namespace wheel_audit {

namespace {

/// One value a line up to a limit, signed as in a patch.
std::string signed_lines(const std::string& head, char sign, const std::vector<std::string>& names,
                         std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    text += fmt::format("{}{} {}\n", head, sign, printable(names[i]));
  if (names.size() > most)
    text += fmt::format("{}{} and {} more\n", head, sign, names.size() - most);
  return text;
}

/// What was lost on a line, and what was gained on another.
std::string list_text(const std::string& head, const ListChange& change, std::size_t most) {
  std::string text;
  if (!change.lost.empty())
    text += fmt::format("{}- {}\n", head, printable(shortened(change.lost, most)));
  if (!change.gained.empty())
    text += fmt::format("{}+ {}\n", head, printable(shortened(change.gained, most)));
  return text;
}

std::string or_none(const std::string& text) { return text.empty() ? "none" : printable(text); }

std::string word_change(const std::string& head, const Change<std::string>& change) {
  return fmt::format("{}{} -> {}\n", head, or_none(change.before), or_none(change.after));
}

std::string side_text(std::string_view name, const DiffSide& side) {
  return fmt::format("{}: {} ({}, installed {})\n", name, printable(side.given),
                     size_text(side.file_size), size_text(side.installed));
}

std::string package_text(const PackageDiff& package) {
  std::string text;
  for (const std::string& before : package.texts.before) {
    if (std::ranges::find(package.texts.after, before) == package.texts.after.end())
      text += fmt::format("  requires - {}\n", printable(before));
  }
  for (const std::string& after : package.texts.after) {
    if (std::ranges::find(package.texts.before, after) == package.texts.before.end())
      text += fmt::format("  requires + {}\n", printable(after));
  }
  return text;
}

std::string symbols_text(const LibraryDiff& library) {
  constexpr std::size_t kShown = 10;
  if (!library.symbols_compared)
    return "    symbols  not compared: not every symbol is in the facts\n";
  std::string text = signed_lines("    symbol   ", '-', library.symbols.lost, kShown);
  if (!library.symbols.gained.empty())
    text += fmt::format("    symbols  {} gained\n", library.symbols.gained.size());
  return text;
}

std::string library_text(const LibraryDiff& library) {
  constexpr std::size_t kShown = 20;
  if (library.path.before.empty() || library.path.after.empty()) {
    const bool gained = library.path.before.empty();
    std::string text = fmt::format("  {} {} ({})\n", gained ? '+' : '-',
                                   printable(gained ? library.path.after : library.path.before),
                                   size_text(gained ? library.size.after : library.size.before));
    text += list_text("    code     ", library.archs, kShown);
    text += list_text("    need     ", {library.new_needs, {}}, kShown);
    if (!gained) text += symbols_text(library);
    return text;
  }
  std::string text = fmt::format("  {}", printable(library.path.before));
  if (library.path.differs()) text += fmt::format(" -> {}", printable(library.path.after));
  text += "\n";
  if (library.machine.differs()) text += word_change("    machine  ", library.machine);
  text += list_text("    code     ", library.archs, kShown);
  text += list_text("    need     ", library.needed, kShown);
  if (library.soname.differs()) text += word_change("    soname   ", library.soname);
  if (library.search_path.differs()) text += word_change("    path     ", library.search_path);
  text += list_text("    version  ", library.versions, kShown);
  text += symbols_text(library);
  return text + fmt::format("    size     {}\n", size_change(library.size));
}

std::string members_text(const WheelDiff& diff) {
  constexpr std::size_t kShown = 15;
  std::string text = fmt::format("members: {} changed, {} alike (growth as stored)\n",
                                 diff.members.size(), diff.members_alike);
  for (std::size_t i = 0; i < std::min(kShown, diff.members.size()); ++i) {
    const MemberDiff& member = diff.members[i];
    const bool gone = member.path.after.empty();
    text += fmt::format("  {:>10}  {}{}\n", growth_text(member.compressed),
                        printable(gone ? member.path.before : member.path.after),
                        gone                         ? " (gone)"
                        : member.path.before.empty() ? " (new)"
                                                     : "");
  }
  if (diff.members.size() > kShown)
    text += fmt::format("  and {} more (--format json lists them)\n", diff.members.size() - kShown);
  return text;
}

std::string unread_text(const DiffSide& side) {
  std::string text;
  for (const Unread& unread : side.unread) {
    text +=
        fmt::format("unread in {}: {}{}\n", printable(side.given),
                    unread.where ? printable(*unread.where) + ": " : "", printable(unread.reason));
  }
  return text;
}

}  // namespace

std::string render_diff_text(const DiffReport& report) {
  const WheelDiff& diff = report.diff;
  std::string text = side_text("old", diff.sides.before) + side_text("new", diff.sides.after);
  text += fmt::format("size: {}\n",
                      size_change({diff.sides.before.file_size, diff.sides.after.file_size}));
  text += unread_text(diff.sides.before) + unread_text(diff.sides.after);
  if (!diff.properties.empty() || !diff.packages.empty()) text += "wheel:\n";
  for (const PropertyDiff& property : diff.properties)
    text += word_change(fmt::format("  {}: ", property.name), property.value);
  for (const PackageDiff& package : diff.packages) text += package_text(package);
  if (!diff.code.empty()) text += "GPU code:\n";
  for (const CodeDiff& code : diff.code)
    text += fmt::format("  {:<10} {}\n", printable(code.code), size_change(code.bytes));
  text +=
      fmt::format("libraries: {} changed, {} alike\n", diff.libraries.size(), diff.libraries_alike);
  for (const LibraryDiff& library : diff.libraries) text += library_text(library);
  text += members_text(diff);
  for (const FailureGroup& group : grouped(report.failures)) {
    text += fmt::format("{}: {}{}\n", group.word,
                        group.where.empty() ? "" : printable(shortened(group.where, 3)) + ": ",
                        printable(group.message));
  }
  for (const std::string& undecided : report.undecided)
    text += fmt::format("undecided: {}\n", printable(undecided));
  return text;
}

}  // namespace wheel_audit
