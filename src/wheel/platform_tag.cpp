// Linux platform tags (PEP 600 for manylinux, PEP 656 for musllinux).
#include <algorithm>
#include <array>

#include "quoted.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// The names of before PEP 600 and the glibc that each means.
struct OldTag {
  std::string_view prefix;
  int major;
  int minor;
};
constexpr std::array<OldTag, 3> kOldTags = {
    {{"manylinux1_", 2, 5}, {"manylinux2010_", 2, 12}, {"manylinux2014_", 2, 17}}};

/// A number of up to four digits and the `_` after it.
std::optional<int> eat_number(std::string_view& text) {
  const std::size_t end = text.find('_');
  if (end == std::string_view::npos || end == 0 || end > 4) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, end)) {
    if (!is_digit(c)) return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(end + 1);
  return value;
}

std::optional<PlatformTag> linux_tag(const std::string& tag) {
  const std::string word = lower(tag);
  std::string_view rest = word;
  PlatformTag out;
  out.tag = tag;
  for (const OldTag& old : kOldTags) {
    if (!rest.starts_with(old.prefix)) continue;
    out.libc = "glibc";
    out.major = old.major;
    out.minor = old.minor;
    out.machine = rest.substr(old.prefix.size());
    return out.machine.empty() ? std::nullopt : std::optional(out);
  }
  constexpr std::string_view kPlain = "linux_";
  constexpr std::string_view kMany = "manylinux_";
  constexpr std::string_view kMusl = "musllinux_";
  if (rest.starts_with(kPlain)) {
    out.machine = rest.substr(kPlain.size());
    return out.machine.empty() ? std::nullopt : std::optional(out);
  }
  if (!rest.starts_with(kMany) && !rest.starts_with(kMusl)) return std::nullopt;
  out.libc = rest.starts_with(kMany) ? "glibc" : "musl";
  static_assert(kMany.size() == kMusl.size());
  rest.remove_prefix(kMany.size());
  const std::optional<int> major = eat_number(rest);
  const std::optional<int> minor = major ? eat_number(rest) : std::nullopt;
  if (!minor || rest.empty()) return std::nullopt;
  out.major = *major;
  out.minor = *minor;
  out.machine = rest;
  return out;
}

}  // namespace

std::vector<PlatformTag> linux_tags(const std::vector<std::string>& platforms) {
  std::vector<PlatformTag> tags;
  for (const std::string& platform : platforms) {
    if (std::optional<PlatformTag> tag = linux_tag(platform)) tags.push_back(std::move(*tag));
  }
  return tags;
}

}  // namespace wheel_audit
