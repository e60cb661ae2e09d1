// Questions about the archive as a container.
#include "kinds/groups.hpp"

namespace wheel_audit {

namespace {

/// `archive.problem`: deviations of one code that the raw walk or the decoder found.
Check problem(Params& params) {
  const std::string code = params.word("code", {"ambiguous", "data-descriptor", "corrupt"});
  return [code](const Subject& subject, Report& report) {
    for (const ArchiveProblem& found : subject.wheel.archive_problems) {
      if (found.code != code) continue;
      report({.where = found.where,
              .message = found.message,
              .evidence = {{"offset", std::to_string(found.offset)}, {"found", found.message}},
              .subject = found.message,
              .fix = {}});
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> archive_kinds() { return {{"archive.problem", problem}}; }

}  // namespace wheel_audit
