// Recognises secrets by what their files begin with.
#pragma once

#include <string>
#include <string_view>

namespace wheel_audit {

/// What the first bytes of a text member say that it is: `private key`, `certificate`,
/// `cloud credentials`, or nothing. A source file that merely names such a header is none.
std::string secret_header(std::string_view head);

}  // namespace wheel_audit
