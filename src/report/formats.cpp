// The table of formats: a new one is a file and a row.
#include "report/formats.hpp"

namespace wheel_audit {

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"github", "annotations of GitHub Actions, on standard output", render_github, true},
      {"github-summary", "Markdown for GitHub's job summary", render_github_summary, true,
       "GITHUB_STEP_SUMMARY"},
      {"gitlab", "GitLab's code quality report", render_gitlab},
      {"html", "one page for a browser: findings, heat map, closures", render_html},
      {"json", "the whole report, schema wheel-audit.report/1", render_json},
      {"jsonl", "one JSON object a line for each wheel, finding and unread part", render_jsonl},
      {"junit", "JUnit XML, a suite for each wheel", render_junit},
      {"markdown", "for people, in merge requests", render_markdown, true},
      {"sarif", "SARIF 2.1.0, for code scanning", render_sarif},
      {"sh", "a script of the repairs that need no rebuild; read it, then run it", render_sh},
      {"text", "for people, equal findings grouped", render_text, true},
  };
  return kFormats;
}

}  // namespace wheel_audit
