// Questions about a wheel and its row of the project's release table: its train, the packages that
// it declares, and the architectures of its GPU code.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/gpu_code.hpp"
#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/release.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::vector<std::string> members_with_code(const WheelFacts& wheel) {
  std::vector<std::string> paths;
  for (const GpuFacts& gpu : wheel.gpu) {
    if (has_code(gpu)) paths.push_back(gpu.path);
  }
  return paths;
}

/// GPU code in a wheel whose version names no train.
void report_unlabelled(const Subject& subject, const Release& release,
                       const std::vector<std::string>& also, Report& report) {
  const std::vector<std::string> paths = members_with_code(subject.wheel);
  if (paths.empty() || !subject.claim().accelerator.empty()) return;
  Fault fault = {
      .where = std::nullopt,
      .message = fmt::format("ships CUDA code ({}) and no local version says of which train: an "
                             "index takes it for a CPU wheel",
                             shortened(paths)),
      .evidence = {{"found", subject.wheel.name ? subject.wheel.name->version : ""},
                   {"expected", "a local version of " + release.train_names()}},
      .subject = "local version",
      .fix = {}};
  for (const std::string& name : also) fault.covers.emplace_back(std::nullopt, name);
  cover_renaming(subject, fault);
  report(std::move(fault));
}

/// Libraries that need the runtime of another train than the claimed one.
void report_other_runtime(const Subject& subject, const Release& release, const ReleaseTrain& train,
                          Report& report) {
  std::set<std::string> runtimes;
  for (const ReleaseTrain& other : release.trains()) runtimes.insert(other.runtime);
  runtimes.erase(train.runtime);
  for (const std::string& runtime : runtimes) {
    std::vector<std::string> paths;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (elf->needs(runtime)) paths.push_back(elf->path);
    }
    if (paths.empty()) continue;
    Fault fault = {
        .where = std::nullopt,
        .message = fmt::format("the wheel says {}, and {} {} {}", train.name, shortened(paths),
                               paths.size() == 1 ? "needs" : "need", runtime),
        .evidence = {{"soname", runtime}, {"found", runtime}, {"expected", train.runtime}},
        .subject = runtime,
        .fix = {}};
    for (const std::string& path : paths) {
      fault.covers.emplace_back(path, runtime);
      fault.covers.emplace_back(path, "");
    }
    // Which packages are of the wrong train cannot be said while the train is in doubt.
    for (const ReleaseTrain& one : release.trains()) {
      for (const Requirement& package : one.packages)
        fault.covers.emplace_back(std::nullopt, package.name);
    }
    cover_renaming(subject, fault);
    report(std::move(fault));
  }
}

/// `release.train`: GPU code without a local version, a train outside the table, or needs of
/// another train's runtime. `also` names components whose surplus is the first fault too.
Check train(Params& params) {
  const Release release(params.table("release"));
  const std::vector<std::string> also = params.list("also");
  return [release, also](const Subject& subject, Report& report) {
    report_unlabelled(subject, release, also, report);
    const Claim& claim = subject.claim();
    if (claim.accelerator != "cuda")
      return any_code(subject.wheel) ? Looked::something : Looked::nothing;
    const ReleaseTrain* own = release.train_of_claim(subject);
    if (own != nullptr) {
      report_other_runtime(subject, release, *own, report);
      return Looked::something;
    }
    const std::string found = claim.train.empty() ? fmt::format("cu{}", claim.major) : claim.train;
    report({.where = std::nullopt,
            .message = fmt::format("is of train {}, which is not published", found),
            .evidence = {{"found", found}, {"expected", release.train_names()}},
            .subject = claim.train,
            .fix = {}});
    return Looked::something;
  };
}

/// `release.archs`: libraries with GPU code that lack SASS for an architecture of the row, or have
/// SASS for one outside it.
Check archs(Params& params) {
  const Release release(params.table("release"));
  return [release](const Subject& subject, Report& report) {
    const ReleaseRow* row = release.row_of(subject);
    if (row == nullptr || !any_code(subject.wheel)) return Looked::nothing;
    const std::set<Arch> wanted(row->archs.begin(), row->archs.end());
    for (const GpuFacts& gpu : subject.wheel.gpu) {
      if (!has_code(gpu)) continue;
      const std::set<Arch> found = archs_of({gpu}, "sass");
      const auto differs = [&](const std::set<Arch>& from, const std::set<Arch>& without,
                               std::string_view what, std::string_view aspect) {
        std::set<Arch> rest;
        std::ranges::set_difference(from, without, std::inserter(rest, rest.end()));
        if (rest.empty()) return;
        Fault fault = {
            .where = gpu.path,
            .message = fmt::format("{} {}; the row {} on {} is {}", what, arch_list(rest),
                                   row->train, row->machine, arch_list(wanted)),
            .evidence = {{"arch", arch_list(rest)},
                         {"found", "SASS " + arch_list(found)},
                         {"expected", "SASS " + arch_list(wanted)}},
            .subject = std::string(aspect),
            .fix = {}};
        for (const Arch& arch : rest) {
          fault.covers.emplace_back(gpu.path, to_string(arch));
          fault.covers.emplace_back(std::nullopt, to_string(arch));
        }
        report(std::move(fault));
      };
      differs(wanted, found, "has no SASS for", "missing");
      differs(found, wanted, "has SASS outside its row for", "surplus");
    }
    return Looked::something;
  };
}

/// `release.ptx`: no library has PTX for the row's newest architecture.
Check ptx(Params& params) {
  const Release release(params.table("release"));
  return [release](const Subject& subject, Report& report) {
    const ReleaseRow* row = release.row_of(subject);
    if (row == nullptr || !any_code(subject.wheel)) return Looked::nothing;
    const std::set<Arch> found = archs_of(subject.wheel.gpu, "ptx");
    if (!found.contains(row->newest)) {
      report({.where = std::nullopt,
              .message = fmt::format("no library has PTX for {}, the newest of row {} on {}: later "
                                     "devices have nothing to compile",
                                     to_string(row->newest), row->train, row->machine),
              .evidence = {{"arch", to_string(row->newest)},
                           {"found", "PTX " + arch_list(found)},
                           {"expected", "PTX " + to_string(row->newest)}},
              .subject = to_string(row->newest),
              .fix = {}});
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> release_row_kinds() {
  return {{"release.train", train}, {"release.archs", archs}, {"release.ptx", ptx}};
}

}  // namespace wheel_audit
