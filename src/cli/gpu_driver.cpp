// A driver compiles PTX up to the ISA version of its own CUDA release. It runs cubins of every
// toolkit of its major version and of earlier ones (CUDA's minor version compatibility).
#include "cli/gpu_driver.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "wheel_audit/gpu.hpp"
#include "wheel_audit/ptx_isa.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit::cli {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kFamilies = {
    {{"11.0", "R450"}, {"11.1", "R455"}, {"11.2", "R460"}, {"11.3", "R465"}, {"11.4", "R470"},
     {"11.5", "R495"}, {"11.6", "R510"}, {"11.7", "R515"}, {"11.8", "R520"}, {"12.0", "R525"},
     {"12.1", "R530"}, {"12.2", "R535"}, {"12.3", "R545"}, {"12.4", "R550"}, {"12.5", "R555"},
     {"12.6", "R560"}, {"12.7", "R565"}, {"12.8", "R570"}, {"12.9", "R575"}, {"13.0", "R580"}}};

void raise(std::string& newest, std::string_view release) {
  if (release.empty()) return;
  const Result<Version> now = Version::parse(release);
  const Result<Version> before = Version::parse(newest.empty() ? "0" : newest);
  if (now && before && *now > *before) newest = std::string(release);
}

}  // namespace

std::string DriverNeeds::newest() const {
  std::string newest = sass;
  raise(newest, ptx);
  return newest;
}

DriverNeeds driver_needs(const WheelFacts& wheel) {
  DriverNeeds needs;
  for (const GpuFacts& gpu : wheel.gpu) {
    for (const GpuCode& code : gpu.code) {
      const std::string& isa = code.newest_ptx_isa;
      if (is_newer_than_known(isa)) {
        raise(needs.unknown_isa, isa);
      } else if (!isa.empty()) {
        raise(needs.ptx, cuda_of_ptx_isa(isa));
      }
      const std::string& toolkit = code.newest_toolkit;
      if (!toolkit.empty()) raise(needs.sass, toolkit.substr(0, toolkit.find('.')) + ".0");
    }
  }
  return needs;
}

std::string_view driver_family(std::string_view release) {
  const auto found = std::ranges::find(kFamilies, release, &decltype(kFamilies)::value_type::first);
  return found == kFamilies.end() ? std::string_view() : found->second;
}

}  // namespace wheel_audit::cli
