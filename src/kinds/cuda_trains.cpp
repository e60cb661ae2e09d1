// Questions about CUDA trains: the claim, what the needs tell, what the requirements are for.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/lasting_name.hpp"
#include "kinds/gpu_code.hpp"
#include "kinds/groups.hpp"
#include "kinds/honest_tag.hpp"
#include "kinds/needs.hpp"
#include "kinds/project.hpp"
#include "kinds/trains.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Whether a library name tells of CUDA, in any version and renamed by a repair tool or not: the
/// runtime, a toolkit library, the driver, a library of another project's builds for CUDA.
bool is_cuda_library(const Libraries& libraries, std::string_view name) {
  if (libraries.is_driver(without_hash(name))) return true;
  const std::string plain = plain_name(name);
  return std::ranges::any_of(libraries.all(), [&](const Provider& provider) {
    return (provider.nvidia() || provider.of_cuda) && plain_name(provider.soname) == plain;
  });
}

/// PTX in a file of its own, which the driver compiles when the program loads it.
bool is_ptx_file(const MemberFacts& member) {
  return member.kind == MemberKind::text && member.path.ends_with(".ptx");
}

/// Whether GPU code may lie in what could not be read.
bool may_hide_code(const Unread& unread) {
  if (unread.what == "archive" || unread.what == "elf" || unread.what == "gpu") return true;
  return unread.what == "member" && unread.where &&
         !top_level(*unread.where).ends_with(".dist-info");
}

/// `cuda.claim-without-code`: a CUDA claim, and neither GPU code nor a CUDA library, shipped or
/// needed.
Check claim_without_code(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    const Claim& claim = subject.claim();
    if (!claim.of_gpu_code()) return Looked::nothing;
    if (std::ranges::any_of(subject.wheel.unread, may_hide_code)) return Looked::something;
    bool some = any_code(subject.wheel);
    some = some || std::ranges::any_of(subject.wheel.members, is_ptx_file);
    for (const ElfFacts& elf : subject.wheel.elves) {
      some = some || is_cuda_library(libraries, base_name(elf.path)) ||
             is_cuda_library(libraries, elf.soname) ||
             std::ranges::any_of(
                 elf.needed, [&](const std::string& n) { return is_cuda_library(libraries, n); });
    }
    if (some) return Looked::something;
    const std::string name = claim.train.empty() ? fmt::format("cu{}", claim.major) : claim.train;
    report({.where = std::nullopt,
            .message = fmt::format(
                "claims CUDA ({} by its {}) and ships no GPU code, and neither ships nor needs "
                "a CUDA library",
                name, claim.from),
            .evidence = {{"found", "no device code, no CUDA library"},
                         {"expected", "code for " + name}},
            .subject = "claim",
            .fix = {}});
    return Looked::something;
  };
}

/// `cuda.code-without-claim`: GPU code or CUDA needs in a wheel that claims another accelerator.
Check code_without_claim(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    const Claim& claim = subject.claim();
    if (claim.accelerator.empty() || claim.accelerator == "cuda") return Looked::nothing;
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      if (gpu.code.empty()) continue;
      report({.where = gpu.path,
              .message = fmt::format("ships CUDA device code in {}; the wheel claims {}",
                                     counted_containers(gpu), claim.accelerator),
              .evidence = {{"found", "CUDA device code"}, {"expected", claim.accelerator}},
              .subject = "code",
              .fix = {}});
    }
    for (const MemberFacts& member : subject.wheel.members) {
      if (!is_ptx_file(member)) continue;
      report({.where = member.path,
              .message = fmt::format("is PTX; the wheel claims {}", claim.accelerator),
              .evidence = {{"found", "PTX"}, {"expected", claim.accelerator}},
              .subject = "code",
              .fix = {}});
    }
    for (const ElfFacts* elf : judged_elves(subject)) {
      for (const std::string& name : elf->needed) {
        if (!is_cuda_library(libraries, name)) continue;
        report({.where = elf->path,
                .message = fmt::format("needs {}; the wheel claims {}", name, claim.accelerator),
                .evidence = {{"soname", name},
                             {"found", "NEEDED " + name},
                             {"expected", claim.accelerator}},
                .subject = name,
                .fix = {}});
      }
    }
    return Looked::something;
  };
}

/// `cuda.known-train`: a claimed train that the table lacks, or has as unsupported.
Check known_train(Params& params) {
  const Json& table = params.table("trains");
  const std::vector<std::string> supported = table["supported"].strings();
  const std::vector<std::string> former = table["unsupported"].strings();
  return [supported, former](const Subject& subject, Report& report) {
    const Claim& claim = subject.claim();
    if (claim.accelerator != "cuda") return Looked::nothing;
    if (claim.train.empty() && (claim.major == 0 || !claim.of_gpu_code())) return Looked::nothing;
    // A major alone (`+cu13`) is known when a train of it is.
    const std::string said = claim.train.empty() ? fmt::format("cu{}", claim.major) : claim.train;
    const auto names = [&](const std::string& train) {
      return claim.train.empty() ? train.size() == said.size() + 1 && train.starts_with(said)
                                 : train == said;
    };
    if (std::ranges::any_of(supported, names)) return Looked::something;
    const bool existed = std::ranges::any_of(former, names);
    report({.where = std::nullopt,
            .message =
                existed ? fmt::format(
                              "claims {}, a train that exists and that these tables do not support",
                              said)
                        : fmt::format("claims {}, which is no CUDA train", said),
            .evidence = {{"found", said}, {"expected", "one of " + join(supported, ", ")}},
            .subject = said,
            .fix = {}});
    return Looked::something;
  };
}

/// `cuda.train`: needs that tell another train than the claim, and a claim unlike `--train`.
Check train(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    const Claim& claim = subject.claim();
    const std::string& wanted = subject.expect.train;
    const Claim& own = subject.wheel.claim;
    Looked looked = Looked::nothing;
    if (!wanted.empty() && !own.accelerator.empty()) {
      looked = Looked::something;
      const Claim expected = claim_of_local_version(wanted);
      const bool differs =
          own.accelerator != expected.accelerator || own.major != expected.major ||
          (!own.train.empty() && !expected.train.empty() && own.train != expected.train);
      if (differs) {
        const std::string said = !own.train.empty() ? own.train
                                 : own.major > 0    ? fmt::format("cu{}", own.major)
                                                    : own.accelerator;
        report({.where = std::nullopt,
                .message =
                    fmt::format("claims {} by its {}; --train expects {}", said, own.from, wanted),
                .evidence = {{"found", said}, {"expected", wanted}},
                .subject = "claim",
                .fix = {}});
      }
    }
    if (claim.accelerator != "cuda" || claim.major == 0) return looked;
    for (const ElfFacts* elf : judged_elves(subject)) {
      for (const std::string& name : elf->needed) {
        const int told = train_of_soname(libraries, name);
        if (told == 0) continue;
        looked = Looked::something;
        std::string found = fmt::format("CUDA {}", told);
        std::string expected = fmt::format("CUDA {}", claim.major);
        if (told == claim.major) {
          const std::string release = release_of_soname(libraries, name);
          // A variant's release is the lowest that it runs with.
          const bool exact = !claim.train.empty() && claim.from != "variant";
          if (release.empty() || !exact || release == claim.train) continue;
          found = release;
          expected = claim.train;
        }
        report({.where = elf->path,
                .message = fmt::format("needs {}, which is {}; the wheel's {} says {}", name, found,
                                       claim.from, expected),
                .evidence = {{"soname", name}, {"found", found}, {"expected", expected}},
                .subject = name,
                .fix = {}});
      }
    }
    return looked;
  };
}

/// `cuda.mixed-trains`: needs of two trains in what one root loads.
Check mixed_trains(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    Looked looked = Looked::nothing;
    for (const Closure& closure : subject.closures(subject.libcs().front())) {
      std::map<int, const Edge*> first;
      for (const Edge& edge : closure.edges) {
        const int told = train_of_soname(libraries, edge.need);
        if (told != 0) first.emplace(told, &edge);
      }
      if (!first.empty()) looked = Looked::something;
      if (first.size() < 2) continue;
      std::vector<std::string> parts;
      for (const auto& [told, edge] : first) {
        parts.push_back(
            fmt::format("{} of CUDA {} (for {})", edge->need, told, shown_path(edge->from->path)));
      }
      report({.where = closure.root->member->path,
              .message = "loads libraries of two CUDA trains: " + join(parts, " and "),
              .evidence = {{"found", join(parts, ", ")}, {"expected", "one train in one process"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> cuda_train_kinds() {
  return {{"cuda.claim-without-code", claim_without_code},
          {"cuda.code-without-claim", code_without_claim},
          {"cuda.known-train", known_train},
          {"cuda.train", train},
          {"cuda.mixed-trains", mixed_trains}};
}

}  // namespace wheel_audit
