// Names that repair tools give to the libraries that they bundle.
#pragma once

#include <string>
#include <string_view>

namespace wheel_audit {

/// A name without the hash that repair tools put into it: `libgomp-a34b3233.so.1` → `libgomp.so.1`,
/// also when it was hashed twice.
std::string without_hash(std::string_view name);

}  // namespace wheel_audit
