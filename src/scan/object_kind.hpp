// What a member is, by its first bytes.
#pragma once

#include <string>

#include "wheel_audit/bytes.hpp"
#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// The kind that the first bytes of a member tell, and for foreign objects their machine.
struct ObjectKind {
  MemberKind kind = MemberKind::other;
  std::string machine;  ///< of PE and Mach-O: the word for its machine, or empty
};

/// `head` is the first chunk of the member (up to some 256 KiB).
ObjectKind object_kind(ByteView head);

}  // namespace wheel_audit
