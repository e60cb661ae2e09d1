// Names without what changes from build to build: the hashes of repair tools, versions.
#pragma once

#include <string>
#include <string_view>

namespace wheel_audit {

/// A name without the hash that repair tools put into it: `libgomp-a34b3233.so.1` → `libgomp.so.1`,
/// also when it was hashed twice.
std::string without_hash(std::string_view name);

/// A library's name without hash and version: `libcudart-c0ffee00.so.13.0.96` → `libcudart.so`.
std::string plain_name(std::string_view name);

/// A member's path without the version in the name of its dist-info or data directory, and without
/// hashes in names: `demo-1.0.dist-info/RECORD` → `demo.dist-info/RECORD`.
std::string lasting_path(std::string_view path);

}  // namespace wheel_audit
