#include "fuzz/targets.hpp"
#include "wheel_audit/matrix.hpp"

namespace wheel_audit::fuzz {

// The first byte chooses the parser: P for a release policy.
void config(ByteView input) {
  if (input.empty()) return;
  const std::string_view text = input.text().substr(1);
  const Result<matrix::Policy> policy = matrix::parse_policy(text, "release.json");
  static_cast<void>(policy);
}

}  // namespace wheel_audit::fuzz
