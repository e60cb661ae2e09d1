// Finds the names of libraries and packages that a member's bytes mention. Three bytes lead to
// every wanted name, so binary data costs little more than reading it. Each find depends only on
// the bytes near it, so that chunk boundaries change nothing.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "scan/mention_anchors.hpp"
#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kMostMentions = 512;
constexpr std::size_t kLongestName = 128;
constexpr std::size_t kLongestWord = 80;
// Context that a decision needs to the left and to the right of the bytes that led to it.
constexpr std::size_t kLeft = kLongestName + 8;
constexpr std::size_t kRight = kLongestName;

constexpr std::string_view kWord = "nvidia";
// The name that the CUDA runtime gives its shared memory. It is in every libcudart from 11.8 to
// 13.0 and in what is linked with libcudart_static.a, and not in what is linked with libcudart.so.
constexpr std::string_view kRuntimeMarker = "/cudart.shm.";

constexpr bool is_alnum(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_name(char c) {
  return is_alnum(c) || c == '_' || c == '+' || c == '-' || c == '.';
}

/// Whether a file name may end at `end`: before what is no part of names, or a full stop.
bool may_end(std::string_view bytes, std::size_t end) {
  if (end < bytes.size() && bytes[end] == '.') ++end;  // of a sentence, or before `%d`
  return end >= bytes.size() || !is_name(bytes[end]);
}

/// The end of the file name whose suffix is at `dot`, or 0 when no wanted suffix is. `.so` may
/// have a version: `.1`, `.13.0`.
std::size_t file_name_end(std::string_view bytes, std::size_t dot) {
  const std::string_view rest = bytes.substr(dot);
  std::size_t end = 0;
  if (rest.starts_with(".so")) {
    end = dot + 3;
    while (end + 1 < bytes.size() && bytes[end] == '.' && is_digit(bytes[end + 1])) {
      ++end;
      while (end < bytes.size() && is_digit(bytes[end])) ++end;
    }
  } else if (rest.starts_with(".lib")) {
    end = dot + 4;
  } else if (rest.starts_with(".a")) {
    end = dot + 2;
  }
  return end != 0 && may_end(bytes, end) ? end : 0;
}

/// The file name around the suffix at `dot`, or nothing.
std::string_view file_name(std::string_view bytes, std::size_t dot) {
  bytes = bytes.substr(0, dot + kRight);  // no decision depends on how much was fed
  const std::size_t end = file_name_end(bytes, dot);
  if (end == 0) return {};
  std::size_t begin = dot;
  while (begin > 0 && dot - begin < kLeft && is_name(bytes[begin - 1])) --begin;
  if (begin == dot || end - begin > kLongestName) return {};
  const bool is_lib = dot - begin > 3 && bytes.substr(begin, 3) == "lib";
  if (!is_lib && bytes.substr(dot, 4) != ".lib") return {};
  return bytes.substr(begin, end - begin);
}

/// The word that begins with `nvidia` at `at`, at most kLongestWord long, or nothing.
std::string_view package_word(std::string_view bytes, std::size_t at) {
  if (bytes.substr(at, kWord.size()) != kWord) return {};
  if (at > 0 && is_name(bytes[at - 1])) return {};  // `developer.nvidia.com` is another word
  std::size_t end = at + kWord.size();
  while (end < bytes.size() && end - at < kLongestWord &&
         (is_name(bytes[end]) || bytes[end] == '/')) {
    ++end;
  }
  std::string_view word = bytes.substr(at, end - at);
  while (!is_alnum(word.back())) word.remove_suffix(1);
  // Longer words of letters (`nvidiaml`) are none of the names.
  return word.size() > kWord.size() && !is_alnum(word[kWord.size()]) ? word : std::string_view();
}

bool is_runtime_marker(std::string_view bytes, std::size_t dot) {
  constexpr std::size_t kBefore = std::string_view("/cudart").size();
  return dot >= kBefore && bytes.substr(dot - kBefore, kRuntimeMarker.size()) == kRuntimeMarker;
}

void add(std::vector<std::string>& found, std::string_view name) {
  if (name.empty() || found.size() >= kMostMentions) return;
  const auto at = std::lower_bound(found.begin(), found.end(), name);
  if (at == found.end() || *at != name) found.emplace(at, name);
}

/// Adds what has its anchor in [from, to).
void collect(std::string_view bytes, std::size_t from, std::size_t to,
             std::vector<std::string>& found) {
  for (std::size_t at = next_anchor(bytes, from, to); at != std::string_view::npos;
       at = next_anchor(bytes, at + 1, to)) {
    if (found.size() >= kMostMentions) return;
    if (bytes[at] == 'n') {
      add(found, package_word(bytes, at));
    } else if (is_runtime_marker(bytes, at)) {
      add(found, "cudart_static");
    } else {
      add(found, file_name(bytes, at));
    }
  }
}

}  // namespace

MentionScanner::MentionScanner() : seam_(kLeft, kRight) {}

void MentionScanner::feed(ByteView chunk) {
  seam_.feed(chunk.text(), [this](std::string_view bytes, std::size_t from, std::size_t to) {
    collect(bytes, from, to, found_);
  });
}

void MentionScanner::leave_gap() {
  seam_.finish([this](std::string_view bytes, std::size_t from, std::size_t to) {
    collect(bytes, from, to, found_);
  });
}

std::vector<std::string> MentionScanner::finish() {
  leave_gap();
  return std::move(found_);
}

}  // namespace wheel_audit
