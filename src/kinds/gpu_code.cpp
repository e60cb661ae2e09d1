// Which architectures device code is for, in words for messages.
#include "kinds/gpu_code.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

bool has_code(const GpuFacts& gpu) { return !gpu.code.empty(); }

bool any_code(const WheelFacts& wheel) { return std::ranges::any_of(wheel.gpu, has_code); }

Arch device_of(Arch arch) {
  arch.suffix = 0;
  if (arch.major == 10 && arch.minor == 1) return {11, 0, 0};
  return arch;
}

std::set<Arch> archs_of(const std::vector<GpuFacts>& libraries, std::string_view form) {
  std::set<Arch> archs;
  for (const GpuFacts& gpu : libraries) {
    for (const GpuCode& code : gpu.code) {
      const std::optional<Arch> arch = parse_arch(code.arch);
      if (code.form == form && arch) archs.insert(*arch);
    }
  }
  return archs;
}

std::string counted_containers(const GpuFacts& gpu) {
  if (gpu.containers == 0) return "a bare cubin";
  return gpu.containers == 1 ? std::string("1 container")
                             : fmt::format("{} containers", gpu.containers);
}

std::string arch_list(const std::set<Arch>& archs) {
  std::vector<std::string> words;
  for (const Arch& arch : archs) words.push_back(to_string(arch));
  return words.empty() ? "none" : join(words, ", ");
}

}  // namespace wheel_audit
