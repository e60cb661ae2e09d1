// The formats of a comparison, one file each, and what they share.
#pragma once

#include <string>
#include <vector>

#include "wheel_audit/diff.hpp"

namespace wheel_audit {

std::string render_diff_json(const DiffReport& report);
std::string render_diff_markdown(const DiffReport& report);
std::string render_diff_text(const DiffReport& report);

/// Failures that differ in nothing but the library.
struct FailureGroup {
  std::string word;
  std::vector<std::string> where;  ///< none: the whole wheel
  std::string message;
};

/// Equal failures as one, in order of their first.
std::vector<FailureGroup> grouped(const std::vector<DiffFailure>& failures);

/// `1.20 MB -> 1.31 MB (+9.2%)`; one side's size alone where the other has none.
std::string size_change(const Change<std::uint64_t>& size, std::string_view arrow = "->");

/// `+1.20 MB`, `-3 B`, `0 B`.
std::string growth_text(const Change<std::uint64_t>& size);

}  // namespace wheel_audit
