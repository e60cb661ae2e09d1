// Architectures: their spelling, and which device can load what. The table was measured on a 9.0
// device; docs/fatbin.md has it and says how.
#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "wheel_audit/gpu.hpp"
#include "wheel_audit/ptx_isa.hpp"

namespace wheel_audit {

namespace {

constexpr std::array<Arch, 11> kDevices = {{{7, 5, 0},
                                            {8, 0, 0},
                                            {8, 6, 0},
                                            {8, 7, 0},
                                            {8, 9, 0},
                                            {9, 0, 0},
                                            {10, 0, 0},
                                            {10, 3, 0},
                                            {11, 0, 0},
                                            {12, 0, 0},
                                            {12, 1, 0}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 24> kCudaOfPtxIsa = {{
    {"7.0", "11.0"}, {"7.1", "11.1"}, {"7.2", "11.2"}, {"7.3", "11.3"}, {"7.4", "11.4"},
    {"7.5", "11.5"}, {"7.6", "11.6"}, {"7.7", "11.7"}, {"7.8", "11.8"}, {"8.0", "12.0"},
    {"8.1", "12.1"}, {"8.2", "12.2"}, {"8.3", "12.3"}, {"8.4", "12.4"}, {"8.5", "12.5"},
    {"8.6", "12.7"}, {"8.7", "12.8"}, {"8.8", "12.9"}, {"9.0", "13.0"}, {"9.1", "13.1"},
    {"9.2", "13.2"}, {"9.3", "13.3"}, {"9.4", "13.4"}, {"9.5", "13.5"},
}};

/// CUDA 12 called 11.0 by the name 10.1.
Arch renamed(Arch arch) {
  if (arch.major == 10 && arch.minor == 1) return {11, 0, arch.suffix};
  return arch;
}

/// The Tegra line before 11.0: neither takes nor gives cubins across minor versions.
bool is_tegra(int major, int minor) {
  const int arch = major * 10 + minor;
  return arch == 53 || arch == 62 || arch == 72 || arch == 87;
}

std::optional<int> number(std::string_view digits) {
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Arch> parse_arch(std::string_view text) {
  Arch arch;
  if (text.ends_with('a') || text.ends_with('f')) {
    arch.suffix = text.back();
    text.remove_suffix(1);
  }
  const std::size_t dot = text.find('.');
  // The minor version is one digit: entries of containers store major * 10 + minor.
  if (dot == std::string_view::npos || dot == 0 || dot > 2 || text.size() != dot + 2) {
    return std::nullopt;
  }
  const std::optional<int> major = number(text.substr(0, dot));
  const std::optional<int> minor = number(text.substr(dot + 1));
  if (!major || !minor || *major < 1 || *minor < 0) return std::nullopt;
  arch.major = *major;
  arch.minor = *minor;
  return arch;
}

std::string to_string(const Arch& arch) {
  std::string text = std::to_string(arch.major) + '.' + std::to_string(arch.minor);
  if (arch.suffix != 0) text += arch.suffix;
  return text;
}

bool loads(std::string_view form, const Arch& code, const Arch& device) {
  const Arch have = renamed(code);
  const Arch want = renamed(device);
  const bool same = have.major == want.major && have.minor == want.minor;
  const bool within_major = have.major == want.major && have.minor <= want.minor;
  if (form != "sass" && form != "ptx") return false;  // LTO-IR has to be linked first
  if (have.suffix == 'a') return same;
  if (have.suffix == 'f') return within_major;
  if (form == "ptx") return std::pair(have.major, have.minor) <= std::pair(want.major, want.minor);
  if (is_tegra(have.major, have.minor) || is_tegra(want.major, want.minor)) return same;
  return within_major;
}

std::span<const Arch> known_devices() { return kDevices; }

std::string_view cuda_of_ptx_isa(std::string_view isa) {
  for (const auto& [version, cuda] : kCudaOfPtxIsa) {
    if (version == isa) return cuda;
  }
  return {};
}

PtxIsa newest_ptx_isa() { return {kCudaOfPtxIsa.back().first, kCudaOfPtxIsa.back().second}; }

bool is_newer_than_known(std::string_view isa) {
  const auto parts = [](std::string_view text) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string_view minor = text.substr(std::min(dot + 1, text.size()));
    return std::pair(number(text.substr(0, dot)).value_or(0), number(minor).value_or(0));
  };
  return parts(isa) > parts(newest_ptx_isa().isa);
}

}  // namespace wheel_audit
