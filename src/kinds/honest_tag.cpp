// The platform tag that the version needs of a wheel deserve.
#include "kinds/honest_tag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

bool ships(const Subject& subject, std::string_view library) {
  const std::vector<const Placed*> found = subject.site().libraries_named(library);
  return std::ranges::any_of(found,
                             [&](const Placed* file) { return file->wheel == &subject.wheel; });
}

namespace {

/// Every version that the wheel's files need of libraries that it does not ship.
std::set<std::string> outside_versions(const Subject& subject, std::string_view machine) {
  std::set<std::string> versions;
  for (const ElfFacts* elf : judged_elves(subject)) {
    if (elf->machine != machine) continue;
    for (const VersionNeed& need : elf->version_needs) {
      if (!need.weak && !ships(subject, need.library)) versions.insert(need.version);
    }
  }
  return versions;
}

/// The tag of one C library and machine: the lowest row that promises all, or between rows the
/// glibc version itself.
std::string honest_tag(const Platforms& platforms, const PlatformTag& like,
                       const std::set<std::string>& versions) {
  const auto suits = [&](const PlatformTag& tag) {
    return std::ranges::all_of(versions, [&](const std::string& version) {
      return version != "GLIBC_PRIVATE" && platforms.promises_version(tag, version) != false;
    });
  };
  const std::vector<PlatformTag> ladder = platforms.ladder(like.libc, like.machine);
  for (std::size_t i = 0; i < ladder.size(); ++i) {
    const int first = i == 0 ? ladder[i].minor : ladder[i - 1].minor + 1;
    for (int minor = first; minor <= ladder[i].minor; ++minor) {
      PlatformTag tag = ladder[i];
      tag.minor = minor;
      const std::string_view family = like.libc == "musl" ? "musllinux" : "manylinux";
      tag.tag = fmt::format("{}_{}_{}_{}", family, tag.major, minor, tag.machine);
      if (suits(tag)) return tag.tag;
    }
  }
  return fmt::format("linux_{}", like.machine);
}

}  // namespace

std::string honest_tags(const Subject& subject, const Platforms& platforms) {
  std::vector<std::string> tags;
  for (const PlatformTag& tag : subject.tags()) {
    PlatformTag like = tag;
    if (like.libc.empty()) like.libc = "glibc";
    const std::string honest = honest_tag(platforms, like, outside_versions(subject, tag.machine));
    if (std::ranges::find(tags, honest) == tags.end()) tags.push_back(honest);
  }
  return join(tags, ".");
}

}  // namespace wheel_audit
