// A wheel's own names and directories.
#include "kinds/project.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Whether every tag is Windows': there files have mode 0666, and writers may claim to be a Unix.
bool is_made_on_windows(const Subject& subject) {
  if (!subject.wheel.name || subject.wheel.name->platform.empty()) return false;
  return std::ranges::all_of(subject.wheel.name->platform, [](const std::string& platform) {
    return platform.starts_with("win");
  });
}

}  // namespace

Fault fault(std::optional<std::string> where, std::string message, Evidence evidence,
            std::string subject) {
  return {.where = std::move(where),
          .message = std::move(message),
          .evidence = std::move(evidence),
          .subject = std::move(subject),
          .fix = {}};
}

Looked looked_at_members(const WheelFacts& wheel) {
  return wheel.members.empty() ? Looked::nothing : Looked::something;
}

std::string_view openable_directory(std::string_view path) {
  constexpr std::size_t kLongest = 4096;
  return directory_name(path.substr(0, kLongest));
}

std::string_view top_level(std::string_view path) { return path.substr(0, path.find('/')); }

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

std::string project_of(const WheelFacts& wheel) {
  return wheel.name ? normalize_name(wheel.name->distribution) : std::string();
}

std::string shown_wheel(const WheelFacts& wheel) {
  if (!wheel.name) return wheel.file_name;
  return fmt::format("{} {}", project_of(wheel), wheel.name->version);
}

std::vector<const WheelFacts*> other_projects(const Subject& subject) {
  std::vector<const WheelFacts*> found;
  const std::string own = project_of(subject.wheel);
  for (const WheelFacts* wheel : subject.context.wheels) {
    if (wheel->name && project_of(*wheel) != own) found.push_back(wheel);
  }
  return found;
}

bool is_script(const EntryPoint& entry) {
  return entry.group == "console_scripts" || entry.group == "gui_scripts";
}

bool has_mode(const Subject& subject, const MemberFacts& member) {
  constexpr std::uint8_t kUnix = 3;  // APPNOTE 4.4.2
  constexpr std::uint8_t kDarwin = 19;
  return (member.host == kUnix || member.host == kDarwin) && member.mode != 0 &&
         !is_made_on_windows(subject);
}

bool is_native(const Subject& subject, const MemberFacts& member) {
  if (member.kind == MemberKind::pe || member.kind == MemberKind::macho) return true;
  if (member.kind != MemberKind::elf) return false;
  const ElfFacts* elf = subject.index().elf(member.path);
  return elf != nullptr && elf->is_host() && elf->type != "rel";
}

bool is_any_platform(const NameFacts& name) {
  return std::ranges::all_of(name.platform, [](const std::string& tag) { return tag == "any"; });
}

}  // namespace wheel_audit
