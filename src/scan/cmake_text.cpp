// The commands of a CMake file by the grammar of cmake-language(7): names, arguments with quotes
// and brackets undone, and the block that each stands in. Nothing is evaluated.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/text_facts.hpp"

namespace wheel_audit {

namespace {

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Reads tokens; a fault stops it and says what was wrong at which line.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  /// The next command; false at the end or at a fault.
  bool next(CMakeCommand& command) {
    skip_blank();
    if (at_ == text_.size()) return false;
    command = {};
    command.line = line_;
    while (at_ < text_.size() && is_name(text_[at_])) command.name += text_[at_++];
    skip_spaces();
    if (command.name.empty() || at_ == text_.size() || text_[at_] != '(') {
      return fail("expected a command with arguments");
    }
    command.name = lower(command.name);
    ++at_;
    return arguments(command.arguments);
  }

  const std::string& problem() const { return problem_; }

 private:
  bool fail(std::string_view what) {
    problem_ = fmt::format("line {}: {}", line_, what);
    at_ = text_.size();
    return false;
  }

  bool arguments(std::vector<std::string>& into) {
    std::size_t depth = 1;
    for (;;) {
      skip_blank();
      if (at_ == text_.size()) return fail("a command's arguments do not end");
      const char c = text_[at_];
      if (c == '(' || c == ')') {
        ++at_;
        depth += c == '(' ? 1 : 0;
        if (c == ')' && --depth == 0) return true;
        into.emplace_back(1, c);
      } else if (c == '"') {
        if (!quoted(into.emplace_back())) return false;
      } else if (const std::size_t bracket = bracket_length(); bracket > 0) {
        if (!bracketed(bracket, into.emplace_back())) return false;
      } else {
        unquoted(into.emplace_back());
      }
    }
  }

  /// The length of a bracket's opening (`[[`, `[=[`) here, or 0.
  std::size_t bracket_length() const {
    if (text_[at_] != '[') return 0;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] == '=') ++end;
    return end < text_.size() && text_[end] == '[' ? end + 1 - at_ : 0;
  }

  bool bracketed(std::size_t opening, std::string& into) {
    const std::string closing = "]" + std::string(opening - 2, '=') + "]";
    const std::size_t begin = at_ + opening;
    const std::size_t end = text_.find(closing, begin);
    if (end == std::string_view::npos) return fail("a bracket does not end");
    into = std::string(text_.substr(begin, end - begin));
    line_ += static_cast<std::uint32_t>(std::ranges::count(into, '\n'));
    at_ = end + closing.size();
    return true;
  }

  bool quoted(std::string& into) {
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\n') ++line_;
      if (c != '\\' || at_ + 1 == text_.size()) {
        into += c;
        continue;
      }
      const char escaped = text_[++at_];
      if (escaped == '\n') {
        ++line_;  // a continued line
      } else {
        into += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped == 'r' ? '\r' : escaped;
      }
    }
    return fail("a quoted argument does not end");
  }

  void unquoted(std::string& into) {
    bool in_quotes = false;  // of the legacy form -Da="b c"
    bool in_make = false;    // of the legacy form $(MAKE)
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') return;
      if (c == '"') in_quotes = !in_quotes;
      const bool opens_make = c == '(' && into.ends_with('$');
      const bool closes_make = c == ')' && in_make;
      const bool ends = c == ' ' || c == '\t' || c == '\r' || c == '(' || c == ')' || c == '#';
      if (ends && !in_quotes && !opens_make && !closes_make) return;
      in_make = opens_make || (in_make && !closes_make);
      if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        into += text_[++at_];
      } else {
        into += c;
      }
    }
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  /// Blanks, line ends and comments.
  void skip_blank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') ++line_;
      if (c == '#') {
        comment();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';') {
        ++at_;
      } else {
        return;
      }
    }
  }

  void comment() {
    ++at_;
    if (at_ < text_.size() && bracket_length() > 0) {
      std::string ignored;
      bracketed(bracket_length(), ignored);
      return;
    }
    at_ = std::min(text_.find('\n', at_), text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::string problem_;
};

bool opens(std::string_view name) {
  return name == "if" || name == "foreach" || name == "while" || name == "function" ||
         name == "macro" || name == "block";
}

/// Sets each command's block.
class Blocks {
 public:
  void place(CMakeCommand& command, std::uint32_t index) {
    const bool clause = command.name == "else" || command.name == "elseif";
    const bool closes = command.name.starts_with("end") && opens(command.name.substr(3));
    if ((clause || closes) && !open_.empty()) open_.pop_back();
    if (!open_.empty()) command.block = open_.back();
    if (clause || opens(command.name)) open_.push_back(index);
  }

 private:
  std::vector<std::uint32_t> open_;
};

/// Each `@NAME@` in the text, comments included, once.
std::vector<std::string> placeholders_in(std::string_view text) {
  std::set<std::string> found;
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && is_name(text[end])) ++end;
    if (end == at + 1 || end == text.size() || text[end] != '@') continue;
    if (found.size() < limits().source_items) found.emplace(text.substr(at, end + 1 - at));
    at = end;
  }
  return {found.begin(), found.end()};
}

}  // namespace

CMakeFacts parse_cmake(std::string path, std::string_view text) {
  CMakeFacts facts;
  facts.path = std::move(path);
  facts.placeholders = placeholders_in(text);
  Reader reader(text);
  Blocks blocks;
  CMakeCommand command;
  while (reader.next(command)) {
    if (facts.commands.size() == limits().source_items) {
      facts.problem = fmt::format("has more than {} commands{}", limits().source_items,
                                  limit_hint(&Limits::source_items));
      return facts;
    }
    blocks.place(command, static_cast<std::uint32_t>(facts.commands.size()));
    facts.commands.push_back(std::move(command));
  }
  facts.problem = reader.problem();
  return facts;
}

}  // namespace wheel_audit
