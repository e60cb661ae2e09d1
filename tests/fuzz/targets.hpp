// The fuzz targets: one function each, all in one executable that is told by name which to run.
// A target may refuse any input; it must not crash, hang, or contradict itself.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "wheel_audit/bytes.hpp"

namespace wheel_audit::fuzz {

/// A reader under test.
struct Target {
  std::string_view name;
  void (*run)(ByteView input);
};

void archive(ByteView input);   ///< an archive: the walk, and every member decoded
void config(ByteView input);    ///< a configuration
void elf(ByteView input);       ///< an ELF file, all there and as it streams by
void facts(ByteView input);     ///< facts files, and every rule asked of them
void gpu(ByteView input);       ///< device code in bytes of any format
void metadata(ByteView input);  ///< METADATA, WHEEL, RECORD and the small texts and names
void rule(ByteView input);      ///< a rule file, asked of sound wheels
void wheel(ByteView input);     ///< a wheel from its bytes to every report

/// A promise that every input must keep.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

}  // namespace wheel_audit::fuzz
