// Collects what is wrong with an archive: bounded, and in the end in order of offset.
#include <fmt/format.h>

#include <algorithm>

#include "archive/structure.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kMostProblems = 100'000;
constexpr std::size_t kLongestQuote = 200;

}  // namespace

std::string quoted(std::string_view name) {
  if (name.size() <= kLongestQuote) return fmt::format("\"{}\"", printable(name));
  return fmt::format("\"{}…\" ({} bytes)", printable(name.substr(0, kLongestQuote)), name.size());
}

void Problems::add(std::string_view code, std::uint64_t offset, std::optional<std::string> where,
                   std::string message) {
  if (list_.size() >= kMostProblems) {
    ++left_out_;
    return;
  }
  list_.push_back({std::string(code), std::move(where), offset, std::move(message)});
}

std::vector<ArchiveProblem> Problems::take() {
  std::ranges::stable_sort(list_, {}, &ArchiveProblem::offset);
  if (left_out_ > 0) {
    list_.push_back({"ambiguous", std::nullopt, list_.back().offset,
                     fmt::format("{} more problems are not listed", left_out_)});
  }
  return std::move(list_);
}

}  // namespace wheel_audit
