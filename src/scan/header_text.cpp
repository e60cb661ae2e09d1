// The `#include` lines of a C or C++ header, as its preprocessor would meet them: comments and
// string literals hold none, and an `#if` makes them conditional. Nothing is evaluated.
#include <fmt/format.h>

#include <utility>

#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/text_facts.hpp"

namespace wheel_audit {

namespace {

/// The text's lines without comments, continued lines joined, each with the number of its first.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  /// The next line that is not blank; false at the end.
  bool next(std::string& line, std::uint32_t& number) {
    while (at_ < text_.size()) {
      line.clear();
      number = number_;
      read(line);
      if (!trim(line).empty()) return true;
    }
    return false;
  }

 private:
  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }

  /// Whether a line ends here although the backslash before it continues it.
  bool continues() {
    const std::size_t length = starts("\\\n") ? 2 : starts("\\\r\n") ? 3 : 0;
    if (length == 0) return false;
    at_ += length;
    ++number_;
    return true;
  }

  void read(std::string& line) {
    while (at_ < text_.size()) {
      if (continues()) continue;
      const char c = text_[at_];
      if (in_comment_) {
        skip_comment(c);
      } else if (c == '\n') {
        ++at_;
        ++number_;
        return;
      } else if (starts("/*")) {
        at_ += 2;
        in_comment_ = true;
        line += ' ';
      } else if (starts("//")) {
        skip_line();
      } else if (c == '"' || c == '\'') {
        literal(c, line);
      } else {
        line += c;
        ++at_;
      }
    }
  }

  void skip_comment(char c) {
    if (starts("*/")) {
      at_ += 2;
      in_comment_ = false;
      return;
    }
    if (c == '\n') ++number_;
    ++at_;
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (!continues()) ++at_;
    }
  }

  /// A literal up to its end or the line's: `//` within it is no comment.
  void literal(char quote, std::string& line) {
    line += quote;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (continues()) continue;
      const char c = text_[at_++];
      line += c;
      if (c == quote) return;
      if (c == '\\' && at_ < text_.size() && text_[at_] != '\n') line += text_[at_++];
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t number_ = 1;
  bool in_comment_ = false;
};

/// A directive taken apart: `#  ifndef X` is {"ifndef", "X"}; an empty word for any other line.
std::pair<std::string_view, std::string_view> directive(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("#")) return {};
  line = trim(line.substr(1));
  std::size_t end = 0;
  while (end < line.size() && ((line[end] >= 'a' && line[end] <= 'z') || line[end] == '_')) ++end;
  return {line.substr(0, end), trim(line.substr(end))};
}

/// The name between the delimiters of an include, or an empty view (a macro names it).
std::string_view included(std::string_view rest) {
  if (rest.empty() || (rest.front() != '<' && rest.front() != '"')) return {};
  const std::size_t end = rest.find(rest.front() == '<' ? '>' : '"', 1);
  return end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
}

/// How deep the conditions are, the header's own guard aside: an `#ifndef X` before anything else,
/// directly followed by `#define X`.
class Conditions {
 public:
  void see(std::string_view word, std::string_view rest) {
    const bool defines_guard =
        guard_ == Guard::asked && word == "define" && rest.substr(0, name_.size()) == name_;
    if (guard_ == Guard::asked) {
      guard_ = defines_guard ? Guard::open : Guard::none;
      if (!defines_guard) ++depth_;
    }
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      const bool first = word == "ifndef" && guard_ == Guard::unknown;
      if (first) {
        guard_ = Guard::asked;
        name_ = std::string(rest);
        return;
      }
      ++depth_;
    } else if (word == "endif") {
      if (depth_ > 0) --depth_;
    }
    if (guard_ == Guard::unknown && word != "pragma") guard_ = Guard::none;
  }
  bool within() const { return depth_ > 0; }

 private:
  enum class Guard : std::uint8_t { unknown, asked, open, none };
  Guard guard_ = Guard::unknown;
  std::string name_;
  std::size_t depth_ = 0;
};

}  // namespace

HeaderFacts parse_header(std::string path, std::string_view text) {
  HeaderFacts facts;
  facts.path = std::move(path);
  Lines lines(text);
  Conditions conditions;
  std::string line;
  std::uint32_t number = 0;
  while (lines.next(line, number)) {
    const auto [word, rest] = directive(line);
    conditions.see(word, rest);
    if (word != "include" && word != "include_next") continue;
    const std::string_view name = included(rest);
    if (name.empty()) continue;
    if (facts.includes.size() == limits().source_items) {
      facts.problem = fmt::format("has more than {} includes{}", limits().source_items,
                                  limit_hint(&Limits::source_items));
      break;
    }
    facts.includes.push_back({std::string(name), number, rest.front() == '"', conditions.within()});
  }
  return facts;
}

}  // namespace wheel_audit
