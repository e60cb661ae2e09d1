// The formats of a comparison, one file each, and what they share.
#pragma once

#include <string>

#include "wheel_audit/diff.hpp"

namespace wheel_audit {

std::string render_diff_json(const DiffReport& report);
std::string render_diff_markdown(const DiffReport& report);
std::string render_diff_text(const DiffReport& report);

/// `1.20 MB -> 1.31 MB (+9.2%)`; one side's size alone where the other has none.
std::string size_change(const Change<std::uint64_t>& size, std::string_view arrow = "->");

/// `+1.20 MB`, `-3 B`, `0 B`.
std::string growth_text(const Change<std::uint64_t>& size);

}  // namespace wheel_audit
