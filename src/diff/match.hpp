// Which member of one wheel is which of another.
#pragma once

#include <utility>
#include <vector>

#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// A member on both sides, or on one.
struct Pair {
  const MemberFacts* before = nullptr;
  const MemberFacts* after = nullptr;
};

/// Every member of both wheels once; directories are left out. Equal paths are one member; else
/// names are compared without what differs from version to version and platform to platform: the
/// version of the dist-info directory, the hashes of repair tools, the suffix of a Python ABI, the
/// version of a library; last, libraries of one name in different folders. A name that fits several
/// members is matched only where both sides have equally many.
std::vector<Pair> match_members(const WheelFacts& before, const WheelFacts& after);

}  // namespace wheel_audit
