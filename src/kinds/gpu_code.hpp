// What the GPU kinds ask of the facts alike.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/gpu.hpp"

namespace wheel_audit {

bool has_code(const GpuFacts& gpu);
bool any_code(const WheelFacts& wheel);

/// An architecture without its suffix; 10.1 is the CUDA 12 name of 11.0.
Arch device_of(Arch arch);

/// The architectures that libraries have code of one form for.
std::set<Arch> archs_of(const std::vector<GpuFacts>& libraries, std::string_view form);

/// `1 container`, `3 containers`; code outside of any is `a bare cubin`.
std::string counted_containers(const GpuFacts& gpu);

/// `8.0, 9.0a`, or `none`.
std::string arch_list(const std::set<Arch>& archs);

}  // namespace wheel_audit
