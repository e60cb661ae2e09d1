// Questions about device code and the row of architectures that the wheel is expected to have.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/gpu_code.hpp"
#include "kinds/groups.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::string row_text(const std::vector<ArchEntry>& row) {
  std::vector<std::string> parts;
  for (const ArchEntry& entry : row) parts.push_back(entry.form + " " + to_string(entry.arch));
  return join(parts, ", ");
}

/// Whether a rule about the row has something to look at.
bool has_row(const Subject& subject) { return !subject.row().empty() && any_code(subject.wheel); }

/// `gpu.row-covered`: architectures of the row on whose devices nothing in the wheel can load.
Check row_covered(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!has_row(subject)) return Looked::nothing;
    std::set<Arch> devices;
    for (const ArchEntry& entry : subject.row()) devices.insert(device_of(entry.arch));
    for (const Arch& device : devices) {
      const bool covered = std::ranges::any_of(subject.wheel.gpu, [&](const GpuFacts& gpu) {
        return covers(gpu, device) != Coverage::none;
      });
      if (covered) continue;
      const std::string sass = arch_list(archs_of(subject.wheel.gpu, "sass"));
      const std::string ptx = arch_list(archs_of(subject.wheel.gpu, "ptx"));
      report(
          {.where = std::nullopt,
           .message = fmt::format(
               "nothing in the wheel loads on a device of compute capability {}: SASS {}; PTX {}",
               to_string(device), sass, ptx),
           .evidence = {{"arch", to_string(device)},
                        {"found", fmt::format("SASS {}; PTX {}", sass, ptx)},
                        {"expected", row_text(subject.row())}},
           .subject = to_string(device),
           .fix = {}});
    }
    return Looked::something;
  };
}

/// `gpu.outside-row`: SASS for an architecture that the row lacks.
Check outside_row(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!has_row(subject)) return Looked::nothing;
    std::set<Arch> devices;
    for (const ArchEntry& entry : subject.row()) devices.insert(device_of(entry.arch));
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      for (const GpuCode& code : gpu.code) {
        const std::optional<Arch> arch = parse_arch(code.arch);
        if (code.form != "sass" || !arch || devices.contains(device_of(*arch))) continue;
        report({.where = gpu.path,
                .message = fmt::format("has SASS for {} ({} bytes), which the row lacks", code.arch,
                                       code.bytes),
                .evidence = {{"arch", code.arch},
                             {"found", "SASS " + code.arch},
                             {"expected", row_text(subject.row())}},
                .subject = code.arch,
                .fix = {}});
      }
    }
    return Looked::something;
  };
}

/// `gpu.ptx-of-row`: no PTX for an entry that the row asks as PTX.
Check ptx_of_row(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!has_row(subject)) return Looked::nothing;
    Looked looked = Looked::nothing;
    const std::set<Arch> ptx = archs_of(subject.wheel.gpu, "ptx");
    for (const ArchEntry& entry : subject.row()) {
      if (entry.form != "ptx") continue;
      looked = Looked::something;
      const bool has = std::ranges::any_of(ptx, [&](const Arch& arch) {
        return arch.suffix == entry.arch.suffix && device_of(arch) == device_of(entry.arch);
      });
      if (has) continue;
      report(
          {.where = std::nullopt,
           .message = fmt::format(
               "has no PTX for {}, which the row asks for: later devices have nothing to compile",
               to_string(entry.arch)),
           .evidence = {{"arch", to_string(entry.arch)},
                        {"found", "PTX " + arch_list(ptx)},
                        {"expected", "PTX " + to_string(entry.arch)}},
           .subject = to_string(entry.arch),
           .fix = {}});
    }
    return looked;
  };
}

/// `gpu.device-gap`: libraries (or with `level` container, containers) in which nothing loads on a
/// device that the row promises.
Check device_gap(Params& params) {
  const bool containers = params.word("level", {"library", "container"}) == "container";
  return [containers](const Subject& subject, Report& report) {
    if (!has_row(subject)) return Looked::nothing;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      if (!has_code(gpu)) continue;
      std::set<Arch> devices;
      for (const ArchEntry& entry : subject.row()) devices.insert(device_of(entry.arch));
      for (const Arch& device : devices) {
        const std::uint64_t failing = containers_without(gpu, device);
        const bool none = covers(gpu, device) == Coverage::none;
        if (containers ? failing == 0 && !none : !none) continue;
        const std::string found = gpu.containers == 0 ? "a bare cubin for another device"
                                  : failing == 1      ? "1 container fails"
                                                      : fmt::format("{} containers fail", failing);
        report({.where = gpu.path,
                .message = fmt::format(
                    "nothing loads on a device of compute capability {} in {}", to_string(device),
                    gpu.containers == 0
                        ? counted_containers(gpu)
                        : fmt::format("{} of its {}", failing, counted_containers(gpu))),
                .evidence = {{"arch", to_string(device)},
                             {"found", found},
                             {"expected", "code that loads in every one"}},
                .subject = to_string(device),
                .fix = {}});
      }
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> gpu_row_kinds() {
  return {{"gpu.row-covered", row_covered},
          {"gpu.outside-row", outside_row},
          {"gpu.ptx-of-row", ptx_of_row},
          {"gpu.device-gap", device_gap}};
}

}  // namespace wheel_audit
