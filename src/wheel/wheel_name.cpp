// Wheel file names: {distribution}-{version}(-{build})?-{python}-{abi}-{platform}(-{variant})?.whl
// (PEP 427, PEP 425 for the tags, PEP 825 for the variant label). What follows the version is a
// build tag if it starts with a digit.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "quoted.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kLongestName = 255;  // what file systems take
constexpr std::size_t kLongestLabel = 16;  // PEP 825

Result<void> check_distribution(std::string_view name) {
  if (name.empty()) return Error("the distribution name is empty");
  const auto valid = [](char c) { return is_word(c) || c == '.'; };
  if (!std::ranges::all_of(name, valid)) {
    return Error(quoted(name) +
                 " is not a distribution name: expected letters, digits, \"_\" and \".\"");
  }
  if (name.find("__") != std::string_view::npos) {
    return Error(quoted(name) + " is not an escaped distribution name: it has \"__\"");
  }
  return {};
}

Result<void> check_version(std::string_view text) {
  // A version with white space around it parses, but is none in a file name.
  Result<Version> version = Version::parse(text);
  if (version && trim(text).size() == text.size()) return {};
  std::string message = version ? quoted(text) + " is not a version" : version.error().message();
  if (text.find('%') != std::string_view::npos) {
    message += " (it is escaped as in a URL; the file's own name has \"+\")";
  }
  return Error(std::move(message));
}

Result<std::vector<std::string>> read_tags(std::string_view part, std::string_view what) {
  std::vector<std::string> tags;
  for (const std::string_view tag : split(part, '.')) {
    if (tag.empty()) return Error(fmt::format("the {} {} has an empty part", what, quoted(part)));
    if (!std::ranges::all_of(tag, is_word)) {
      return Error(
          fmt::format("{} is not a {}: expected letters, digits and \"_\"", quoted(tag), what));
    }
    // Letters, then a version: it tells a tag from a build tag without a number.
    if (what == "Python tag" && (is_digit(tag.front()) || !std::ranges::any_of(tag, is_digit))) {
      return Error(quoted(tag) + " is not a Python tag: expected letters and a number");
    }
    tags.emplace_back(tag);
  }
  return tags;
}

/// With a variant label there may as well be a dash in the platform tag (`linux-x86_64`), so that
/// tag has to be whole then.
Result<void> check_platform_before_label(const std::vector<std::string>& platforms) {
  for (const std::string& platform : platforms) {
    const std::string tag = lower(platform);
    const bool of_libc = tag.starts_with("manylinux") || tag.starts_with("musllinux");
    const bool whole = of_libc ? !linux_tags({tag}).empty()
                               : tag == "any" || tag == "win32" || tag.find('_') != tag.npos;
    if (!whole) {
      return Error(quoted(platform) + " is not a platform tag: it lacks a system or a machine");
    }
  }
  return {};
}

Result<void> check_label(std::string_view label) {
  const auto valid = [](char c) { return (is_word(c) && !(c >= 'A' && c <= 'Z')) || c == '.'; };
  if (label.empty() || label.size() > kLongestLabel || !std::ranges::all_of(label, valid)) {
    return Error(quoted(label) + " is not a variant label: expected 1 to 16 lower-case letters, " +
                 "digits, \"_\" and \".\"");
  }
  return {};
}

}  // namespace

Result<NameFacts> parse_wheel_name(std::string_view file_name) {
  if (file_name.size() > kLongestName) {
    return Error(fmt::format("the file name has {} bytes, expected at most {}", file_name.size(),
                             kLongestName));
  }
  if (!file_name.ends_with(".whl")) return Error(quoted(file_name) + " does not end in .whl");
  std::vector<std::string_view> parts = split(file_name.substr(0, file_name.size() - 4), '-');
  if (parts.size() < 5 || parts.size() > 7) {
    return Error(
        fmt::format("{} has {} dash-separated parts, expected 5 to 7: distribution, "
                    "version, build tag (optional), Python, ABI and platform tags, "
                    "variant label (optional)",
                    quoted(file_name), parts.size()));
  }
  NameFacts name;
  if (const Result<void> good = check_distribution(parts[0]); !good) return good.error();
  if (const Result<void> good = check_version(parts[1]); !good) return good.error();
  name.distribution = parts[0];
  name.version = parts[1];
  parts.erase(parts.begin(), parts.begin() + 2);
  const bool build = parts.size() > 3 && !parts[0].empty() && is_digit(parts[0].front());
  if (parts.size() == 5 && !build) {
    return Error(quoted(parts[0]) + " is not a build tag: it does not start with a digit");
  }
  if (build) {
    name.build = parts[0];
    parts.erase(parts.begin());
  }
  if (parts.size() == 4) {
    if (const Result<void> good = check_label(parts[3]); !good) return good.error();
    name.variant = parts[3];
  }
  Result<std::vector<std::string>> python = read_tags(parts[0], "Python tag");
  if (!python) return python.error();
  Result<std::vector<std::string>> abi = read_tags(parts[1], "ABI tag");
  if (!abi) return abi.error();
  Result<std::vector<std::string>> platform = read_tags(parts[2], "platform tag");
  if (!platform) return platform.error();
  if (name.variant) {
    if (const Result<void> good = check_platform_before_label(*platform); !good) {
      return good.error();
    }
  }
  name.python = std::move(*python);
  name.abi = std::move(*abi);
  name.platform = std::move(*platform);
  return name;
}

bool is_own(std::string_view stem, const NameFacts& name) {
  const std::size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos) return false;
  const Result<Version> own = escaped_version(name.version);
  const Result<Version> found = escaped_version(stem.substr(dash + 1));
  const bool same_version =
      own && found ? *own == *found : stem.substr(dash + 1) == std::string_view(name.version);
  return same_version && normalize_name(stem.substr(0, dash)) == normalize_name(name.distribution);
}

std::string own_dist_info(const WheelFacts& wheel) {
  constexpr std::string_view kSuffix = ".dist-info";
  if (wheel.dist_infos.empty()) return {};
  for (const std::string& directory : wheel.dist_infos) {
    const std::string_view stem(directory.data(), directory.size() - kSuffix.size());
    if (wheel.name && is_own(stem, *wheel.name)) return directory;
  }
  return wheel.dist_infos.front();
}

std::vector<std::string> expand_tags(const NameFacts& name) {
  std::set<std::string> tags;
  for (const std::string& python : name.python) {
    for (const std::string& abi : name.abi) {
      for (const std::string& platform : name.platform) {
        if (tags.size() == kMostTags) return {tags.begin(), tags.end()};
        tags.insert(fmt::format("{}-{}-{}", python, abi, platform));
      }
    }
  }
  return {tags.begin(), tags.end()};
}

std::optional<PythonTag> parse_python_tag(std::string_view tag) {
  const std::string word = lower(tag);
  const auto letters_end = std::ranges::find_if_not(word, is_letter);
  PythonTag out;
  out.implementation.assign(word.begin(), letters_end);
  std::string_view digits = std::string_view(word).substr(out.implementation.size());
  // `py3`, `cp311`, `pp310`; `graalpy311` and `cp3_11` also occur: an underscore is optional.
  constexpr std::size_t kLongest = 5;
  if (out.implementation.empty() || digits.empty() || digits.size() > kLongest) return std::nullopt;
  if (!is_digit(digits.front())) return std::nullopt;
  out.major = digits.front() - '0';
  digits.remove_prefix(1);
  if (digits.starts_with('_')) digits.remove_prefix(1);
  if (!std::ranges::all_of(digits, is_digit)) return std::nullopt;
  if (digits.empty()) return out;
  out.minor = 0;
  for (const char c : digits) out.minor = out.minor * 10 + (c - '0');
  return out;
}

}  // namespace wheel_audit
