// The grammar of PEP 508 markers, as the `packaging` project reads it. Parentheses are the only
// recursion; nodes are stored children first, so that evaluating them is a loop.
#include "marker_parser.hpp"

#include <algorithm>
#include <array>

namespace wheel_audit {

namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kMostNodes = 512;  // comparisons and what joins them; real ones have under 50

/// Variables as written and their names in environments.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kVariables = {{
    {"python_version", ""},
    {"python_full_version", ""},
    {"os_name", ""},
    {"os.name", "os_name"},
    {"sys_platform", ""},
    {"sys.platform", "sys_platform"},
    {"platform_release", ""},
    {"platform_system", ""},
    {"platform_version", ""},
    {"platform.version", "platform_version"},
    {"platform_machine", ""},
    {"platform.machine", "platform_machine"},
    {"platform_python_implementation", ""},
    {"platform.python_implementation", "platform_python_implementation"},
    {"python_implementation", "platform_python_implementation"},
    {"implementation_name", ""},
    {"implementation_version", ""},
    {"extra", ""},
    {"extras", ""},
    {"dependency_groups", ""},
}};

/// What a backslash and this letter stand for in a Python string, or 0.
char unescape(char c) {
  constexpr std::string_view kLetters = "\\'\"nrtabfv";
  constexpr std::string_view kValues = "\\'\"\n\r\t\a\b\f\v";
  const std::size_t at = kLetters.find(c);
  return at == std::string_view::npos ? '\0' : kValues[at];
}

}  // namespace

int MarkerParser::add(Marker::Node node) {
  marker_.nodes_.push_back(std::move(node));
  return static_cast<int>(marker_.nodes_.size()) - 1;
}

Result<Marker> MarkerParser::parse() {
  const Result<int> root = either(0);
  if (!root) return root.error();
  if (!walk_.at_end()) return walk_.expected("\"and\", \"or\" or the end of the marker");
  return std::move(marker_);
}

Result<int> MarkerParser::either(int depth) {
  Result<int> left = both(depth);
  while (left && walk_.eat_word("or")) {
    const Result<int> right = both(depth);
    if (!right) return right.error();
    left = add({Marker::Node::Type::either, {}, {}, {}, *left, *right});
  }
  return left;
}

Result<int> MarkerParser::both(int depth) {
  Result<int> left = atom(depth);
  while (left && walk_.eat_word("and")) {
    const Result<int> right = atom(depth);
    if (!right) return right.error();
    left = add({Marker::Node::Type::both, {}, {}, {}, *left, *right});
  }
  return left;
}

Result<int> MarkerParser::atom(int depth) {
  walk_.skip_space();
  if (!walk_.eat('(')) {
    Result<int> leaf = comparison();
    walk_.skip_space();
    return leaf;
  }
  if (depth == kDeepest) return Error("the marker is nested more than 64 levels deep");
  Result<int> inner = either(depth + 1);
  if (!inner) return inner;
  if (!walk_.eat(')')) return walk_.expected("a closing parenthesis");
  walk_.skip_space();
  return inner;
}

Result<int> MarkerParser::comparison() {
  if (marker_.nodes_.size() >= kMostNodes) {
    return Error("the marker has more than 256 comparisons");
  }
  Result<std::string> left = operand();
  if (!left) return left.error();
  walk_.skip_space();
  Result<std::string> between = op();
  if (!between) return between.error();
  walk_.skip_space();
  Result<std::string> right = operand();
  if (!right) return right.error();
  // Names of extras compare in their normal form (PEP 685).
  const auto normalize = [](const std::string& variable, std::string& literal) {
    if (variable.starts_with("extra") && literal.starts_with('"')) {
      literal = '"' + normalize_name(literal.substr(1));
    }
  };
  normalize(*left, *right);
  normalize(*right, *left);
  return add({Marker::Node::Type::compare, std::move(*left), std::move(*between), std::move(*right),
              -1, -1});
}

Result<std::string> MarkerParser::operand() {
  if (walk_.eat('"')) return literal('"');
  if (walk_.eat('\'')) return literal('\'');
  for (const auto& [written, name] : kVariables) {
    if (walk_.eat_word(written)) return std::string(name.empty() ? written : name);
  }
  return walk_.expected("a marker variable or a quoted string");
}

Result<std::string> MarkerParser::literal(char quote) {
  const std::string_view rest = walk_.rest();
  const std::size_t end = rest.find(quote);
  if (end == std::string_view::npos) return walk_.expected("a closing quote after the text");
  const std::string_view text = rest.substr(0, end);
  constexpr std::string_view kBroken("\n\r\0", 3);
  if (text.find_first_of(kBroken) != std::string_view::npos) {
    return Error("a string of the marker goes over several lines: " + quoted(text));
  }
  std::string out = "\"";  // whichever quote was written
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char escaped = text[i] == '\\' && i + 1 < text.size() ? unescape(text[i + 1]) : '\0';
    out += escaped != '\0' ? escaped : text[i];
    if (escaped != '\0') ++i;
  }
  if (text.ends_with('\\') && (text.size() - text.find_last_not_of('\\') - 1) % 2 == 1) {
    return Error("a string of the marker ends in a backslash: " + quoted(text));
  }
  walk_.advance(end + 1);
  return out;
}

Result<std::string> MarkerParser::op() {
  if (walk_.eat_word("in")) return std::string("in");
  if (walk_.eat_word("not")) {
    if (!walk_.skip_space() || !walk_.eat_word("in")) return walk_.expected("\"in\" after \"not\"");
    return std::string("not in");
  }
  constexpr std::array<std::string_view, 8> kOperators = {
      "===", "==", "~=", "!=", "<=", ">=", "<", ">"};
  for (const std::string_view word : kOperators) {
    if (walk_.rest().starts_with(word)) {
      walk_.advance(word.size());
      return std::string(word);
    }
  }
  return walk_.expected("a comparison (==, !=, <=, >=, <, >, ~=, ===, in, not in)");
}

}  // namespace wheel_audit
