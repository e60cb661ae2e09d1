// Many globs at once, for lists that are asked of every member or symbol of a wheel.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/names.hpp"

namespace wheel_audit {

/// A list of globs that matches what matches_any() of it does, in less time: whole names are looked
/// up, beginnings (`lib*`) and ends (`*.pem`) compared, and only other globs walked.
class Globs {
 public:
  Globs() = default;
  explicit Globs(std::span<const std::string> globs);
  bool match(std::string_view text) const;

 private:
  bool begins_as_wanted(std::string_view text) const;

  OwnNameSet names_;
  std::size_t longest_ = 0;            ///< of names_
  std::array<bool, 256> last_{};       ///< last bytes of names_ and suffixes_
  std::vector<std::string> prefixes_;  ///< in order; none begins with another one
  std::vector<std::string> suffixes_;
  std::vector<std::string> others_;
};

}  // namespace wheel_audit
