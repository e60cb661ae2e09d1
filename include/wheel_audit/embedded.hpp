// The files that the build put into the binary: rules, fixtures and schemas, so that one
// executable can check, explain and selftest.
#pragma once

#include <span>

namespace wheel_audit {

/// A row of a table that the build generates.
struct EmbeddedFile {
  const char* path;  ///< `rules/linux/runpath-empty.json`
  const char* begin;
  const char* end;
};

std::span<const EmbeddedFile> embedded_rules();
std::span<const EmbeddedFile> embedded_fixtures();
std::span<const EmbeddedFile> embedded_schemas();

}  // namespace wheel_audit
