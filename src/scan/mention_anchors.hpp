// Finds the bytes from which a mention may be told, in bytes that are hardly ever one.
#pragma once

#include <cstddef>
#include <string_view>

namespace wheel_audit {

/// The first anchor at or after `at` and before `to`, or npos: a `.so`, `.sh`, `.li`, an `.a` that
/// no letter follows, or an `nvi`. Every mention has one.
std::size_t next_anchor(std::string_view bytes, std::size_t at, std::size_t to);

/// The same with no instruction that only some processors have.
std::size_t next_anchor_anywhere(std::string_view bytes, std::size_t at, std::size_t to);

}  // namespace wheel_audit
