// Reads a wheel's own texts: METADATA, WHEEL, RECORD, entry points, variant properties.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wheel_audit/archive.hpp"
#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// Fills name, dist-info directories and texts of `wheel` from an opened archive. Texts that
/// cannot be decoded are left out; the scan of their members says why.
void read_texts(const Archive& archive, WheelFacts& wheel);

/// Why a text of that file name (`METADATA`, `RECORD`) has too many lines to be read; nothing where
/// it has not. What comes of lines in memory is many times their bytes.
std::optional<std::string> too_many_lines(std::string_view name, std::string_view text);

/// Why a text of more than `limits().text_bytes` is not read.
std::string too_many_bytes(std::uint64_t size);

}  // namespace wheel_audit
