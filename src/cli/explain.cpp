// explain: what a rule rejects, why, how to fix it, and a real rejected run. rules: those in force.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "rules/pack_files.hpp"
#include "wheel_audit/report.hpp"
#include "wheel_audit/selftest.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// A wheel that a rule rejects: what is wrong with it, and the report on it.
struct RejectedRun {
  std::string why;
  std::string report;  ///< empty where no fixture shows one
};

/// The run of the first known-bad fixture of a rule.
RejectedRun rejected_run(const Rule& rule, const RuleSet& rules, const Fixtures& fixtures) {
  for (const Fixture& fixture : fixtures.fixtures) {
    if (fixture.rule != rule.id || !fixture.is_reject()) continue;
    Result<std::vector<WheelReport>> reports = run_fixture(fixtures, fixture, rule, rules);
    if (!reports) continue;
    std::erase_if(*reports, [](const WheelReport& report) { return report.findings.empty(); });
    if (reports->empty()) continue;
    RunReport run;
    run.wheels = std::move(*reports);
    run.show_notes = true;
    run.fail_on = Severity::note;  // what it rejects is not clean
    const auto text = std::ranges::find(formats(), "text", &Format::name);
    return {fixture.json["why"].as_string(), text->render(run)};
  }
  return {};
}

constexpr const char* kNoFixture = "It has no fixture that shows a rejected wheel.\n";

std::string as_text(const Rule& rule, const RuleSet& rules, const Fixtures& fixtures) {
  std::string text = fmt::format("{} ({}{})\n\n{}\n\nFix: {}\n", rule.id, to_string(rule.severity),
                                 rule.opt_in ? ", opt in with --enable" : "", rule.why, rule.fix);
  if (!rule.supersedes.empty())
    text += fmt::format("\nStands for: {}\n", join(rule.supersedes, ", "));
  if (!rule.refs.empty()) text += fmt::format("\nReferences: {}\n", join(rule.refs, "; "));
  const RejectedRun run = rejected_run(rule, rules, fixtures);
  if (run.report.empty()) return text + fmt::format("\n{}", kNoFixture);
  return text + fmt::format("\nA wheel that it rejects ({}):\n\n{}", run.why, run.report);
}

/// A section of a document of rules.
std::string as_markdown(const Rule& rule, const RuleSet& rules, const Fixtures& fixtures) {
  std::string text = fmt::format("## {}\n\n{}{} · kind `{}`\n\n{}\n\n**Fix:** {}\n", rule.id,
                                 to_string(rule.severity), rule.opt_in ? " · opt in" : "",
                                 rule.kind, rule.why, rule.fix);
  if (!rule.supersedes.empty()) {
    text += fmt::format("\n**Stands for:** `{}`\n", join(rule.supersedes, "`, `"));
  }
  for (std::size_t i = 0; i < rule.refs.size(); ++i)
    text += fmt::format("{}- {}\n", i == 0 ? "\n**References:**\n\n" : "", rule.refs[i]);
  const RejectedRun run = rejected_run(rule, rules, fixtures);
  if (run.report.empty()) return text + fmt::format("\n{}\n", kNoFixture);
  return text + fmt::format("\nA wheel that it rejects ({}):\n\n```text\n{}\n```\n\n", run.why,
                            trim(run.report));
}

}  // namespace

int explain(const ExplainOptions& options) {
  const Result<InForce> values = values_of(options.rules);
  if (!values) return wrong_use(values.error().message());
  const std::vector<std::string> folders = values->values["rules"].strings();
  if (options.all != options.rule.empty())
    return wrong_use("explain: give one rule, or --all (wheel-audit rules lists them)");
  const Result<RuleSet> rules = load_all_rules(folders);
  if (!rules) return wrong_use(rules.error().message());
  const Result<Fixtures> fixtures = load_fixtures(folders);
  if (!fixtures) return wrong_use(fixtures.error().message());
  const auto render = options.format == "markdown" ? as_markdown : as_text;
  std::string text;
  if (options.all) {
    for (const Rule& rule : rules->rules) text += render(rule, *rules, *fixtures);
    return write_output("", text) ? kOk : kIncomplete;
  }
  const Rule* rule = rules->find(options.rule);
  if (rule == nullptr) {
    std::vector<std::string> ids;
    for (const Rule& known : rules->rules) ids.push_back(known.id);
    return wrong_use(
        fmt::format("no rule is named \"{}\"{}", options.rule, near_rule(options.rule, ids)));
  }
  return write_output("", render(*rule, *rules, *fixtures)) ? kOk : kIncomplete;
}

int rules(const RulesOptions& options) {
  const Result<InForce> values = values_of(options.rules);
  if (!values) return wrong_use(values.error().message());
  const Result<Settings> settings = settings_of(*values);
  if (!settings) return wrong_use(settings.error().message());
  const Result<RuleSet> set = load_rules(settings->selection);
  if (!set) return wrong_use(set.error().message());
  std::string text;
  Json list = Json::array();
  for (const Rule& rule : set->rules) {
    if (options.format == "json") {
      // A condition as it was parsed no longer has its words.
      const Result<std::string> file = text_of_origin(rule.origin);
      if (!file) return wrong_use(file.error().message());
      const Result<Json> written = Json::parse(*file);
      if (!written) return wrong_use(written.error().in(rule.origin).message());
      Json item = Json::object();
      item.set("id", rule.id);
      item.set("severity", to_string(rule.severity));
      item.set("kind", rule.kind);
      item.set("when", (*written)["when"]);
      item.set("params", rule.params);
      item.set("why", rule.why);
      item.set("fix", rule.fix);
      item.set("supersedes", rule.supersedes);
      item.set("refs", rule.refs);
      list.push(std::move(item));
    } else {
      text += fmt::format("{:<8} {:<32} {}\n", to_string(rule.severity), rule.id, rule.kind);
    }
  }
  if (options.format == "json") text = list.dump(1) + "\n";
  return write_output("", text) ? kOk : kIncomplete;
}

}  // namespace wheel_audit::cli
