// Requirements as the `packaging` project (and so pip) reads them: name, extras, then either
// `@ URL` or version clauses, then a marker.
#include <algorithm>

#include "marker_parser.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit {

namespace {

/// A name at this place: letters and digits at the start, and at the end at least a word character.
std::string_view eat_name(TextWalk& walk) {
  const std::string_view rest = walk.rest();
  if (rest.empty() || !is_alphanumeric(rest.front())) return {};
  std::size_t end = 1;
  while (end < rest.size() && (is_word(rest[end]) || rest[end] == '-' || rest[end] == '.')) ++end;
  while (!is_word(rest[end - 1])) --end;
  walk.advance(end);
  return rest.substr(0, end);
}

Result<void> read_extras(TextWalk& walk, std::vector<std::string>& extras) {
  if (!walk.eat('[')) return {};
  walk.skip_space();
  for (bool first = true;; first = false) {
    const std::string_view name = eat_name(walk);
    if (name.empty()) {
      if (!first) return walk.expected("an extra's name after the comma");
      break;
    }
    extras.push_back(normalize_name(name));
    walk.skip_space();
    if (!walk.eat(',')) break;
    walk.skip_space();
  }
  if (!walk.eat(']')) return walk.expected("a comma or a closing bracket after the extras");
  walk.skip_space();
  std::ranges::sort(extras);
  extras.erase(std::unique(extras.begin(), extras.end()), extras.end());
  return {};
}

/// The clauses up to `;`, `)` or the end. One comma may stand at their end, none elsewhere.
Result<void> read_specifiers(TextWalk& walk, Specifiers& specifiers) {
  const bool enclosed = walk.eat('(');
  const std::string_view text = walk.rest().substr(0, walk.rest().find_first_of(";)"));
  std::vector<std::string_view> clauses = split(text, ',');
  if (clauses.size() > 1 && trim(clauses.back()).empty()) clauses.pop_back();
  const bool empty = trim(text).empty();
  if (!empty && std::ranges::any_of(clauses, [](auto clause) { return trim(clause).empty(); })) {
    return walk.expected("a version specifier on both sides of each comma");
  }
  Result<Specifiers> parsed = Specifiers::parse(text);
  if (!parsed) return parsed.error();
  specifiers = std::move(*parsed);
  walk.advance(text.size());
  if (enclosed && !walk.eat(')')) return walk.expected("a closing parenthesis");
  walk.skip_space();
  return {};
}

Result<void> read_url(TextWalk& walk, std::string& url) {
  walk.skip_space();
  url = walk.rest().substr(0, walk.rest().find_first_of(" \t\r\n\v\f"));
  if (url.empty()) return walk.expected("a URL after @");
  walk.advance(url.size());
  if (!walk.skip_space() && !walk.at_end()) return walk.expected("white space after the URL");
  return {};
}

/// The version in the file name that a URL ends in: of `…/x-1.0%2Bcu130-py3-none-any.whl` and
/// `…/x-1.0.tar.gz`; empty where the name tells none (`git+https://…`).
std::string version_in_url(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  std::string_view name = url.substr(url.rfind('/') + 1);
  const bool wheel = name.ends_with(".whl");
  for (const std::string_view suffix : {".whl", ".tar.gz", ".zip"}) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    const std::size_t dash = wheel ? name.find('-') : name.rfind('-');
    if (dash == std::string_view::npos) return {};
    std::string version(name.substr(dash + 1));
    version = version.substr(0, version.find('-'));
    for (const std::string_view plus : {"%2B", "%2b"}) {
      const std::size_t at = version.find(plus);
      if (at != std::string::npos) version.replace(at, plus.size(), "+");
    }
    return Version::parse(version) ? version : std::string();
  }
  return {};
}

Result<Requirement> read_requirement(std::string_view text) {
  Requirement requirement;
  requirement.text = text;
  TextWalk walk(text);
  walk.skip_space();
  requirement.name = normalize_name(eat_name(walk));
  if (requirement.name.empty()) return walk.expected("a project's name");
  walk.skip_space();
  if (const Result<void> read = read_extras(walk, requirement.extras); !read) return read.error();
  const Result<void> read = walk.eat('@') ? read_url(walk, requirement.url)
                                          : read_specifiers(walk, requirement.specifiers);
  if (!read) return read.error();
  if (const std::string version = version_in_url(requirement.url); !version.empty()) {
    if (Result<Specifiers> exact = Specifiers::parse("==" + version)) {
      requirement.specifiers = std::move(*exact);
    }
  }
  if (walk.at_end()) return requirement;
  if (!walk.eat(';')) return walk.expected("a semicolon or the end");
  requirement.marker_text = trim(walk.rest());
  if (requirement.marker_text.empty()) return walk.expected("a marker after the semicolon");
  Result<Marker> marker = MarkerParser(walk).parse();
  if (!marker) return marker.error();
  requirement.marker = std::move(*marker);
  return requirement;
}

}  // namespace

Result<Requirement> parse_requirement(std::string_view text) {
  Result<Requirement> requirement = read_requirement(text);
  if (!requirement) return requirement.error().in(quoted(text) + " is not a requirement");
  return requirement;
}

}  // namespace wheel_audit
