// Finds absolute paths among the strings of an ELF file: those of build machines, which compilers
// leave in assertions, debug information and configured directories. The roots are the rules'.
#include <algorithm>
#include <cstring>

#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kLongestPath = 512;
// Distinct paths that are followed, before those that the loader reads are left out.
constexpr std::size_t kMostFollowed = 256;
constexpr std::size_t kLeft = 4;  // bytes before a path that decide whether it begins there

constexpr bool is_path(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '.' ||
         c == '_' || c == '-' || c == '+' || c == '@' || c == '~';
}

/// Whether a path may begin after these bytes: after what is no part of paths, after a compiler's
/// option, or after the source file that is Rust's string before (its strings have no end mark).
bool may_begin(std::string_view before) {
  if (before.empty() || !is_path(before.back())) return true;
  if (before.ends_with(".rs")) return true;
  return (before.ends_with("-I") || before.ends_with("-L")) &&
         (before.size() == 2 || !is_path(before[before.size() - 3]));
}

/// Whether a path that ends before this byte has places to fill in.
bool is_pattern(char c) { return std::string_view("%*?$<{[").find(c) != std::string_view::npos; }

/// Where the path at `at` ends.
std::size_t path_end(std::string_view bytes, std::size_t at) {
  std::size_t end = at;
  while (end < bytes.size() && is_path(bytes[end])) {
    if (bytes[end] == '/' && bytes.substr(at, end - at).ends_with(".rs")) break;
    ++end;
  }
  return end;
}

}  // namespace

bool PathWish::wants(std::string_view path) const {
  const auto root =
      std::ranges::find_if(roots, [&](const std::string& one) { return path.starts_with(one); });
  return root != roots.end() && matches_any(below, path.substr(root->size())) &&
         !matches_any(except, path);
}

PathScanner::PathScanner(const std::vector<PathWish>& wishes)
    : wishes_(wishes), seam_(kLeft, kLongestPath + 1) {
  for (const PathWish& wish : wishes) {
    for (const std::string& root : wish.roots) {
      if (root.size() > 1) second_[static_cast<unsigned char>(root[1])] = true;
    }
  }
}

/// Looks at what begins in [from, to).
void PathScanner::collect(std::string_view bytes, std::size_t from, std::size_t to) {
  for (std::size_t at = bytes.find('/', from); at < to && !more_; at = bytes.find('/', at + 1)) {
    if (at + 1 >= bytes.size() || !second_[static_cast<unsigned char>(bytes[at + 1])]) continue;
    const std::size_t left = std::min(at, kLeft);
    if (!may_begin(bytes.substr(at - left, left))) continue;
    // No decision depends on how much was fed.
    const std::string_view rest = bytes.substr(at, kLongestPath + 1);
    const std::size_t end = path_end(rest, 0);
    if (end > kLongestPath || (end < rest.size() && is_pattern(rest[end]))) continue;
    std::string_view path = rest.substr(0, end);
    while (path.ends_with('.')) path.remove_suffix(1);  // the end of a sentence
    const bool wanted =
        std::ranges::any_of(wishes_, [&](const PathWish& wish) { return wish.wants(path); });
    if (!wanted || std::ranges::find(found_, path) != found_.end()) continue;
    if (found_.size() < kMostFollowed) {
      found_.emplace_back(path);
    } else {
      more_ = true;
    }
  }
}

void PathScanner::feed(ByteView chunk) {
  if (more_) return;
  seam_.feed(chunk.text(), [this](std::string_view bytes, std::size_t from, std::size_t to) {
    collect(bytes, from, to);
  });
}

std::vector<std::string> PathScanner::finish(const std::vector<std::string>& but) {
  if (!more_) {
    seam_.finish([this](std::string_view bytes, std::size_t from, std::size_t to) {
      collect(bytes, from, to);
    });
  }
  std::erase_if(found_,
                [&](const std::string& path) { return std::ranges::find(but, path) != but.end(); });
  if (found_.size() > kMostPaths) {
    found_.resize(kMostPaths);
    more_ = true;
  }
  return std::move(found_);
}

}  // namespace wheel_audit
