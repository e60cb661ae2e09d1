// The question whether a wheel's headers can be compiled from what it ships.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/loader.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Which includes a wheel must be able to meet itself, and which it must not have.
struct Closed {
  std::vector<std::string> headers;  ///< globs: the headers judged
  std::vector<std::string> roots;    ///< include directories that a user is told to add
  std::vector<std::string> project;  ///< globs of the names of the project's own headers
  std::vector<std::string> excused;  ///< globs of headers that need not compile alone
  std::vector<std::string> deny;     ///< globs of names that no header may include
  std::vector<std::string> strict;   ///< globs of headers that may not, under no condition
};

Closed closed_of(Params& params) {
  return {params.list("headers"), params.list("roots"), params.list("project"),
          params.list("excused"), params.list("deny"),  params.list("strict")};
}

bool is_met(const std::set<std::string, std::less<>>& shipped, const Closed& closed,
            std::string_view header, const Include& include) {
  const auto has = [&](std::string_view root) {
    return shipped.contains(normal_path(fmt::format("{}/{}", root, include.name)));
  };
  return (include.quoted && has(directory_name(header))) || std::ranges::any_of(closed.roots, has);
}

Fault include_fault(const HeaderFacts& header, const Include& include, std::string_view says,
                    std::string expected) {
  return {.where = header.path,
          .message = fmt::format("includes {} (line {}), {}", include.name, include.line, says),
          .evidence = {{"include", include.name},
                       {"found", fmt::format("line {}", include.line)},
                       {"expected", std::move(expected)}},
          .subject = include.name,
          .fix = {}};
}

void judge_header(const HeaderFacts& header, const Closed& closed,
                  const std::set<std::string, std::less<>>& shipped, Report& report) {
  const std::string_view path = site_path_of(header.path);
  const bool strict = matches_any(closed.strict, path);
  const bool excused = matches_any(closed.excused, path);
  for (const Include& include : header.includes) {
    // A condition may hold on other machines only: what stands in it proves nothing.
    const bool denied = matches_any(closed.deny, include.name);
    if (denied && (strict || (!include.conditional && !excused))) {
      report(include_fault(header, include, "which a user of this header does not have",
                           "no such include"));
      continue;
    }
    if (include.conditional || excused || !matches_any(closed.project, include.name)) continue;
    if (is_met(shipped, closed, path, include)) continue;
    report(include_fault(header, include, "which the wheel does not ship",
                         "a file below " + join(closed.roots, " or ")));
  }
}

/// `header.includes`: headers that include a header of the project that is not shipped, or one
/// that is denied.
Check includes(Params& params) {
  const Closed closed = closed_of(params);
  return [closed](const Subject& subject, Report& report) {
    std::set<std::string, std::less<>> shipped;
    for (const MemberFacts& member : subject.wheel.members)
      shipped.emplace(site_path_of(member.path));
    const std::vector<const MemberFacts*> judged = shipped_members(subject, closed.headers);
    for (const MemberFacts* member : judged) {
      const HeaderFacts* header = subject.index().header(member->path);
      if (header == nullptr) {
        report.unread(member->path, "these facts do not hold its includes");
        continue;
      }
      if (!header->problem.empty()) report.unread(member->path, header->problem);
      judge_header(*header, closed, shipped, report);
    }
    return judged.empty() ? Looked::nothing : Looked::something;
  };
}

/// Headers lie below site-packages wherever the archive has them.
void header_texts(Params& params, TextWishes& wishes) {
  for (const std::string& glob : params.list("headers")) {
    wishes.headers.push_back(glob);
    wishes.headers.push_back("*.data/*lib/" + glob);
  }
}

}  // namespace

std::vector<Kind> header_kinds() {
  return {{.name = "header.includes", .bind = includes, .texts = header_texts}};
}

}  // namespace wheel_audit
