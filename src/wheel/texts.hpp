// Reads a wheel's own texts: METADATA, WHEEL, RECORD, entry points, variant properties.
#pragma once

#include "wheel_audit/archive.hpp"
#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// Fills name, dist-info directories and texts of `wheel` from an opened archive. Texts that
/// cannot be decoded are left out; the scan of their members says why.
void read_texts(const Archive& archive, WheelFacts& wheel);

}  // namespace wheel_audit
