// What several groups of kinds ask of a wheel: which directories are its own, where members are
// installed, and a short way to write a fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// A fault with the rule's own fix text.
Fault fault(std::optional<std::string> where, std::string message, Evidence evidence,
            std::string subject = {});

/// A path's first part.
std::string_view top_level(std::string_view path);

/// The version of a file name or directory name, where `-` may have been written `_`.
Result<Version> escaped_version(std::string_view text);

/// Whether `stem` (`demo-1.0`, of a dist-info or data directory) is the file name's project and
/// version after normalisation of both.
bool is_own(std::string_view stem, const NameFacts& name);

/// The dist-info directory that the wheel's texts were read from; empty without one.
std::string own_dist_info(const WheelFacts& wheel);

/// How often each path occurs in the archive.
using PathCounts = std::unordered_map<std::string_view, std::size_t>;
PathCounts count_paths(const WheelFacts& wheel);

/// The path below site-packages at which a member is installed (root, `*.data/purelib`,
/// `*.data/platlib`), or nothing for dist-info directories and the other schemes.
std::optional<std::string_view> site_path(std::string_view path);

/// The part of a path below `<name>.data/<scheme>/`, or nothing.
std::optional<std::string_view> below_scheme(std::string_view path, std::string_view scheme);

/// Whether a member is an ELF file for a host, a PE or a Mach-O file.
bool is_native(const WheelFacts& wheel, const MemberFacts& member);

/// Whether every platform tag of the file name is `any`.
bool is_any_platform(const NameFacts& name);

}  // namespace wheel_audit
