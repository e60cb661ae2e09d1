// Whether one release has two files for one tag set.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/project.hpp"
#include "kinds/set_groups.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Platform tags without aliases: manylinux2014 is manylinux_2_17.
std::vector<std::string> without_aliases(const std::vector<std::string>& platforms) {
  std::vector<std::string> plain;
  for (const std::string& platform : platforms) {
    const std::vector<PlatformTag> tags = linux_tags({platform});
    if (tags.empty() || tags.front().libc != "glibc") {
      plain.push_back(lower(platform));
    } else {
      const PlatformTag& tag = tags.front();
      plain.push_back(fmt::format("manylinux_{}_{}_{}", tag.major, tag.minor, tag.machine));
    }
  }
  return plain;
}

/// The tags that installers see, sorted.
std::string tag_set(const NameFacts& name) {
  NameFacts plain = name;
  plain.platform = without_aliases(name.platform);
  const std::vector<std::string> tags = expand_tags(plain);
  const std::set<std::string> each(tags.begin(), tags.end());
  return join(std::vector<std::string>(each.begin(), each.end()), ", ");
}

/// Whether two files have the same members with the same bytes: one file that was given twice.
bool is_same_file(const WheelFacts& a, const WheelFacts& b) {
  return a.file_name == b.file_name && a.file_size == b.file_size &&
         std::ranges::equal(a.members, b.members, [](const MemberFacts& x, const MemberFacts& y) {
           return x.path == y.path && x.size == y.size && x.crc32 == y.crc32;
         });
}

/// `set.duplicate`: two files for one tag set. A build number tells files apart: installers take
/// the highest.
SetCheck duplicate(Params&) {
  return [](const Siblings& all, SetReport& report) {
    const auto build = [](const Subject& wheel) { return std::optional(build_of(wheel)); };
    const auto slot = [](const Subject& wheel) {
      const NameFacts& name = *wheel.wheel.name;
      return std::optional(fmt::format("{}/{}", name.build.value_or(std::string()), tag_set(name)));
    };
    for (const Siblings& wheels : apart(all, build)) {
      report.looked_at(wheels);
      for (const Siblings& equal : apart(wheels, slot)) {
        const WheelFacts& first = equal.front()->wheel;
        for (const Subject* other : equal) {
          if (other == equal.front() || is_same_file(first, other->wheel)) continue;
          const bool one_name = first.file_name == other->wheel.file_name;
          const std::string& shown = one_name ? first.given : first.file_name;
          const std::string tags = tag_set(*first.name);
          report(*other,
                 fault(std::nullopt, fmt::format("is for the same tags as {}: {}", shown, tags),
                       {{"found", other->wheel.file_name},
                        {"expected", "one file for " + tags},
                        {"wheel", shown}},
                       tags));
        }
      }
    }
  };
}

}  // namespace

SetKind duplicate_set_kind() { return {"set.duplicate", duplicate}; }

}  // namespace wheel_audit
