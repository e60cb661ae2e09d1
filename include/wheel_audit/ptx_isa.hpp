// Up to where the table of PTX ISA versions goes (docs/fatbin.md): a version beyond it is newer
// than known, and must not pass for one that says nothing.
#pragma once

#include <string_view>

namespace wheel_audit {

/// A PTX ISA version and the first CUDA release that takes it.
struct PtxIsa {
  std::string_view isa;
  std::string_view cuda;
};

/// The newest that is known.
PtxIsa newest_ptx_isa();

/// Whether a PTX ISA version is newer than all that are known: which release takes it is not.
bool is_newer_than_known(std::string_view isa);

}  // namespace wheel_audit
