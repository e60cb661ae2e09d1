// Questions about the libraries that a wheel needs: `elf.need` asks for one of the ways in which a
// need can fail, `elf.needed` about names alone.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::string shown_entries(const std::vector<AppliedEntry>& entries) {
  constexpr std::size_t kShown = 32;
  if (entries.empty()) return "no search path";
  std::vector<std::string> shown;
  for (const AppliedEntry& applied : entries) {
    if (shown.size() < kShown) shown.push_back(applied.entry.text);
  }
  const std::size_t more = entries.size() - shown.size();
  return "search path " + join(shown, ":") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

std::string member_of(const Placed& placed) { return placed.member->path; }

using Describe = Fault (*)(const Need& need);

Fault missing(const Need& need) {
  const std::string promise =
      need.tag.empty() ? "" : fmt::format(" (other tags promise it, {} does not)", need.tag);
  const std::string file =
      need.file.empty() ? "" : fmt::format("; {}, which the wheel ships, is no library", need.file);
  return {.where = member_of(*need.from),
          .message = fmt::format("needs {}, which nothing provides{}{}", need.name, promise, file),
          .evidence = {{"soname", need.name},
                       {"found", "not in the wheel, not promised by the tag, no known package"},
                       {"expected",
                        "a file of the wheel, a declared package, or a library of the tag"}},
          .subject = need.name,
          .fix = {}};
}

Fault undeclared(const Need& need) {
  return {.where = member_of(*need.from),
          .message = fmt::format("needs {}, which {} provides and METADATA does not declare",
                                 need.name, need.provider.package),
          .evidence = {{"soname", need.name},
                       {"package", need.provider.package},
                       {"found", "no requirement that brings it"},
                       {"expected", "Requires-Dist: " + need.provider.package}},
          .subject = need.name,
          .fix = {}};
}

/// A package that is declared for some environments or extras alone brings it.
Fault partly(const Need& need) {
  const std::string& package = need.provider.package;
  return {.where = member_of(*need.from),
          .message = fmt::format("needs {}, and METADATA declares {} {}", need.name, package,
                                 when_words(need.applies)),
          .evidence = {{"soname", need.name},
                       {"package", package},
                       {"runtime", package},
                       {"found", std::string(when_words(need.applies))},
                       {"expected", "declared for every environment of the tags"}},
          .subject = need.name,
          .fix = fmt::format("declare {} without an extra or marker, or open this library only "
                             "where {} is installed",
                             package, package)};
}

bool is_partly(const Need& need) {
  return !need.provider.nvidia() && !need.only_given && need.state == NeedState::declared_partly &&
         need.applies != Applies::never;
}

Fault optional(const Need& need) {
  if (is_partly(need)) return partly(need);
  return {.where = member_of(*need.from),
          .message = fmt::format(
              "needs {}, which only a machine with {} has; nothing in the wheel needs this library",
              need.name, need.runtime),
          .evidence = {{"soname", need.name}, {"runtime", need.runtime}},
          .subject = need.name,
          .fix = {}};
}

Fault unreachable(const Need& need) {
  const std::string directory(directory_name(need.shipped->path));
  const std::string entry = origin_entry(*need.from, directory);
  return {.where = member_of(*need.from),
          .message = fmt::format(
              "needs {}, which the wheel ships as {}, and no search entry leads there ({})",
              need.name, shown_path(need.shipped->path), shown_entries(need.entries())),
          .evidence = {{"soname", need.name},
                       {"shipped", shown_path(need.shipped->path)},
                       {"found", shown_entries(need.entries())},
                       {"expected", entry},
                       {"command", add_entry_command(need, entry)}},
          .subject = need.name,
          .fix = {}};
}

Fault preload_only(const Need& need) {
  const std::string entry = need.provider.directories.empty()
                                ? ""
                                : origin_entry(*need.from, need.provider.directories.front());
  return {.where = member_of(*need.from),
          .message = fmt::format(
              "needs {} of {}, and no search entry leads there: it loads only after something "
              "else loaded that library",
              need.name, need.provider.package),
          .evidence = {{"soname", need.name},
                       {"package", need.provider.package},
                       {"found", shown_entries(need.entries())},
                       {"expected", entry}},
          .subject = need.name,
          .fix = {}};
}

Fault with_slash(const Need& need) {
  const bool from_origin = need.name.starts_with("$ORIGIN") || need.name.starts_with("${ORIGIN}");
  return {.where = member_of(*need.from),
          .message = fmt::format(
              "needs \"{}\", a path: the loader opens it {} and searches nowhere", need.name,
              from_origin ? "beside the library (glibc; musl does not)"
                          : "from the working directory or the root"),
          .evidence = {{"soname", need.name}, {"expected", std::string(base_name(need.name))}},
          .subject = need.name,
          .fix = {}};
}

/// The questions of `elf.need`, by the word of its parameter `is`.
struct Question {
  std::string_view word;
  bool (*holds)(const Need&);
  Describe describe;
  bool needs_promise;  ///< is about what the platform tag promises
};

const Question kQuestions[] = {
    {"missing", [](const Need& n) { return n.state == NeedState::missing; }, missing, true},
    {"undeclared",
     [](const Need& n) { return !n.provider.nvidia() && !n.only_given && n.is_undeclared(); },
     undeclared, false},
    {"optional", [](const Need& n) { return n.state == NeedState::optional || is_partly(n); },
     optional, true},
    {"unreachable", [](const Need& n) { return n.state == NeedState::shipped_elsewhere; },
     unreachable, false},
    {"preload-only",
     [](const Need& n) {
       return n.state == NeedState::declared && !n.provider.nvidia() && !n.reached &&
              !n.loaded_before;
     },
     preload_only, false},
    {"path", [](const Need& n) { return n.state == NeedState::path; }, with_slash, false},
};

/// `elf.need`: needs in the state that parameter `is` names.
Check need(Params& params) {
  std::vector<std::string> words;
  for (const Question& question : kQuestions) words.emplace_back(question.word);
  const std::string word = params.word("is", words);
  const auto tables = Libraries::of(params);
  const auto platforms = Platforms::of(params);
  const Question* question = std::ranges::find(kQuestions, word, &Question::word);
  return [tables, platforms, question](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    if (judged_elves(subject).empty()) return Looked::nothing;
    if (question->needs_promise && !tags_promise(subject)) return Looked::nothing;
    for (const Need& found : judge_needs(subject, libraries, *platforms)) {
      if (question->holds(found)) report(question->describe(found));
    }
    return Looked::something;
  };
}

/// `elf.needed`: NEEDED entries by name: `deny` (globs), of extensions alone with `extensions`.
Check needed(Params& params) {
  const std::vector<std::string> deny = params.some("deny");
  const bool extensions = params.flag("extensions");
  return [deny, extensions](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (extensions && !elf->is_extension()) continue;
      looked = Looked::something;
      for (const std::string& name : elf->needed) {
        if (!matches_any(deny, name)) continue;
        report({.where = elf->path,
                .message = fmt::format("needs {}", name),
                .evidence = {{"soname", name},
                             {"found", "NEEDED " + name},
                             {"expected", "no such need"}},
                .subject = name,
                .fix = {}});
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> needs_kinds() { return {{"elf.need", need}, {"elf.needed", needed}}; }

}  // namespace wheel_audit
