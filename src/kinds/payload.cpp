// Questions about bytes: what is shipped twice, and what a wheel may weigh.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// `payload.duplicate`: members of equal content, from a size on.
Check duplicate(Params& params) {
  const auto least = static_cast<std::uint64_t>(params.number("at_least", 1 << 20));
  return [least](const Subject& subject, Report& report) {
    std::map<std::string_view, std::vector<const MemberFacts*>> equal;
    for (const MemberFacts& member : subject.wheel.members) {
      if (member.size >= least && !member.sha256.empty()) equal[member.sha256].push_back(&member);
    }
    for (auto& [digest, members] : equal) {
      std::ranges::sort(members, {}, &MemberFacts::path);
      const MemberFacts& first = *members.front();
      for (const MemberFacts* copy : members) {
        if (copy->path == first.path) continue;
        report(fault(copy->path, fmt::format("has the same {} bytes as {}", copy->size, first.path),
                     {{"found", std::string(digest)},
                      {"original", first.path},
                      {"bytes", std::to_string(copy->size)}}));
      }
    }
    const bool hashed = std::ranges::any_of(
        subject.wheel.members, [](const MemberFacts& member) { return !member.sha256.empty(); });
    return hashed ? Looked::something : Looked::nothing;
  };
}

/// Budgets in bytes by name: a member glob or an architecture.
using Budgets = std::vector<std::pair<std::string, std::uint64_t>>;

Budgets budgets_of(Params& params, const std::string& parameter) {
  Budgets budgets;
  for (const auto& [name, bytes] : params.json(parameter).entries()) {
    if (!bytes.is_integer() || bytes.as_int() < 0)
      params.fail(fmt::format("parameter \"{}\": \"{}\" is no number of bytes", parameter, name));
    budgets.emplace_back(name, bytes.as_uint());
  }
  return budgets;
}

void over(Report& report, std::optional<std::string> where, std::string_view what,
          std::uint64_t found, std::uint64_t limit, const std::string& subject) {
  if (found <= limit) return;
  report(
      fault(std::move(where),
            fmt::format("{} {} bytes, {} over the budget of {}", what, found, found - limit, limit),
            {{"found", std::to_string(found)}, {"expected", std::to_string(limit)}}, subject));
}

/// `payload.budget`: limits in bytes for the wheel file, for members by glob, and for device code
/// by architecture.
Check budget(Params& params) {
  const auto whole =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, params.number("wheel", 0)));
  const Budgets members = budgets_of(params, "members");
  const Budgets archs = budgets_of(params, "archs");
  return [whole, members, archs](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (whole > 0) over(report, std::nullopt, "the wheel has", wheel.file_size, whole, "wheel");
    for (const auto& [glob, limit] : members) {
      for (const MemberFacts& member : wheel.members) {
        if (glob_match(glob, member.path))
          over(report, member.path, "has", member.size, limit, glob);
      }
    }
    for (const auto& [arch, limit] : archs) {
      std::uint64_t bytes = 0;
      for (const GpuFacts& gpu : wheel.gpu) {
        for (const GpuCode& code : gpu.code) bytes += code.arch == arch ? code.bytes : 0;
      }
      over(report, std::nullopt, fmt::format("device code for {} has", arch), bytes, limit, arch);
    }
    if (whole == 0 && members.empty() && archs.empty())
      report.unread(std::nullopt,
                    "no budget is set: give the rule's parameters wheel, members or archs");
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> payload_kinds() {
  return {{"payload.duplicate", duplicate}, {"payload.budget", budget}};
}

}  // namespace wheel_audit
