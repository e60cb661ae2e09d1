// GitHub's filter patterns ("Workflow syntax", filter pattern cheat sheet): `*` stays within a
// directory, `**` does not, `**/` is any number of directories, and `?` and `+` are about the
// character before them, unlike in a shell.
#include "matrix/path_filter.hpp"

#include <algorithm>
#include <cstdint>

namespace wheel_audit::matrix {

namespace {

/// What may stand at one place of a path.
struct Piece {
  enum class Kind : std::uint8_t { set, segment_run, any_run, directories } kind = Kind::set;
  std::string set;  ///< characters, of `Kind::set`
  bool optional = false;
  bool repeated = false;
};

/// Takes `[a-z]` into its characters; an unclosed bracket is itself.
std::string take_set(std::string_view& pattern) {
  const std::size_t end = pattern.find(']', 1);
  if (end == std::string_view::npos) {
    pattern.remove_prefix(1);
    return "[";
  }
  const std::string_view inner = pattern.substr(1, end - 1);
  pattern.remove_prefix(end + 1);
  std::string set;
  for (std::size_t i = 0; i < inner.size(); ++i) {
    set += inner[i];
    if (i + 2 >= inner.size() || inner[i + 1] != '-') continue;
    for (int c = inner[i] + 1; c <= inner[i + 2]; ++c) set += static_cast<char>(c);
    i += 2;
  }
  return set;
}

std::vector<Piece> pieces_of(std::string_view pattern) {
  using Kind = Piece::Kind;
  std::vector<Piece> pieces;
  bool at_start = true;  // of a directory's name
  while (!pattern.empty()) {
    const char c = pattern.front();
    if ((c == '?' || c == '+') && !pieces.empty() && pieces.back().kind == Kind::set) {
      (c == '?' ? pieces.back().optional : pieces.back().repeated) = true;
      pattern.remove_prefix(1);
    } else if (at_start && pattern.starts_with("**/")) {
      pieces.push_back({.kind = Kind::directories, .set = {}});
      pattern.remove_prefix(3);
    } else if (c == '*') {
      const std::size_t stars = std::min(pattern.find_first_not_of('*'), pattern.size());
      pieces.push_back({.kind = stars > 1 ? Kind::any_run : Kind::segment_run, .set = {}});
      pattern.remove_prefix(stars);
      at_start = false;
    } else if (c == '[') {
      pieces.push_back({.kind = Kind::set, .set = take_set(pattern)});
      at_start = false;
    } else {
      if (c == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
      pieces.push_back({.kind = Kind::set, .set = std::string(1, pattern.front())});
      at_start = pattern.front() == '/';
      pattern.remove_prefix(1);
    }
  }
  return pieces;
}

/// Which ends of `path` are reached once this piece is done, from those reached before it. Position
/// by position, so that no pattern makes it slow.
std::vector<bool> step(const Piece& piece, std::string_view path, const std::vector<bool>& before) {
  using Kind = Piece::Kind;
  std::vector<bool> after(path.size() + 1);
  bool running = false;  // a run began at or before this position
  for (std::size_t i = 0; i <= path.size(); ++i) {
    const bool last_is_slash = i > 0 && path[i - 1] == '/';
    if (piece.kind == Kind::set) {
      if (piece.optional && before[i]) after[i] = true;
      const bool fits = i > 0 && piece.set.find(path[i - 1]) != std::string::npos;
      if (fits && (before[i - 1] || (piece.repeated && after[i - 1]))) after[i] = true;
      continue;
    }
    if (piece.kind == Kind::segment_run && last_is_slash) running = false;
    running = running || before[i];
    after[i] = running && (piece.kind != Kind::directories || before[i] || last_is_slash);
  }
  return after;
}

bool matches(std::string_view pattern, std::string_view path) {
  std::vector<bool> reached(path.size() + 1);
  reached[0] = true;
  for (const Piece& piece : pieces_of(pattern)) reached = step(piece, path, reached);
  return reached.back();
}

}  // namespace

bool passes(const std::vector<std::string>& patterns, std::string_view path) {
  bool in = false;
  for (const std::string_view pattern : patterns) {
    const bool out = pattern.starts_with('!');
    if (matches(pattern.substr(out ? 1 : 0), path)) in = !out;
  }
  return in;
}

}  // namespace wheel_audit::matrix
