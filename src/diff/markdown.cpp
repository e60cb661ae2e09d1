// The comparison as Markdown, for merge requests and release notes.
#include <fmt/format.h>

#include <algorithm>

#include "diff/formats.hpp"
#include "report/markup.hpp"
#include "report/parts.hpp"
#include "wheel_audit/quantity.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::string_view kArrow = "→";

/// The values of a cell, each as code, at most so many.
std::string codes(const std::vector<std::string>& names, std::size_t most = 5) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(markdown_code(name, true));
  return shortened(all, most);
}

std::string code_or_none(const std::string& text) {
  return text.empty() ? "none" : markdown_code(text, true);
}

std::string word_change(const Change<std::string>& change) {
  return fmt::format("{} {} {}", code_or_none(change.before), kArrow, code_or_none(change.after));
}

void append_list(std::vector<std::string>& parts, std::string_view name, const ListChange& change) {
  if (!change.lost.empty()) parts.push_back(fmt::format("{} lost: {}", name, codes(change.lost)));
  if (!change.gained.empty())
    parts.push_back(fmt::format("{} gained: {}", name, codes(change.gained)));
}

/// What changed of a library, as the parts of a cell.
std::string library_changes(const LibraryDiff& library) {
  std::vector<std::string> parts;
  if (library.path.before.empty()) parts.emplace_back("**new**");
  if (library.path.after.empty()) parts.emplace_back("**gone**");
  const bool both = !library.path.before.empty() && !library.path.after.empty();
  if (both && library.path.differs())
    parts.push_back("was " + markdown_code(library.path.before, true));
  if (both && library.machine.differs()) parts.push_back("machine " + word_change(library.machine));
  append_list(parts, "code", library.archs);
  if (both) {
    append_list(parts, "needs", library.needed);
    if (library.soname.differs()) parts.push_back("soname " + word_change(library.soname));
    if (library.search_path.differs())
      parts.push_back("search path " + word_change(library.search_path));
    append_list(parts, "versions", library.versions);
  } else if (!library.new_needs.empty()) {
    parts.push_back("needs " + codes(library.new_needs));
  }
  if (!library.symbols_compared) parts.emplace_back("symbols not compared");
  if (!library.symbols.lost.empty()) {
    parts.push_back(
        fmt::format("**{} lost**: {}",
                    count(library.symbols.lost.size(), "exported symbol", "exported symbols"),
                    codes(library.symbols.lost)));
  }
  if (both && !library.symbols.gained.empty())
    parts.push_back(count(library.symbols.gained.size(), "symbol", "symbols") + " gained");
  return join(parts, "<br>");
}

std::string wheel_table(const WheelDiff& diff) {
  std::string text = "| | old | new |\n|---|---|---|\n";
  const auto& [before, after] = diff.sides;
  const auto row = [&](std::string_view name, const std::string& old, const std::string& fresh) {
    text += fmt::format("| {} | {} | {} |\n", name, old, fresh);
  };
  row("wheel", markdown_code(base_name(before.given), true),
      markdown_code(base_name(after.given), true));
  row("size", size_text(before.file_size), size_text(after.file_size));
  row("installed", size_text(before.installed), size_text(after.installed));
  for (const PropertyDiff& property : diff.properties)
    row(property.name, code_or_none(property.value.before), code_or_none(property.value.after));
  for (const PackageDiff& package : diff.packages)
    row("requires", package.texts.before.empty() ? "none" : codes(package.texts.before),
        package.texts.after.empty() ? "none" : codes(package.texts.after));
  for (const CodeDiff& code : diff.code)
    row(markdown(code.code), size_text(code.bytes.before), size_text(code.bytes.after));
  return text;
}

std::string libraries_table(const WheelDiff& diff) {
  if (diff.libraries.empty()) return {};
  std::string text = "\n| library | size | changes |\n|---|--:|---|\n";
  for (const LibraryDiff& library : diff.libraries) {
    const std::string& path = library.path.after.empty() ? library.path.before : library.path.after;
    text += fmt::format("| {} | {} | {} |\n", markdown_code(path, true),
                        size_change(library.size, kArrow), library_changes(library));
  }
  return text;
}

std::string members_table(const WheelDiff& diff) {
  constexpr std::size_t kShown = 15;
  if (diff.members.empty()) return {};
  std::string text = "\n| member | growth as stored |\n|---|--:|\n";
  for (std::size_t i = 0; i < std::min(kShown, diff.members.size()); ++i) {
    const MemberDiff& member = diff.members[i];
    const bool gone = member.path.after.empty();
    text += fmt::format("| {}{} | {} |\n",
                        markdown_code(gone ? member.path.before : member.path.after, true),
                        gone                         ? " (gone)"
                        : member.path.before.empty() ? " (new)"
                                                     : "",
                        growth_text(member.compressed));
  }
  if (diff.members.size() > kShown)
    text += fmt::format("\n{} more members changed.\n", diff.members.size() - kShown);
  return text;
}

}  // namespace

std::string render_diff_markdown(const DiffReport& report) {
  const WheelDiff& diff = report.diff;
  std::string text =
      fmt::format("## wheel-audit diff: {}\n\n",
                  size_change({diff.sides.before.file_size, diff.sides.after.file_size}, kArrow));
  for (const FailureGroup& group : grouped(report.failures)) {
    text += fmt::format("- ❌ {}{}: {}\n", markdown_code(group.word),
                        group.where.empty() ? "" : " " + codes(group.where, 3),
                        markdown(group.message));
  }
  for (const std::string& undecided : report.undecided)
    text += fmt::format("- ❗ undecided: {}\n", markdown(undecided));
  for (const DiffSide* side : {&diff.sides.before, &diff.sides.after}) {
    for (const Unread& unread : side->unread) {
      text += fmt::format("- ❗ **unread** in {}{}: {}\n", markdown_code(base_name(side->given)),
                          unread.where ? " " + markdown_code(*unread.where) : "",
                          markdown(unread.reason));
    }
  }
  if (!text.ends_with("\n\n")) text += "\n";
  text += wheel_table(diff) + libraries_table(diff);
  text += fmt::format("\n{} changed, {} alike.\n",
                      count(diff.libraries.size(), "library", "libraries"), diff.libraries_alike);
  return text + members_table(diff);
}

}  // namespace wheel_audit
