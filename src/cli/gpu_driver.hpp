// The oldest NVIDIA driver that takes a wheel's device code.
#pragma once

#include <string>

#include "wheel_audit/facts.hpp"

namespace wheel_audit::cli {

/// CUDA releases, `12.0`, whose drivers take the code; empty where the code does not tell.
struct DriverNeeds {
  std::string sass;  ///< the major version of the newest toolkit that cubins name
  std::string ptx;   ///< the release that takes the newest PTX ISA version
  /// The newest PTX ISA version where it is newer than all known: no release can be named then.
  std::string unknown_isa;
  std::string newest() const;
};

DriverNeeds driver_needs(const WheelFacts& wheel);

/// The driver family of a CUDA release, `R570` for 12.8, or empty (docs/fatbin.md has the table).
std::string_view driver_family(std::string_view release);

}  // namespace wheel_audit::cli
