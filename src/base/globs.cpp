// Sorts globs by their form (see the header).
#include "wheel_audit/globs.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::size_t index_of(char byte) { return static_cast<unsigned char>(byte); }

}  // namespace

Globs::Globs(std::span<const std::string> globs) {
  constexpr std::string_view kWild = "*?[";
  std::vector<std::string> prefixes;
  for (const std::string& glob : globs) {
    const std::size_t wild = glob.find_first_of(kWild);
    const bool begins_wild = glob.size() > 1 && glob.front() == '*';
    if (wild == std::string::npos) {
      names_.insert(glob);
      longest_ = std::max(longest_, glob.size());
      if (!glob.empty()) last_.at(index_of(glob.back())) = true;
    } else if (wild + 1 == glob.size() && glob.back() == '*') {
      prefixes.push_back(glob.substr(0, wild));
    } else if (begins_wild && glob.find_first_of(kWild, 1) == std::string::npos) {
      suffixes_.push_back(glob.substr(1));
      last_.at(index_of(glob.back())) = true;
    } else {
      others_.push_back(glob);
    }
  }
  // Without those that begin with another, the one before a text in order is the only candidate.
  std::ranges::sort(prefixes);
  for (std::string& prefix : prefixes) {
    if (prefixes_.empty() || !prefix.starts_with(prefixes_.back()))
      prefixes_.push_back(std::move(prefix));
  }
}

bool Globs::begins_as_wanted(std::string_view text) const {
  const auto after = std::ranges::upper_bound(
      prefixes_, text, {}, [](const std::string& prefix) -> std::string_view { return prefix; });
  return after != prefixes_.begin() && text.starts_with(*std::prev(after));
}

bool Globs::match(std::string_view text) const {
  if (text.empty() || last_.at(index_of(text.back()))) {
    // Mangled names are long: most need not be hashed to know that they are none of these.
    if (text.size() <= longest_ && names_.contains(text)) return true;
    if (std::ranges::any_of(suffixes_, [&](const std::string& end) { return text.ends_with(end); }))
      return true;
  }
  return begins_as_wanted(text) || matches_any(others_, text);
}

}  // namespace wheel_audit
