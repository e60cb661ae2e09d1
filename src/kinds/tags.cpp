// Questions about the WHEEL file, its tags, and native code where they promise none.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

using Tags = std::set<std::string>;

/// What a line names: Pythons, ABIs and platforms. Each combination is a tag.
using TagParts = std::array<std::vector<std::string>, 3>;

/// The parts of a line (`py2.py3-none-any` is two tags), or nothing where it is no tag.
std::optional<TagParts> parts_of(std::string_view line) {
  const std::string small = lower(trim(line));
  const std::vector<std::string_view> texts = split(small, '-');
  if (texts.size() != 3) return std::nullopt;
  TagParts parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const std::string_view word : split(texts[i], '.')) {
      const bool sound =
          !word.empty() &&
          word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
      if (!sound) return std::nullopt;
      parts[i].emplace_back(word);
    }
  }
  return parts;
}

/// Adds the tags of a line; false where there would be more than any wheel has.
bool add_tags(const TagParts& parts, Tags& tags) {
  std::size_t number = 1;
  for (const std::vector<std::string>& part : parts) {
    number *= part.size();
    if (number > kMostTags - std::min(kMostTags, tags.size())) return false;
  }
  for (const std::string& python : parts[0]) {
    for (const std::string& abi : parts[1]) {
      for (const std::string& platform : parts[2])
        tags.insert(fmt::format("{}-{}-{}", python, abi, platform));
    }
  }
  return true;
}

void check_wheel_version(const WheelFileFacts& file, Report& report) {
  const std::string* stated = file.first("Wheel-Version");
  const std::string found = stated == nullptr ? "nothing" : std::string(trim(*stated));
  const bool supported = found.starts_with("1.") && found.size() > 2 &&
                         found.find_first_not_of("0123456789", 2) == std::string::npos;
  if (supported) return;
  report(fault(file.path,
               stated == nullptr
                   ? std::string("has no Wheel-Version")
                   : fmt::format("says Wheel-Version: {}, which installers do not support", found),
               {{"found", found}, {"expected", "1.0"}}, "Wheel-Version"));
}

/// Fields that decide how a wheel is installed: of two lines, tools take either.
void check_repeated(const WheelFileFacts& file, Report& report) {
  for (const std::string field : {"Wheel-Version", "Root-Is-Purelib"}) {
    const std::vector<std::string> values = file.all(field);
    if (values.size() < 2) continue;
    report(fault(file.path,
                 fmt::format("has {} {} times: {}", field, values.size(), shortened(values)),
                 {{"found", shortened(values)}, {"expected", "one value"}}, field));
  }
}

/// `wheel-file.invalid`: a WHEEL file that installers refuse or misread.
Check invalid(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (wheel.dist_infos.empty()) return Looked::nothing;
    if (!wheel.wheel) {
      const std::string path = own_dist_info(wheel) + "/WHEEL";
      if (wheel.member(path) == nullptr) {
        report(fault(std::nullopt, fmt::format("has no {}", path),
                     {{"found", "nothing"}, {"expected", path}}));
      }
      return Looked::something;
    }
    const WheelFileFacts& file = *wheel.wheel;
    for (const std::string& problem : file.problems) {
      report(
          fault(file.path, problem, {{"found", problem}, {"expected", "Field: value"}}, problem));
    }
    check_repeated(file, report);
    check_wheel_version(file, report);
    if (!file.root_is_purelib()) {
      const std::string* stated = file.first("Root-Is-Purelib");
      report(
          fault(file.path,
                stated == nullptr ? std::string("has no Root-Is-Purelib")
                                  : fmt::format("says Root-Is-Purelib: {}", *stated),
                {{"found", stated == nullptr ? "nothing" : *stated}, {"expected", "true or false"}},
                "Root-Is-Purelib"));
    }
    for (const std::string& line : file.all("Tag")) {
      if (parts_of(line)) continue;
      report(fault(file.path, fmt::format("says Tag: {}, which is no tag", line),
                   {{"found", line}, {"expected", "python-abi-platform"}}, "Tag: " + line));
    }
    return Looked::something;
  };
}

std::string joined(const Tags& tags) {
  const std::vector<std::string> words(tags.begin(), tags.end());
  return words.empty() ? "none" : join(words, ", ");
}

Tags without(const Tags& tags, const Tags& others) {
  Tags left;
  std::ranges::set_difference(tags, others, std::inserter(left, left.end()));
  return left;
}

/// `wheel-file.tags`: WHEEL's tags against the file name's. A line that is no tag is another
/// rule's fault, and what it was meant to say is not known.
Check tags(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (!wheel.wheel || !wheel.name) return Looked::nothing;
    Tags found;
    for (const std::string& line : wheel.wheel->all("Tag")) {
      const std::optional<TagParts> parts = parts_of(line);
      if (!parts) return Looked::something;
      if (!add_tags(*parts, found)) {
        report.unread(wheel.wheel->path,
                      fmt::format("names more than {} tags, which are not compared", kMostTags));
        return Looked::something;
      }
    }
    Tags expected;
    for (const std::string& tag : expand_tags(*wheel.name)) expected.insert(lower(tag));
    if (found == expected) return Looked::something;
    const Tags missing = without(expected, found);
    const Tags surplus = without(found, expected);
    std::string message = "its tags are not the file name's:";
    if (!missing.empty()) message += fmt::format(" lacks {}", joined(missing));
    if (!surplus.empty()) {
      message += fmt::format("{} has {}", missing.empty() ? "" : ";", joined(surplus));
    }
    report(fault(wheel.wheel->path, message,
                 {{"found", joined(found)}, {"expected", joined(expected)}}));
    return Looked::something;
  };
}

/// Whether a member is a module that the interpreter imports from native code.
bool is_extension(const Subject& subject, const MemberFacts& member) {
  // `x.cp39-win_amd64.pyd` is seen by that one interpreter alone: an accelerator beside Python code
  // (debugpy). A plain `x.pyd` is every Windows interpreter's.
  if (member.kind == MemberKind::pe) {
    const std::string name = lower(base_name(member.path));
    return name.ends_with(".pyd") && name.find("-win") == std::string::npos;
  }
  if (member.kind == MemberKind::macho) return member.path.ends_with(".so");
  const ElfFacts* elf = member.kind == MemberKind::elf ? subject.index().elf(member.path) : nullptr;
  return elf != nullptr && elf->is_host() && elf->is_extension();
}

/// Whether a wheel carries native libraries of several systems: then it serves each of them, and
/// an extension for one is an extra (debuggers ship such), not the leftover of a platform build.
bool serves_several_systems(const Subject& subject) {
  std::set<MemberKind> formats;
  for (const MemberFacts& member : subject.wheel.members) {
    const bool program = lower(member.path).ends_with(".exe");
    if (!program && is_native(subject, member)) formats.insert(member.kind);
  }
  return formats.size() > 1;
}

/// `native.any`: extensions in a wheel for any platform, and native code below a purelib that is
/// apart from the platform's own. Launchers and debugger helpers in an `any` wheel are data.
Check any_platform(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (!wheel.name) return Looked::nothing;
    // One `any` among the tags is enough for every platform to install it.
    const bool any = std::ranges::find(wheel.name->platform, "any") != wheel.name->platform.end();
    const bool several = any && serves_several_systems(subject);
    Looked looked = Looked::nothing;
    for (const MemberFacts& member : wheel.members) {
      if (!is_native(subject, member)) continue;
      looked = Looked::something;
      if (any && !several && is_extension(subject, member)) {
        report(fault(member.path, "is a Python extension in a wheel whose platform tag is any",
                     {{"found", "any"}, {"expected", "a platform tag"}}));
      } else if (!any && below_scheme(member.path, "purelib")) {
        report(fault(member.path, "is native code under purelib",
                     {{"found", "purelib"}, {"expected", "platlib"}}));
      }
    }
    return looked;
  };
}

/// `native.purelib`: a platform wheel with native code whose root goes to purelib.
Check purelib(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (!wheel.name || !wheel.wheel || is_any_platform(*wheel.name)) return Looked::nothing;
    const auto at_root = [&](const MemberFacts& member) {
      return !top_level(member.path).ends_with(".data") && is_native(subject, member);
    };
    const auto count = std::ranges::count_if(wheel.members, at_root);
    if (count == 0) return Looked::nothing;
    if (wheel.wheel->root_is_purelib() == true) {
      const auto first = std::ranges::find_if(wheel.members, at_root);
      report(fault(wheel.wheel->path,
                   fmt::format("says Root-Is-Purelib: true of a wheel with {} native file{} ({})",
                               count, count == 1 ? "" : "s", first->path),
                   {{"found", "true"}, {"expected", "false"}, {"member", first->path}}));
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> tags_kinds() {
  return {{"wheel-file.invalid", invalid},
          {"wheel-file.tags", tags},
          {"native.any", any_platform},
          {"native.purelib", purelib}};
}

}  // namespace wheel_audit
