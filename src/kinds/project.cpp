#include "kinds/project.hpp"

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

Fault fault(std::optional<std::string> where, std::string message, Evidence evidence,
            std::string subject) {
  return {.where = std::move(where),
          .message = std::move(message),
          .evidence = std::move(evidence),
          .subject = std::move(subject),
          .fix = {}};
}

std::string_view top_level(std::string_view path) { return path.substr(0, path.find('/')); }

Result<Version> escaped_version(std::string_view text) {
  Result<Version> version = Version::parse(text);
  if (version || text.find('_') == std::string_view::npos) return version;
  std::string plain(text);
  std::ranges::replace(plain, '_', '-');  // bdist_wheel escapes every run of other characters
  return Version::parse(plain);
}

bool is_own(std::string_view stem, const NameFacts& name) {
  const std::size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos) return false;
  const Result<Version> own = escaped_version(name.version);
  const Result<Version> found = escaped_version(stem.substr(dash + 1));
  const bool same_version =
      own && found ? *own == *found : stem.substr(dash + 1) == std::string_view(name.version);
  return same_version && normalize_name(stem.substr(0, dash)) == normalize_name(name.distribution);
}

std::string own_dist_info(const WheelFacts& wheel) {
  constexpr std::string_view kSuffix = ".dist-info";
  if (wheel.dist_infos.empty()) return {};
  for (const std::string& directory : wheel.dist_infos) {
    const std::string_view stem(directory.data(), directory.size() - kSuffix.size());
    if (wheel.name && is_own(stem, *wheel.name)) return directory;
  }
  return wheel.dist_infos.front();
}

PathCounts count_paths(const WheelFacts& wheel) {
  PathCounts counts;
  counts.reserve(wheel.members.size());
  for (const MemberFacts& member : wheel.members) ++counts[member.path];
  return counts;
}

std::optional<std::string_view> below_scheme(std::string_view path, std::string_view scheme) {
  const std::string_view top = top_level(path);
  if (!top.ends_with(".data") || top.size() == path.size()) return std::nullopt;
  const std::string_view rest = path.substr(top.size() + 1);
  if (!rest.starts_with(scheme) || rest.size() <= scheme.size() || rest[scheme.size()] != '/')
    return std::nullopt;
  return rest.substr(scheme.size() + 1);
}

std::optional<std::string_view> site_path(std::string_view path) {
  if (const auto pure = below_scheme(path, "purelib")) return pure;
  if (const auto plat = below_scheme(path, "platlib")) return plat;
  const std::string_view top = top_level(path);
  const bool apart =
      top.size() < path.size() && (top.ends_with(".dist-info") || top.ends_with(".data"));
  if (apart) return std::nullopt;
  return path;
}

bool is_native(const WheelFacts& wheel, const MemberFacts& member) {
  if (member.kind == MemberKind::pe || member.kind == MemberKind::macho) return true;
  if (member.kind != MemberKind::elf) return false;
  const ElfFacts* elf = wheel.elf(member.path);
  return elf != nullptr && elf->is_host() && elf->type != "rel";
}

bool is_any_platform(const NameFacts& name) {
  return std::ranges::all_of(name.platform, [](const std::string& tag) { return tag == "any"; });
}

}  // namespace wheel_audit
