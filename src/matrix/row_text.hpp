// The rows of a matrix as they stand in its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheel_audit::matrix {

/// The items of the array under a top-level key, each in its own spelling (numbers, escapes, order
/// of keys), without the line ends and indentation between them. `text` is sound JSON.
std::vector<std::string> item_texts(std::string_view text, std::string_view key);

}  // namespace wheel_audit::matrix
