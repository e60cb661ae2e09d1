// What several groups of kinds ask of a wheel: which directories are its own, where members are
// installed, and a short way to write a fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// A fault with the rule's own fix text.
Fault fault(std::optional<std::string> where, std::string message, Evidence evidence,
            std::string subject = {});

/// What a rule about every member has looked at.
Looked looked_at_members(const WheelFacts& wheel);

/// The directory of a path, or the longest above it that a system can open (PATH_MAX of Linux): to
/// look up each of the directories above a path of any length would cost the square of it.
std::string_view openable_directory(std::string_view path);

/// A path's first part.
std::string_view top_level(std::string_view path);

/// The path below site-packages at which a member is installed (root, `*.data/purelib`,
/// `*.data/platlib`), or nothing for dist-info directories and the other schemes.
std::optional<std::string_view> site_path(std::string_view path);

/// The part of a path below `<name>.data/<scheme>/`, or nothing.
std::optional<std::string_view> below_scheme(std::string_view path, std::string_view scheme);

/// The project of a wheel, in the normal form of names; empty where its name does not parse.
std::string project_of(const WheelFacts& wheel);

/// A wheel as messages name it: `demo 1.0`, or its file name.
std::string shown_wheel(const WheelFacts& wheel);

/// The given wheels but those of the judged wheel's own project, which it takes the place of.
std::vector<const WheelFacts*> other_projects(const Subject& subject);

/// Whether a member's mode says something: it counts where the creator was a Unix, as zip writers
/// of other systems fill it in by rote.
bool has_mode(const Subject& subject, const MemberFacts& member);

/// Whether installers write an executable file for an entry point.
bool is_script(const EntryPoint& entry);

/// Whether a member is an ELF file for a host, a PE or a Mach-O file.
bool is_native(const Subject& subject, const MemberFacts& member);

/// Whether every platform tag of the file name is `any`.
bool is_any_platform(const NameFacts& name);

}  // namespace wheel_audit
