// The order of versions (PEP 440).
#include "version_key.hpp"

#include <algorithm>

#include "quoted.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Numbers compare as numbers and after words; a prefix comes first. Numbers have no leading zeros
/// and may be longer than 64 bits (dates and hashes).
std::strong_ordering compare_segment(std::string_view a, std::string_view b) {
  const bool a_number = std::ranges::all_of(a, is_digit);
  const bool b_number = std::ranges::all_of(b, is_digit);
  if (a_number != b_number) return a_number <=> b_number;
  if (a_number && a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::strong_ordering compare_local(std::string_view a, std::string_view b) {
  for (;;) {
    const std::size_t a_end = a.find('.');
    const std::size_t b_end = b.find('.');
    const auto order = compare_segment(a.substr(0, a_end), b.substr(0, b_end));
    if (order != 0) return order;
    if (a_end == std::string_view::npos || b_end == std::string_view::npos) {
      return (a_end != std::string_view::npos) <=> (b_end != std::string_view::npos);
    }
    a.remove_prefix(a_end + 1);
    b.remove_prefix(b_end + 1);
  }
}

void drop_trailing_zeros(std::vector<std::uint64_t>& release) {
  while (!release.empty() && release.back() == 0) release.pop_back();
}

}  // namespace

VersionKey::VersionKey(const Version& version)
    : epoch_(version.epoch_), release_(version.release_), local_text_(version.local_) {
  drop_trailing_zeros(release_);
  if (version.pre_) {
    stage_ = version.pre_->first == 'a' ? 1 : version.pre_->first == 'b' ? 2 : 3;
    stage_number_ = version.pre_->second;
  } else if (version.dev_ && !version.post_) {
    stage_ = 0;
  }
  if (version.post_) post_ = *version.post_ + 1;
  if (version.dev_) dev_ = *version.dev_;
  if (!local_text_.empty()) local_ = Local::some;
}

VersionKey VersionKey::infinity_of(int sign) {
  VersionKey key;
  key.infinity_ = sign;
  return key;
}

VersionKey VersionKey::of_release(std::uint64_t epoch, std::vector<std::uint64_t> release) {
  VersionKey key;
  key.epoch_ = epoch;
  key.release_ = std::move(release);
  drop_trailing_zeros(key.release_);
  key.stage_ = 0;
  key.dev_ = 0;
  return key;
}

VersionKey VersionKey::before_prereleases(const Version& version) {
  Version first = version.base();
  first.dev_ = 0;
  return VersionKey(first);
}

VersionKey VersionKey::after(const Version& version) {
  VersionKey key(version);
  key.after_ = true;
  return key;
}

VersionKey VersionKey::after_locals(const Version& version) {
  VersionKey key(version.base());
  key.local_ = Local::after_all;
  return key;
}

VersionKey VersionKey::after_posts(const Version& version) {
  VersionKey key(version.base());
  key.post_ = kAfterAll;
  return key;
}

VersionKey VersionKey::before_prefix(const Version& version, std::size_t count) {
  const auto& release = version.release_;
  const auto end = release.begin() + static_cast<std::ptrdiff_t>(std::min(count, release.size()));
  return of_release(version.epoch_, {release.begin(), end});
}

VersionKey VersionKey::after_prefix(const Version& version, std::size_t count) {
  const auto& release = version.release_;
  const auto end = release.begin() + static_cast<std::ptrdiff_t>(std::min(count, release.size()));
  std::vector<std::uint64_t> next(release.begin(), end);
  if (next.empty()) return plus_infinity();
  ++next.back();  // cannot overflow: versions' numbers are below 2^64 - 2
  return of_release(version.epoch_, std::move(next));
}

std::strong_ordering VersionKey::operator<=>(const VersionKey& other) const {
  if (infinity_ != 0 || other.infinity_ != 0) return infinity_ <=> other.infinity_;
  if (const auto order = epoch_ <=> other.epoch_; order != 0) return order;
  if (const auto order = std::lexicographical_compare_three_way(
          release_.begin(), release_.end(), other.release_.begin(), other.release_.end());
      order != 0) {
    return order;
  }
  if (const auto order = stage_ <=> other.stage_; order != 0) return order;
  if (const auto order = stage_number_ <=> other.stage_number_; order != 0) return order;
  if (const auto order = post_ <=> other.post_; order != 0) return order;
  if (const auto order = dev_ <=> other.dev_; order != 0) return order;
  if (const auto order = local_ <=> other.local_; order != 0) return order;
  if (const auto order = compare_local(local_text_, other.local_text_); order != 0) return order;
  return after_ <=> other.after_;
}

}  // namespace wheel_audit
