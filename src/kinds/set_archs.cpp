// Whether the wheels of one build and machine have GPU code for the same architectures.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/gpu_code.hpp"
#include "kinds/project.hpp"
#include "kinds/set_groups.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// What a wheel has code for, over all of its libraries.
struct ArchCover {
  std::set<Arch> sass;
  std::set<Arch> ptx;
  auto operator<=>(const ArchCover&) const = default;
  bool empty() const { return sass.empty() && ptx.empty(); }
};

ArchCover cover_of(const Subject& subject) {
  return {archs_of(subject.wheel.gpu, "sass"), archs_of(subject.wheel.gpu, "ptx")};
}

std::string words(const ArchCover& cover) {
  if (cover.empty()) return "no GPU code";
  std::vector<std::string> parts;
  if (!cover.sass.empty()) parts.push_back("SASS for " + arch_list(cover.sass));
  if (!cover.ptx.empty()) parts.push_back("PTX for " + arch_list(cover.ptx));
  return join(parts, " and ");
}

/// The build, system and machines; nothing where part of the GPU code could not be read.
std::optional<std::string> build_and_machine(const Subject& subject) {
  const WheelFacts& wheel = subject.wheel;
  const bool partly =
      wheel.members.empty() ||
      std::ranges::any_of(wheel.unread,
                          [](const Unread& unread) {
                            return unread.what == "archive" || unread.what == "member" ||
                                   unread.what == "gpu";
                          }) ||
      std::ranges::any_of(wheel.gpu, [](const GpuFacts& gpu) { return !gpu.problems.empty(); });
  if (partly) return std::nullopt;
  std::set<std::string> machines;
  for (const PlatformTag& tag : subject.tags()) machines.insert(tag.machine);
  if (machines.empty()) {
    for (const std::string& tag : wheel.name->platform)
      machines.insert(tag.substr(tag.find('_') + 1));
  }
  return fmt::format("{}/{}/{}", build_of(subject), system_of(subject),
                     join(std::vector<std::string>(machines.begin(), machines.end()), ","));
}

/// `set.archs`: wheels of one build and machine with code for different architectures.
SetCheck archs(Params&) {
  return [](const Siblings& all, SetReport& report) {
    for (const Siblings& wheels : apart(all, build_and_machine)) {
      const auto covers = votes<ArchCover>(wheels, cover_of);
      if (covers.by_value.size() == 1 && covers.usual->empty()) continue;
      report.looked_at(wheels);
      for (const auto& [cover, group] : covers.by_value) {
        if (&cover == covers.usual) continue;
        for (const Subject* wheel : group) {
          report(*wheel, fault(std::nullopt,
                               fmt::format("has {}; {} has {}", words(cover),
                                           named(covers.majority()), words(*covers.usual)),
                               {{"found", words(cover)},
                                {"expected", words(*covers.usual)},
                                {"wheel", covers.majority().front()->wheel.file_name}}));
        }
      }
    }
  };
}

}  // namespace

SetKind arch_set_kind() { return {"set.archs", archs}; }

}  // namespace wheel_audit
