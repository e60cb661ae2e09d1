// GitHub's job summary: Markdown for the file that $GITHUB_STEP_SUMMARY names. The runner throws a
// summary of more than 1 MiB away as a whole, so that this one stays below.
#include "report/formats.hpp"
#include "report/markdown.hpp"

namespace wheel_audit {

std::string render_github_summary(const RunReport& run) {
  constexpr std::size_t kMost = 1'000'000;  // leaves room for what other steps' tools append
  return markdown_report(run, kMost);
}

}  // namespace wheel_audit
