// Base64 with the URL alphabet (RFC 4648, section 5), as RECORD writes digests.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheel_audit {

/// The bytes in hex, lower-case. Padding may be there or not; surplus bits of the last digit are
/// dropped. Nothing where a digit is not of the alphabet.
std::optional<std::string> hex_of_urlsafe_base64(std::string_view text);

}  // namespace wheel_audit
