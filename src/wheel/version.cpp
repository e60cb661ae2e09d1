// Versions: PEP 440's grammar (appendix B) read by hand, each optional part greedily, which is what
// its regular expression does. Their order is version_key's.
#include "wheel_audit/version.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "quoted.hpp"
#include "version_key.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Two below the largest, so that "the one after" and "after all" have a number too.
constexpr std::uint64_t kLargestNumber = UINT64_MAX - 2;

bool is_separator(char c) { return c == '.' || c == '_' || c == '-'; }

/// A walk over a lower-case version.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool too_large() const { return too_large_; }
  std::string_view rest() const { return rest_; }
  void go_back(std::string_view rest) { rest_ = rest; }

  bool eat(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void eat_separator() {
    if (!rest_.empty() && is_separator(rest_.front())) rest_.remove_prefix(1);
  }
  std::optional<std::uint64_t> number() {
    if (rest_.empty() || !is_digit(rest_.front())) return std::nullopt;
    std::uint64_t value = 0;
    while (!rest_.empty() && is_digit(rest_.front())) {
      const auto digit = static_cast<std::uint64_t>(rest_.front() - '0');
      if (value > (kLargestNumber - digit) / 10) {
        too_large_ = true;
        value = 0;
      }
      value = value * 10 + digit;
      rest_.remove_prefix(1);
    }
    return value;
  }
  /// A word with separators around it and a number after it, both optional: `.post1`, `-a.2`,
  /// `dev`.
  template <std::size_t N>
  std::optional<std::pair<std::string_view, std::uint64_t>> suffix(
      const std::array<std::string_view, N>& words) {
    const std::string_view start = rest_;
    eat_separator();
    for (const std::string_view word : words) {
      if (!eat(word)) continue;
      eat_separator();
      return std::pair(word, number().value_or(0));
    }
    rest_ = start;
    return std::nullopt;
  }

 private:
  std::string_view rest_;
  bool too_large_ = false;
};

/// A local version in its normal form, or nothing: words of letters and digits between separators.
std::optional<std::string> read_local(std::string_view text) {
  std::string out;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && is_alphanumeric(text[i])) continue;
    if (i == start || (i < text.size() && !is_separator(text[i]))) return std::nullopt;
    std::string_view part = text.substr(start, i - start);
    if (part.find_first_not_of("0123456789") == std::string_view::npos) {
      part.remove_prefix(std::min(part.find_first_not_of('0'), part.size() - 1));
    }
    if (!out.empty()) out += '.';
    out += part;
    start = i + 1;
  }
  return out;
}

}  // namespace

Result<Version> Version::parse(std::string_view text) {
  const std::string word = lower(trim(text));
  const auto no_version = [&] { return Error(quoted(text) + " is not a version"); };
  Scanner scanner(word);
  scanner.eat("v");

  Version version;
  std::optional<std::uint64_t> number = scanner.number();
  if (number && scanner.eat("!")) {
    version.epoch_ = *number;
    number = scanner.number();
  }
  if (!number) return no_version();
  version.release_.push_back(*number);
  for (std::string_view before = scanner.rest(); scanner.eat("."); before = scanner.rest()) {
    number = scanner.number();
    if (!number) {
      scanner.go_back(before);  // the full stop belongs to a suffix
      break;
    }
    version.release_.push_back(*number);
  }

  constexpr std::array<std::string_view, 8> kPre = {"alpha",   "a",   "beta", "b",
                                                    "preview", "pre", "c",    "rc"};
  if (const auto pre = scanner.suffix(kPre)) {
    const char first = pre->first.front();
    version.pre_.emplace(first == 'a' || first == 'b' ? first : 'r', pre->second);
  }
  const std::string_view before_post = scanner.rest();
  if (scanner.eat("-")) version.post_ = scanner.number();
  if (!version.post_) {
    scanner.go_back(before_post);
    constexpr std::array<std::string_view, 3> kPost = {"post", "rev", "r"};
    if (const auto post = scanner.suffix(kPost)) version.post_ = post->second;
  }
  constexpr std::array<std::string_view, 1> kDev = {"dev"};
  if (const auto dev = scanner.suffix(kDev)) version.dev_ = dev->second;
  if (scanner.eat("+")) {
    std::optional<std::string> local = read_local(scanner.rest());
    if (!local) return no_version();
    version.local_ = std::move(*local);
    scanner.go_back({});
  }
  if (!scanner.at_end()) return no_version();
  if (scanner.too_large()) return Error(quoted(text) + " has a number that 64 bits cannot hold");
  return version;
}

std::strong_ordering Version::operator<=>(const Version& other) const {
  return VersionKey(*this) <=> VersionKey(other);
}

std::string Version::normalized() const {
  std::string out = epoch_ != 0 ? fmt::format("{}!", epoch_) : std::string();
  out += fmt::format("{}", fmt::join(release_, "."));
  if (pre_) {
    const std::string_view letter = pre_->first == 'a' ? "a" : pre_->first == 'b' ? "b" : "rc";
    out += fmt::format("{}{}", letter, pre_->second);
  }
  if (post_) out += fmt::format(".post{}", *post_);
  if (dev_) out += fmt::format(".dev{}", *dev_);
  if (!local_.empty()) out += "+" + local_;
  return out;
}

Version Version::base() const {
  Version version = *this;
  version.local_.clear();
  return version;
}

std::string normalize_name(std::string_view name) {
  std::string out;
  for (const char c : lower(name)) {
    if (!is_separator(c)) {
      out += c;
    } else if (!out.ends_with('-')) {
      out += '-';
    }
  }
  return out;
}

Result<Version> escaped_version(std::string_view text) {
  Result<Version> version = Version::parse(text);
  if (version || text.find('_') == std::string_view::npos) return version;
  std::string plain(text);
  std::ranges::replace(plain, '_', '-');  // bdist_wheel escapes every run of other characters
  return Version::parse(plain);
}

}  // namespace wheel_audit
