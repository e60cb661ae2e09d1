// Questions about device code: which architectures it covers, in which form, made by what.
#include "wheel_audit/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/platform.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

bool has_code(const GpuFacts& gpu) { return !gpu.code.empty(); }

bool any_code(const WheelFacts& wheel) { return std::ranges::any_of(wheel.gpu, has_code); }

/// An architecture without its suffix; 10.1 is the CUDA 12 name of 11.0.
Arch device_of(Arch arch) {
  arch.suffix = 0;
  if (arch.major == 10 && arch.minor == 1) return {11, 0, 0};
  return arch;
}

std::string row_text(const std::vector<ArchEntry>& row) {
  std::vector<std::string> parts;
  for (const ArchEntry& entry : row) parts.push_back(entry.form + " " + to_string(entry.arch));
  return join(parts, ", ");
}

/// The architectures of the wheel's code of one form.
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

std::string arch_list(const std::set<Arch>& archs) {
  std::vector<std::string> words;
  for (const Arch& arch : archs) words.push_back(to_string(arch));
  return words.empty() ? "none" : join(words, ", ");
}

/// Whether a rule about the row has something to look at.
bool has_row(const Subject& subject) {
  return !subject.expect.archs.empty() && any_code(subject.wheel);
}

/// `gpu.row-covered`: architectures of the row on whose devices nothing in the wheel can load.
Check row_covered(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!has_row(subject)) return Looked::nothing;
    std::set<Arch> devices;
    for (const ArchEntry& entry : subject.expect.archs) devices.insert(device_of(entry.arch));
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
                        {"expected", row_text(subject.expect.archs)}},
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
    for (const ArchEntry& entry : subject.expect.archs) devices.insert(device_of(entry.arch));
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      for (const GpuCode& code : gpu.code) {
        const std::optional<Arch> arch = parse_arch(code.arch);
        if (code.form != "sass" || !arch || devices.contains(device_of(*arch))) continue;
        report({.where = gpu.path,
                .message = fmt::format("has SASS for {} ({} bytes), which the row lacks", code.arch,
                                       code.bytes),
                .evidence = {{"arch", code.arch},
                             {"found", "SASS " + code.arch},
                             {"expected", row_text(subject.expect.archs)}},
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
    for (const ArchEntry& entry : subject.expect.archs) {
      if (entry.form != "ptx") continue;
      looked = Looked::something;
      if (ptx.contains(entry.arch)) continue;
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
      for (const ArchEntry& entry : subject.expect.archs) devices.insert(device_of(entry.arch));
      for (const Arch& device : devices) {
        const std::uint64_t failing = containers_without(gpu, device);
        const bool none = covers(gpu, device) == Coverage::none;
        if (containers ? failing == 0 && !none : !none) continue;
        report({.where = gpu.path,
                .message = fmt::format(
                    "nothing loads on a device of compute capability {} in {} of its {} containers",
                    to_string(device), failing, gpu.containers),
                .evidence = {{"arch", to_string(device)},
                             {"found", fmt::format("{} containers fail", failing)},
                             {"expected", "code that loads in every one"}},
                .subject = to_string(device),
                .fix = {}});
      }
    }
    return Looked::something;
  };
}

std::set<Arch> sass_of(const GpuFacts& gpu) { return archs_of({gpu}, "sass"); }

/// `gpu.uneven`: libraries of one wheel whose SASS is for different architectures.
Check uneven(Params&) {
  return [](const Subject& subject, Report& report) {
    const GpuFacts* widest = nullptr;
    Looked looked = Looked::nothing;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      if (!has_code(gpu)) continue;
      looked = Looked::something;
      if (widest == nullptr || sass_of(gpu).size() > sass_of(*widest).size()) widest = &gpu;
    }
    if (widest == nullptr) return looked;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      if (!has_code(gpu) || sass_of(gpu) == sass_of(*widest)) continue;
      report({.where = gpu.path,
              .message = fmt::format("has SASS for {}; {} has it for {}", arch_list(sass_of(gpu)),
                                     widest->path, arch_list(sass_of(*widest))),
              .evidence = {{"found", arch_list(sass_of(gpu))},
                           {"expected", arch_list(sass_of(*widest))}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

/// Asks a question of each library with device code; an answer is a message and what was found.
template <typename Ask>
Check each_library(Ask ask) {
  return [ask](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      if (!has_code(gpu)) continue;
      looked = Looked::something;
      const std::optional<std::pair<std::string, std::string>> answer = ask(gpu);
      if (!answer) continue;
      report({.where = gpu.path,
              .message = answer->first,
              .evidence = {{"found", answer->second}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

using Answer = std::optional<std::pair<std::string, std::string>>;

/// `gpu.ptx-excess`: PTX for every architecture that has SASS, of at least two.
Check ptx_excess(Params&) {
  return each_library([](const GpuFacts& gpu) -> Answer {
    const std::set<Arch> sass = sass_of(gpu);
    const std::set<Arch> ptx = archs_of({gpu}, "ptx");
    if (sass.size() < 2 || !std::ranges::includes(ptx, sass)) return std::nullopt;
    return std::pair(fmt::format("has PTX for each of its architectures ({})", arch_list(sass)),
                     "PTX " + arch_list(ptx));
  });
}

/// `gpu.lto-only`: device code that is LTO-IR alone.
Check lto_only(Params&) {
  return each_library([](const GpuFacts& gpu) -> Answer {
    if (!std::ranges::all_of(gpu.code, [](const GpuCode& code) { return code.form == "lto"; }))
      return std::nullopt;
    return std::pair(std::string("has LTO-IR and nothing else: no device loads that by itself"),
                     std::string("LTO-IR"));
  });
}

/// `gpu.debug`: device code built with -G.
Check debug(Params&) {
  return each_library([](const GpuFacts& gpu) -> Answer {
    std::uint64_t entries = 0;
    for (const GpuCode& code : gpu.code) entries += code.debug_entries;
    if (entries == 0) return std::nullopt;
    return std::pair(
        fmt::format(
            "has {} entries of device code built with -G (unoptimised, with debug information)",
            entries),
        fmt::format("{} debug entries", entries));
  });
}

/// `gpu.specific-only`: architectures that `a` code alone covers, over the whole wheel.
Check specific_only(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!any_code(subject.wheel)) return Looked::nothing;
    const std::set<Arch> sass = archs_of(subject.wheel.gpu, "sass");
    const std::set<Arch> ptx = archs_of(subject.wheel.gpu, "ptx");
    for (const Arch& arch : sass) {
      if (arch.suffix != 'a') continue;
      const Arch device = device_of(arch);
      const auto serves = [&](const Arch& other, std::string_view form) {
        return other.suffix != 'a' && loads(form, other, device);
      };
      const bool otherwise =
          std::ranges::any_of(sass, [&](const Arch& other) { return serves(other, "sass"); }) ||
          std::ranges::any_of(ptx, [&](const Arch& other) { return serves(other, "ptx"); });
      if (otherwise) continue;
      report({.where = std::nullopt,
              .message = fmt::format(
                  "covers {} by {} code alone, which no other device of the family runs",
                  to_string(device), to_string(arch)),
              .evidence = {{"arch", to_string(arch)},
                           {"found", "SASS " + to_string(arch)},
                           {"expected", "code for " + to_string(device) + " beside it"}},
              .subject = to_string(arch),
              .fix = {}});
    }
    return Looked::something;
  };
}

/// `cu126` → `12.6`.
std::string release_of_train(const std::string& train) {
  if (train.size() < 5 || !train.starts_with("cu")) return {};
  return train.substr(2, train.size() - 3) + "." + train.substr(train.size() - 1);
}

/// `gpu.toolkit`: code made by a newer toolkit than the claimed train.
Check toolkit(Params&) {
  return [](const Subject& subject, Report& report) {
    const std::string release = release_of_train(subject.claim().train);
    if (release.empty() || subject.claim().accelerator != "cuda" || !any_code(subject.wheel))
      return Looked::nothing;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      for (const GpuCode& code : gpu.code) {
        const std::string of_ptx(cuda_of_ptx_isa(code.newest_ptx_isa));
        const bool newer_ptx = !of_ptx.empty() && compare_dotted(of_ptx, release) > 0;
        const bool newer_cubin =
            !code.newest_toolkit.empty() && compare_dotted(code.newest_toolkit, release) > 0;
        if (!newer_ptx && !newer_cubin) continue;
        const std::string found =
            newer_ptx ? fmt::format("PTX ISA {} (CUDA {})", code.newest_ptx_isa, of_ptx)
                      : fmt::format("a cubin of CUDA {}", code.newest_toolkit);
        report({.where = gpu.path,
                .message = fmt::format(
                    "has {}, newer than the claimed {}: drivers of that train refuse it", found,
                    subject.claim().train),
                .evidence = {{"found", found}, {"expected", "CUDA " + release + " or earlier"}},
                .subject = {},
                .fix = {}});
        break;
      }
    }
    return Looked::something;
  };
}

/// `gpu.unreadable`: containers that do not parse.
Check unreadable(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      looked = Looked::something;
      for (const std::string& problem : gpu.problems) {
        report({.where = gpu.path,
                .message = "a fat binary container cannot be read: " + problem,
                .evidence = {{"found", problem}},
                .subject = problem,
                .fix = {}});
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> gpu_kinds() {
  return {{"gpu.row-covered", row_covered},
          {"gpu.outside-row", outside_row},
          {"gpu.ptx-of-row", ptx_of_row},
          {"gpu.device-gap", device_gap},
          {"gpu.uneven", uneven},
          {"gpu.ptx-excess", ptx_excess},
          {"gpu.lto-only", lto_only},
          {"gpu.debug", debug},
          {"gpu.specific-only", specific_only},
          {"gpu.toolkit", toolkit},
          {"gpu.unreadable", unreadable}};
}

}  // namespace wheel_audit
