// Which devices a container, a library and a wheel serve: three answers that differ in a third of
// the published libraries, so they are kept apart.
#include <algorithm>

#include "wheel_audit/gpu.hpp"

namespace wheel_audit {

std::string_view to_string(Coverage coverage) {
  switch (coverage) {
    case Coverage::sass:
      return "sass";
    case Coverage::ptx:
      return "ptx";
    case Coverage::part:
      return "part";
    case Coverage::none:
      break;
  }
  return "none";
}

namespace {

/// Section names of relocatable device code, and of linked images; PE cuts names to eight bytes.
bool is_relocatable(std::string_view place) {
  return place == "__nv_relfatbin" || place == "__nv_rel";
}
bool is_linked(std::string_view place) { return place == ".nv_fatbin" || place == ".nv_fatb"; }

/// What one piece of code, written `sass 9.0a`, is to a device.
Coverage of_code(std::string_view form, std::string_view arch, const Arch& device) {
  const std::optional<Arch> code = parse_arch(arch);
  if (!code || !loads(form, *code, device)) return Coverage::none;
  return form == "sass" ? Coverage::sass : Coverage::ptx;
}

Coverage of_text(std::string_view text, const Arch& device) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return Coverage::none;
  return of_code(text.substr(0, space), text.substr(space + 1), device);
}

bool is_lto_only(const GpuProfile& profile) {
  return std::ranges::all_of(profile.code,
                             [](const std::string& code) { return code.starts_with("lto "); });
}

bool has_code(const GpuFacts& gpu) {
  return std::ranges::any_of(gpu.code, [](const GpuCode& code) { return code.form != "lto"; });
}

}  // namespace

Coverage covers(const GpuFacts& gpu, const Arch& device) {
  Coverage best = Coverage::none;
  for (const GpuCode& code : gpu.code) best = std::max(best, of_code(code.form, code.arch, device));
  return best;
}

std::uint64_t containers_without(const GpuFacts& gpu, const Arch& device) {
  const auto of_code_text = [&device](const std::string& code) { return of_text(code, device); };
  const auto holds = [&of_code_text](const GpuProfile& profile, auto wanted) {
    return std::ranges::any_of(profile.code, wanted, of_code_text);
  };
  const auto is_ptx = [](Coverage coverage) { return coverage == Coverage::ptx; };
  const auto is_some = [](Coverage coverage) { return coverage != Coverage::none; };
  // The driver links relocatable PTX when a linked image has nothing for the device.
  const bool linked_at_load = std::ranges::any_of(gpu.profiles, [&](const GpuProfile& profile) {
    return is_relocatable(profile.place) && holds(profile, is_ptx);
  });
  std::uint64_t count = 0;
  for (const GpuProfile& profile : gpu.profiles) {
    if (is_relocatable(profile.place) || is_lto_only(profile)) continue;
    if (linked_at_load && is_linked(profile.place)) continue;
    if (!holds(profile, is_some)) count += profile.containers;
  }
  return count;
}

Coverage covers(const WheelFacts& wheel, const Arch& device) {
  Coverage worst = Coverage::sass;
  bool some = false;
  bool lacking = false;
  for (const GpuFacts& gpu : wheel.gpu) {
    if (!has_code(gpu)) continue;
    const Coverage coverage = covers(gpu, device);
    if (coverage == Coverage::none) {
      lacking = true;
      continue;
    }
    some = true;
    worst = std::min(worst, coverage);
  }
  if (!some) return Coverage::none;
  return lacking ? Coverage::part : worst;
}

}  // namespace wheel_audit
