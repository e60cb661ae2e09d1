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

/// A path of an extension module without the tag of a Python ABI in its file name:
/// `demo/_C.cpython-312-x86_64-linux-gnu.so` → `demo/_C.so`. Other paths stay as they are.
std::string without_abi_tag(std::string_view path);

/// A member's path without the version in the name of its dist-info or data directory, and without
/// hashes in names: `demo-1.0.dist-info/RECORD` → `demo.dist-info/RECORD`.
std::string lasting_path(std::string_view path);

}  // namespace wheel_audit
