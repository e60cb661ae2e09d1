// Questions about device code: in which form it is, and made by what.
#include "wheel_audit/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/gpu_code.hpp"
#include "kinds/groups.hpp"
#include "kinds/platform.hpp"
#include "wheel_audit/ptx_isa.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

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
        fmt::format("has {} of device code built with -G (unoptimised, with debug information)",
                    entries == 1 ? "1 entry" : fmt::format("{} entries", entries)),
        entries == 1 ? "1 debug entry" : fmt::format("{} debug entries", entries));
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

/// What a code's newest PTX is beyond a CUDA release; empty where it is not.
std::string ptx_beyond(const GpuCode& code, const std::string& release) {
  const std::string& isa = code.newest_ptx_isa;
  const PtxIsa newest = newest_ptx_isa();
  // Of an ISA version that is not known yet, the release is later than all known ones.
  if (is_newer_than_known(isa) && compare_dotted(newest.cuda, release) >= 0) {
    return fmt::format("PTX ISA {} (newer than known: {} is of CUDA {})", isa, newest.isa,
                       newest.cuda);
  }
  const std::string of_ptx(cuda_of_ptx_isa(isa));
  if (of_ptx.empty() || compare_dotted(of_ptx, release) <= 0) return {};
  return fmt::format("PTX ISA {} (CUDA {})", isa, of_ptx);
}

/// The same of the newest toolkit that its cubins name.
std::string cubin_beyond(const GpuCode& code, const std::string& release) {
  const std::string& toolkit = code.newest_toolkit;
  if (toolkit.empty() || compare_dotted(toolkit, release) <= 0) return {};
  return "a cubin of CUDA " + toolkit;
}

/// What comes of code beyond a release: drivers load cubins of every toolkit of their major
/// version.
std::string_view outcome(std::string_view found, const std::string& release) {
  constexpr std::string_view kCubin = "a cubin of CUDA ";
  const std::string major = release.substr(0, release.find('.') + 1);
  const bool loads = found.starts_with(kCubin) && found.substr(kCubin.size()).starts_with(major);
  return loads ? "drivers of that train load it, and the claim names another toolkit"
               : "drivers of that train refuse it";
}

/// `gpu.toolkit`: code made by a newer toolkit than the claimed train. Of a library's PTX and
/// cubins the PTX is told, for which drivers are stricter.
Check toolkit(Params&) {
  return [](const Subject& subject, Report& report) {
    const std::string release = release_of_train(subject.claim().train);
    if (release.empty() || subject.claim().accelerator != "cuda" || !any_code(subject.wheel))
      return Looked::nothing;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      std::string found;
      for (const auto beyond : {ptx_beyond, cubin_beyond}) {
        for (const GpuCode& code : gpu.code) {
          if (found.empty()) found = beyond(code, release);
        }
      }
      if (found.empty()) continue;
      report({.where = gpu.path,
              .message = fmt::format("has {}, newer than the claimed {}: {}", found,
                                     subject.claim().train, outcome(found, release)),
              .evidence = {{"found", found}, {"expected", "CUDA " + release + " or earlier"}},
              .subject = {},
              .fix = {}});
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
  return {{"gpu.uneven", uneven},
          {"gpu.ptx-excess", ptx_excess},
          {"gpu.lto-only", lto_only},
          {"gpu.debug", debug},
          {"gpu.specific-only", specific_only},
          {"gpu.toolkit", toolkit},
          {"gpu.unreadable", unreadable}};
}

}  // namespace wheel_audit
