// The fixed part of the fix script.
#pragma once

#include <string_view>

namespace wheel_audit {

/// Usage, and the functions that rules' `mend` may name beside ordinary commands: `drop_entry`,
/// `drop_repeated`, `add_header`, `set_header`, `repack`, `retag`.
std::string_view sh_tools();

}  // namespace wheel_audit
