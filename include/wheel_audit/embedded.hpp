// The files that the build put into the binary: rules, fixtures and schemas, so that one
// executable can check, explain and selftest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheel_audit {

/// A row of a table that the build generates; the last row's path is null.
struct EmbeddedFile {
  const char* path;  ///< `rules/linux/runpath-empty.json`
  const char* begin;
  const char* end;
};

const EmbeddedFile* embedded_rules();
const EmbeddedFile* embedded_fixtures();
const EmbeddedFile* embedded_schemas();

}  // namespace wheel_audit
