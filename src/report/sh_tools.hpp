// The fixed part of the fix script.
#pragma once

#include <string_view>

namespace wheel_audit {

/// Usage, and the functions that rules' `mend` may name beside ordinary commands: `drop_entry`,
/// `drop_repeated`, `add_entry`, `clear_execstack`, `add_header`, `set_header`, `repack`, `retag`.
std::string_view sh_tools();

/// Whether a command is the program, or a function that calls it.
bool is_in_need_of(std::string_view command, std::string_view program);

}  // namespace wheel_audit
