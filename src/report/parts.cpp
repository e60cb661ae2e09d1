#include "report/parts.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace wheel_audit {

namespace {

/// Everything of a finding that must be equal for it to join a group.
auto sameness(const Finding& f) {
  return std::tie(f.severity, f.rule, f.message, f.evidence, f.fix, f.superseded, f.waived,
                  f.baseline);
}

struct BySameness {
  bool operator()(const Finding* a, const Finding* b) const { return sameness(*a) < sameness(*b); }
};

}  // namespace

std::vector<Group> grouped(const std::vector<Finding>& findings) {
  std::vector<Group> groups;
  std::map<const Finding*, std::size_t, BySameness> places;
  for (const Finding& finding : findings) {
    const auto [place, fresh] = places.emplace(&finding, groups.size());
    if (fresh) groups.push_back({&finding, {}, 0});
    Group& group = groups[place->second];
    ++group.findings;
    // Findings are in order of members, so that equal members are neighbours.
    if (finding.where && (group.members.empty() || group.members.back() != *finding.where))
      group.members.push_back(*finding.where);
  }
  std::ranges::stable_sort(
      groups, [](const Group& a, const Group& b) { return a.first->severity > b.first->severity; });
  return groups;
}

}  // namespace wheel_audit
