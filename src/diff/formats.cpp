// The table of formats of a difference, and words that they share.
#include "diff/formats.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "wheel_audit/quantity.hpp"

namespace wheel_audit {

const std::vector<DiffFormat>& diff_formats() {
  static const std::vector<DiffFormat> kFormats = {
      {"json", render_diff_json}, {"markdown", render_diff_markdown}, {"text", render_diff_text}};
  return kFormats;
}

std::vector<FailureGroup> grouped(const std::vector<DiffFailure>& failures) {
  std::vector<FailureGroup> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const DiffFailure& failure : failures) {
    const auto [place, fresh] =
        places.emplace(std::pair(failure.word, failure.message), groups.size());
    if (fresh) groups.push_back({failure.word, {}, failure.message});
    if (!failure.where.empty()) groups[place->second].where.push_back(failure.where);
  }
  return groups;
}

std::string size_change(const Change<std::uint64_t>& size, std::string_view arrow) {
  if (!size.differs()) return size_text(size.after);
  std::string text = fmt::format("{} {} {}", size_text(size.before), arrow, size_text(size.after));
  if (size.before == 0) return text;
  const auto before = static_cast<double>(size.before);
  return text +
         fmt::format(" ({:+.1f}%)", (static_cast<double>(size.after) - before) / before * 100);
}

std::string growth_text(const Change<std::uint64_t>& size) {
  if (!size.differs()) return "0 B";
  return size.after > size.before ? "+" + size_text(size.after - size.before)
                                  : "-" + size_text(size.before - size.after);
}

}  // namespace wheel_audit
