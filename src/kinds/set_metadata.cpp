// Whether the wheels of one build state the same requirements. Resolvers read one wheel's METADATA
// and take it for all of the version's.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/project.hpp"
#include "kinds/set_groups.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

using Statements = std::set<std::string>;

/// Clauses in one order, so that `<4,>=3.9` and `>=3.9, <4` are one.
std::string in_order(const Specifiers& specifiers) {
  std::set<std::string> clauses;
  for (const Clause& clause : specifiers.clauses()) clauses.insert(clause.op + clause.version);
  return join(std::vector<std::string>(clauses.begin(), clauses.end()), ",");
}

/// A marker without what is only spelling: blanks, kinds of quotes, outer parentheses.
std::string plain_marker(std::string_view text) {
  std::string plain(trim(text));
  std::ranges::replace(plain, '"', '\'');
  std::string spaced;
  bool quoted = false;
  for (const char c : plain) {
    if (c == '\'') quoted = !quoted;
    if (c == ' ' && !quoted && (spaced.empty() || spaced.back() == ' ')) continue;
    const bool is_operator =
        !quoted && std::string_view("<>=!~()").find(c) != std::string_view::npos;
    if (is_operator && !spaced.empty() && spaced.back() == ' ') spaced.pop_back();
    spaced += c;
    if (is_operator) spaced += ' ';
  }
  return std::string(trim(spaced));
}

std::string one_spelling(const std::string& text) {
  const Result<Requirement> parsed = parse_requirement(text);
  if (!parsed) return std::string(trim(text));
  std::string plain = parsed->name;
  if (!parsed->extras.empty()) plain += "[" + join(parsed->extras, ",") + "]";
  plain += parsed->url.empty() ? in_order(parsed->specifiers) : " @ " + parsed->url;
  if (!parsed->marker_text.empty()) plain += "; " + plain_marker(parsed->marker_text);
  return plain;
}

std::string one_range(const std::string& text) {
  const Result<Specifiers> parsed = Specifiers::parse(trim(text));
  return parsed ? in_order(*parsed) : std::string(trim(text));
}

std::string one_name(const std::string& text) { return normalize_name(trim(text)); }

/// A field, and the one spelling of its values.
struct Stated {
  const char* field;
  std::string (*spelling)(const std::string&);
};
constexpr Stated kFields[] = {
    {"Requires-Dist", one_spelling},
    {"Requires-Python", one_range},
    {"Provides-Extra", one_name},
};

Statements stated(const Subject& subject, const Stated& what) {
  Statements all;
  for (const std::string& value : subject.wheel.metadata->all(what.field))
    all.insert(what.spelling(value));
  return all;
}

/// The first few of those of `all` that `others` lacks; `nothing` where none is.
std::string beyond(const Statements& all, const Statements& others) {
  std::vector<std::string> more;
  std::ranges::set_difference(all, others, std::back_inserter(more));
  return more.empty() ? "nothing" : shortened(more);
}

void compare(const Siblings& wheels, const Stated& what, SetReport& report) {
  const auto votes = wheel_audit::votes<Statements>(
      wheels, [&](const Subject& wheel) { return stated(wheel, what); });
  for (const auto& [statements, group] : votes.by_value) {
    if (&statements == votes.usual) continue;
    const std::string found = beyond(statements, *votes.usual);
    const std::string expected = beyond(*votes.usual, statements);
    const std::string others = named(votes.majority());
    for (const Subject* wheel : group) {
      report(*wheel,
             fault(wheel->wheel.metadata->path,
                   fmt::format("{}: {} where {} has {}", what.field, found, others, expected),
                   {{"field", what.field},
                    {"found", found},
                    {"expected", expected},
                    {"wheel", votes.majority().front()->wheel.file_name}},
                   what.field));
    }
  }
}

/// `set.metadata`: requirements, Pythons or extras that differ within one build.
SetCheck metadata(Params&) {
  return [](const Siblings& all, SetReport& report) {
    const auto key = [](const Subject& wheel) -> std::optional<std::string> {
      if (!wheel.wheel.metadata) return std::nullopt;
      return build_of(wheel);
    };
    for (const Siblings& wheels : apart(all, key)) {
      report.looked_at(wheels);
      for (const Stated& what : kFields) compare(wheels, what, report);
    }
  };
}

}  // namespace

SetKind metadata_set_kind() { return {"set.metadata", metadata}; }

}  // namespace wheel_audit
