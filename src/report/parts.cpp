// What reports say alike: groups of equal findings, counts, verdicts.
#include "report/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <tuple>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// A text without the numbers of byte offsets.
std::string without_offsets(std::string text) {
  constexpr std::string_view kWord = "offset ";
  constexpr std::string_view kAny = "…";
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at)) {
    at += kWord.size();
    std::size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end > at) text.replace(at, end - at, kAny);
  }
  return text;
}

/// The finding as it is where its place in the file does not matter.
Finding without_place(const Finding& finding) {
  Finding general = finding;
  if (evidence_of(finding, "offset") == nullptr) return general;
  general.message = without_offsets(std::move(general.message));
  std::erase_if(general.evidence, [](const auto& fact) { return fact.first == "offset"; });
  for (auto& [key, value] : general.evidence) value = without_offsets(std::move(value));
  return general;
}

/// Everything of a finding that must be equal for it to join a group.
auto sameness(const Finding& f) {
  return std::tie(f.severity, f.rule, f.message, f.evidence, f.fix, f.superseded, f.waived,
                  f.baseline);
}

struct BySameness {
  bool operator()(const Finding& a, const Finding& b) const { return sameness(a) < sameness(b); }
};

}  // namespace

std::string standing(const Finding& finding) {
  if (finding.waived) return "waived: " + printable(*finding.waived);
  return finding.baseline ? "in the baseline" : "";
}

std::string count(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

std::string counts_text(const Summary& s) {
  return fmt::format("{}, {}, {}{}, {} unread", count(s.errors, "error", "errors"),
                     count(s.warnings, "warning", "warnings"), count(s.notes, "note", "notes"),
                     s.waived > 0 ? fmt::format(", {} waived", s.waived) : "", s.unread);
}

std::string verdicts_text(const RunReport& run) {
  const auto with = [&](std::string_view word) {
    return std::ranges::count_if(
        run.wheels, [&](const WheelReport& wheel) { return verdict(wheel, run.fail_on) == word; });
  };
  return fmt::format("{} clean, {} with findings, {} incomplete", with("clean"), with("findings"),
                     with("incomplete"));
}

std::optional<std::uint64_t> line_of(const Finding& finding) {
  const std::string* line = evidence_of(finding, "line");
  if (line == nullptr) return std::nullopt;
  std::uint64_t number = 0;
  const char* end = std::to_address(line->end());
  const auto [stop, failed] = std::from_chars(line->data(), end, number);
  if (failed != std::errc() || stop != end || number == 0) return std::nullopt;
  return number;
}

std::string path_uri(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

std::vector<Group> grouped(const std::vector<Finding>& findings) {
  std::vector<Group> groups;
  std::map<Finding, std::size_t, BySameness> places;
  for (const Finding& finding : findings) {
    const auto [place, fresh] = places.emplace(without_place(finding), groups.size());
    if (fresh) groups.push_back({&finding, {}, {}, 0});
    Group& group = groups[place->second];
    ++group.findings;
    if (finding.message != group.first->message) group.general = place->first;
    // Findings are in order of members, so that equal members are neighbours.
    if (finding.where && (group.members.empty() || group.members.back() != *finding.where))
      group.members.push_back(*finding.where);
  }
  std::ranges::stable_sort(
      groups, [](const Group& a, const Group& b) { return a.first->severity > b.first->severity; });
  return groups;
}

std::vector<Adjusted> adjusted(const WheelReport& wheel) {
  std::map<std::pair<std::string, std::string>, std::size_t> counts;
  for (const Finding& finding : wheel.adjusted)
    ++counts[{finding.rule, finding.waived.value_or("")}];
  std::vector<Adjusted> all;
  all.reserve(counts.size());
  for (const auto& [what, number] : counts) all.push_back({what.first, what.second, number});
  return all;
}

std::vector<WheelReport> run_files(const RunReport& run) {
  std::vector<WheelReport> files;
  for (const Finding& finding : run.findings) {
    const std::string file = finding.where.value_or("");
    auto place = std::ranges::find(files, file, &WheelReport::file);
    if (place == files.end()) {
      files.emplace_back();
      place = files.end() - 1;
      place->file = file;
    }
    place->findings.push_back(finding);
    place->findings.back().where.reset();
  }
  return files;
}

}  // namespace wheel_audit
