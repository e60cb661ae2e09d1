// Finds the table of section names in a stream, where nothing has told yet where it is.
#pragma once

#include <cstddef>
#include <string_view>

namespace wheel_audit {

/// Where the section names' own name (`.shstrtab`) stands, or npos. The table holds it.
std::size_t find_own_name(std::string_view bytes);

}  // namespace wheel_audit
