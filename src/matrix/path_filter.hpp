// Path filters of workflow files, in GitHub's pattern language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheel_audit::matrix {

/// Whether a change of the file passes the patterns: each in turn lets it in, or with `!` out.
bool passes(const std::vector<std::string>& patterns, std::string_view path);

}  // namespace wheel_audit::matrix
