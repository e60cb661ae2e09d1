// Writes CUDA fat binary containers with payloads that look like device code and are none.
// Layout: docs/fatbin.md.
#pragma once

#include <string>
#include <vector>

#include "forge/fields.hpp"

namespace wheel_audit::forge {

/// One container, and the section that a library keeps it in.
struct Container {
  std::string place;
  Bytes bytes;
};

/// Reads a "gpu" or "fatbin" specification: a list of code (one container), or an object.
Result<std::vector<Container>> read_containers(const Json& spec, const std::string& place,
                                               Build& build);

}  // namespace wheel_audit::forge
