// The platform tag that a wheel's needs deserve.
#pragma once

#include <string>

#include "kinds/platform.hpp"
#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// Whether the wheel ships a library of that file name or soname.
bool ships(const Subject& subject, std::string_view library);

/// The lowest tag of each C library and machine of the wheel that promises every symbol version
/// that its files need of libraries which it does not ship, joined by dots; `linux_<machine>` where
/// none does.
std::string honest_tags(const Subject& subject, const Platforms& platforms);

}  // namespace wheel_audit
