// Questions about members as entries of the archive: their names, modes and compression.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The words of APPNOTE 4.4.5.
std::string method_name(std::uint16_t method) {
  constexpr std::pair<std::uint16_t, std::string_view> kNames[] = {
      {0, "stored"}, {8, "deflate"}, {9, "deflate64"}, {12, "bzip2"},
      {14, "LZMA"},  {93, "zstd"},   {95, "XZ"}};
  for (const auto& [value, name] : kNames) {
    if (value == method) return fmt::format("{} (method {})", name, method);
  }
  return fmt::format("method {}", method);
}

/// `member.method`: a compression method other than the allowed ones. Members that cannot be
/// decoded are left to the rule on corrupt members.
Check method(Params& params) {
  std::vector<std::uint16_t> allowed;
  for (const Json& item : params.json("allow").items()) {
    if (!item.is_integer() || item.as_uint() > std::numeric_limits<std::uint16_t>::max())
      params.fail("parameter \"allow\" holds an item that is no compression method (0 to 65535)");
    allowed.push_back(static_cast<std::uint16_t>(item.as_uint()));
  }
  return [allowed](const Subject& subject, Report& report) {
    for (const MemberFacts& member : subject.wheel.members) {
      const bool is_allowed = std::ranges::find(allowed, member.method) != allowed.end();
      if (is_allowed || subject.index().is_corrupt(member.path)) continue;
      const std::string found = method_name(member.method);
      report(fault(member.path, fmt::format("is compressed with {}", found),
                   {{"found", found}, {"expected", "stored or deflate"}}));
    }
    return looked_at_members(subject.wheel);
  };
}

/// Reports each file that is a directory of another member, too.
void report_files_with_members(const Subject& subject, Report& report) {
  const auto& members = subject.wheel.members;
  const auto is_file = [&](std::string_view path) {
    const MemberFacts* found = subject.index().member(path);
    if (found == nullptr || found->kind != MemberKind::directory) return found != nullptr;
    return std::ranges::any_of(members, [path](const MemberFacts& member) {
      return member.kind != MemberKind::directory && member.path == path;
    });
  };
  NameSet asked;
  std::string_view last;  // directory that was asked
  for (const MemberFacts& member : members) {
    const std::string_view path = member.path;
    const std::string_view directory = path.substr(0, path.rfind('/') + 1);
    if (directory == std::exchange(last, directory)) continue;
    const std::string_view last_parent = openable_directory(path);
    for (std::size_t slash = path.find('/'); slash <= last_parent.size();
         slash = path.find('/', slash + 1)) {
      const std::string_view parent = path.substr(0, slash);
      if (!asked.insert(parent).second || !is_file(parent)) continue;
      report(fault(
          std::string(parent),
          fmt::format("is a file, and {} makes it a directory: one path cannot be both", path),
          {{"found", "a file and a directory"}, {"other", member.path}}));
    }
  }
}

void report_place(const MemberFacts& member, const MemberFacts& other, Report& report) {
  const std::string place = shown_path(install_path(member.path));
  report(fault(
      member.path,
      fmt::format("is installed as {}, and so is {}: one overwrites the other", place, other.path),
      {{"found", place}, {"other", other.path}, {"expected", "one member for a path"}}));
}

/// Members that are installed at one path: one lies below `*.data`, the other where that leads.
void report_one_place(const WheelFacts& wheel, Report& report) {
  const auto is_file = [](const MemberFacts& member) {
    return member.kind != MemberKind::directory && !member.path.ends_with('/');
  };
  OwnNameMap<const MemberFacts*> spread;  // by where installers put them
  for (const MemberFacts& member : wheel.members) {
    if (!is_file(member) || !top_level(member.path).ends_with(".data")) continue;
    const auto [place, fresh] = spread.emplace(install_path(member.path), &member);
    if (!fresh && place->second->path != member.path) report_place(member, *place->second, report);
  }
  if (spread.empty()) return;
  for (const MemberFacts& member : wheel.members) {
    if (!is_file(member) || top_level(member.path).ends_with(".data")) continue;
    const auto place = spread.find(install_path(member.path));
    if (place != spread.end()) report_place(*place->second, member, report);
  }
}

/// `member.duplicate`: one path more than once, as a file and as a directory, or two members that
/// are installed at one path.
Check duplicate(Params&) {
  return [](const Subject& subject, Report& report) {
    for (const auto& [path, count] : subject.index().repeated()) {
      report(fault(std::string(path), fmt::format("is in the archive {} times", count),
                   {{"found", std::to_string(count)}, {"expected", "1"}}));
    }
    report_files_with_members(subject, report);
    report_one_place(subject.wheel, report);
    return looked_at_members(subject.wheel);
  };
}

/// What is unsafe about a member's name; empty when nothing is.
std::string unsafe_part(const MemberFacts& member) {
  const std::string_view path = member.path;
  if (path.empty()) return "is empty";
  if (!member.utf8_name) return "holds bytes that are not UTF-8";
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7f;
  };
  const auto control = std::ranges::find_if(path, is_control);
  if (control != path.end()) {
    return fmt::format("holds the control byte 0x{:02x}", static_cast<unsigned char>(*control));
  }
  if (path.find('\\') != std::string_view::npos) return "holds a backslash";
  if (path.front() == '/') return "is absolute";
  const char first = lower(path.substr(0, 1)).front();
  if (path.size() > 1 && path[1] == ':' && first >= 'a' && first <= 'z')
    return "starts with a drive letter";
  std::vector<std::string_view> parts = split(path, '/');
  if (parts.size() > 1 && parts.back().empty()) parts.pop_back();  // the mark of a directory
  if (std::ranges::find(parts, ".") != parts.end())
    return "has a part \".\", which installers drop";
  if (std::ranges::find(parts, "..") != parts.end()) return "climbs out of its directory by \"..\"";
  if (std::ranges::find(parts, "") != parts.end()) return "has an empty part";
  return {};
}

/// `member.unsafe-name`: names that lead out of the environment, or elsewhere on other systems.
Check unsafe_name(Params&) {
  return [](const Subject& subject, Report& report) {
    for (const MemberFacts& member : subject.wheel.members) {
      const std::string found = unsafe_part(member);
      if (found.empty()) continue;
      report(
          fault(member.path, "its name " + found,
                {{"found", found}, {"expected", "a relative path of UTF-8 names with slashes"}}));
    }
    return looked_at_members(subject.wheel);
  };
}

constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kRegular = 0100000;
constexpr std::uint32_t kLink = 0120000;

bool is_library(const MemberFacts& member) {
  return member.kind == MemberKind::elf || member.kind == MemberKind::pe ||
         member.kind == MemberKind::macho;
}

/// A property of a mode that a rule can forbid.
struct ModeFault {
  std::string_view name;
  std::string_view message;
  bool (*holds)(const MemberFacts& member);
};

bool is_regular(const MemberFacts& member) {
  const std::uint32_t type = member.mode & kTypeMask;
  return member.kind != MemberKind::directory && (type == kRegular || type == 0);
}

constexpr ModeFault kModeFaults[] = {
    {"symlink", "is a symbolic link",
     [](const MemberFacts& member) { return (member.mode & kTypeMask) == kLink; }},
    {"setuid", "is setuid",
     [](const MemberFacts& member) { return is_regular(member) && (member.mode & 04000U) != 0; }},
    {"setgid", "is setgid",
     [](const MemberFacts& member) { return is_regular(member) && (member.mode & 02000U) != 0; }},
    {"world-writable", "is writable by everybody",
     [](const MemberFacts& member) { return is_regular(member) && (member.mode & 0002U) != 0; }},
    {"unreadable-library", "is a native library that nobody may read",
     [](const MemberFacts& member) {
       return is_regular(member) && is_library(member) && (member.mode & 0444U) == 0;
     }},
};

/// `member.mode`: forbidden types and permissions, where a mode says something.
Check mode(Params& params) {
  const std::vector<std::string> words = params.some("forbid");
  std::vector<ModeFault> forbidden;
  std::vector<std::string> known;
  for (const ModeFault& item : kModeFaults) {
    known.emplace_back(item.name);
    if (std::ranges::find(words, item.name) != words.end()) forbidden.push_back(item);
  }
  for (const std::string& word : words) {
    if (std::ranges::find(known, word) == known.end())
      params.fail(fmt::format("parameter \"forbid\" has \"{}\", expected one of {}{}", word,
                              join(known, ", "), did_you_mean(word, known)));
  }
  return [forbidden](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const MemberFacts& member : subject.wheel.members) {
      if (!has_mode(subject, member)) continue;
      looked = Looked::something;
      for (const ModeFault& item : forbidden) {
        if (!item.holds(member)) continue;
        const std::string found = fmt::format("0{:o}", member.mode);
        report(fault(member.path, fmt::format("{} (mode {})", item.message, found),
                     {{"found", found}}, std::string(item.name)));
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> members_kinds() {
  return {{"member.method", method},
          {"member.duplicate", duplicate},
          {"member.unsafe-name", unsafe_name},
          {"member.mode", mode}};
}

}  // namespace wheel_audit
