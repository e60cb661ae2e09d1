// Reads PEP 508 text from left to right: what requirements and markers share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quoted.hpp"
#include "wheel_audit/result.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit {

/// A place in one line of PEP 508 text.
class TextWalk {
 public:
  explicit TextWalk(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  std::size_t position() const { return at_; }
  std::string_view rest() const { return text_.substr(at_); }
  void advance(std::size_t count) { at_ += count; }
  /// Skips spaces and tabs; whether there were any.
  bool skip_space() {
    const std::size_t start = at_;
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ > start;
  }
  bool eat(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// Takes the word if it stands here as a whole word.
  bool eat_word(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    const std::size_t end = at_ + word.size();
    if (end < text_.size() && is_word(text_[end])) return false;
    if (at_ > 0 && is_word(text_[at_ - 1])) return false;
    at_ = end;
    return true;
  }
  /// `expected X at "what stands here"`.
  Error expected(std::string_view what) const {
    return Error("expected " + std::string(what) +
                 (at_end() ? std::string(" at the end") : " at " + quoted(rest())));
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Recursive descent over a marker expression, which ends with the text.
class MarkerParser {
 public:
  explicit MarkerParser(TextWalk& walk) : walk_(walk) {}
  Result<Marker> parse();
  /// Evaluates a marker; `if_unknown`: what a comparison of a variable counts as that no tag tells
  /// and that the environment has as empty. Nothing: it is compared as empty.
  static bool evaluate(const Marker& marker, const Environment& environment,
                       std::optional<bool> if_unknown);

 private:
  Result<int> either(int depth);
  Result<int> both(int depth);
  Result<int> atom(int depth);
  Result<int> comparison();
  Result<std::string> operand();
  Result<std::string> literal(char quote);
  Result<std::string> op();
  int add(Marker::Node node);

  TextWalk& walk_;
  Marker marker_;
};

}  // namespace wheel_audit
