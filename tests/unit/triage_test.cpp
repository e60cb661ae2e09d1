#include "wheel_audit/triage.hpp"

#include "catch.hpp"

using namespace wheel_audit;

namespace {

/// A run over one wheel that has one finding.
RunReport run_of(const std::string& wheel, const std::string& where, const std::string& subject) {
  Finding finding;
  finding.rule = "linux/missing-library";
  finding.where = where;
  finding.subject = subject;
  finding.evidence = {{"soname", subject}};
  static const Rule kRule;
  RunReport run;
  run.rules.emplace(finding.rule, &kRule);
  run.wheels.emplace_back();
  run.wheels.back().file = wheel;
  run.wheels.back().findings.push_back(finding);
  return run;
}

/// Whether a finding is known after the same fault was found in another wheel.
bool is_known(const RunReport& before, RunReport now) {
  apply_baseline(baseline_of(before, {}), now);
  return now.wheels.front().findings.front().baseline;
}

const RunReport& known_run() {
  static const RunReport kRun =
      run_of("dist/demo-1.0-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
             "demo/_C.cpython-312-x86_64-linux-gnu.so", "libgomp-a34b3233.so.1");
  return kRun;
}

}  // namespace

TEST_CASE("a known finding is known again in the next release") {
  const std::string next = "demo-2.0-cp313-cp313-manylinux_2_28_x86_64.whl";
  const std::string member = "demo/_C.cpython-313-x86_64-linux-gnu.so";
  CHECK(is_known(known_run(), run_of(next, member, "libgomp-0123abcd.so.1")));
  CHECK(is_known(known_run(), run_of(next, "demo/_C.abi3.so", "libgomp.so.1")));
  CHECK_FALSE(is_known(known_run(), run_of(next, member, "libomp.so.5")));
  CHECK_FALSE(is_known(known_run(), run_of(next, "demo/_D.abi3.so", "libgomp.so.1")));
  CHECK_FALSE(is_known(known_run(), run_of("demo-2.0-cp313-cp313-manylinux_2_28_aarch64.whl",
                                           member, "libgomp.so.1")));
  CHECK_FALSE(is_known(known_run(), run_of("demo-2.0-cp313-cp313-musllinux_1_2_x86_64.whl", member,
                                           "libgomp.so.1")));
  CHECK_FALSE(is_known(known_run(), run_of("other-2.0-cp313-cp313-manylinux_2_28_x86_64.whl",
                                           member, "libgomp.so.1")));
}

TEST_CASE("the version in a member's path is no part of it") {
  const RunReport before =
      run_of("demo-1.0-py3-none-any.whl", "demo-1.0.dist-info/METADATA", "Summary");
  CHECK(is_known(before,
                 run_of("demo-1.1-py3-none-any.whl", "demo-1.1.dist-info/METADATA", "Summary")));
}

TEST_CASE("known findings that are gone are told, where the run could have found them") {
  RunReport gone = known_run();
  gone.wheels.front().findings.clear();
  const Baseline baseline = baseline_of(known_run(), {});
  RunReport run = gone;
  apply_baseline(baseline, run);
  REQUIRE(run.findings.size() == 1);
  CHECK(run.findings.front().rule == "config/baseline-fixed");
  CHECK(baseline_of(run, baseline).known.empty());

  RunReport unread = gone;
  unread.wheels.front().unread.push_back({std::nullopt, "reason", "member"});
  RunReport unasked = gone;
  unasked.rules.clear();
  RunReport other = gone;
  other.wheels.front().file = "other-1.0-py3-none-any.whl";
  for (RunReport* open : {&unread, &unasked, &other}) {
    apply_baseline(baseline, *open);
    CHECK(open->findings.empty());
    CHECK(baseline_of(*open, baseline).known.size() == 1);
  }
}

TEST_CASE("a baseline is read as it was written, and nothing else is") {
  const Baseline baseline = baseline_of(known_run(), {});
  const std::string text = baseline_text(baseline);
  const Result<Baseline> again = parse_baseline(text, "b.json");
  REQUIRE(again);
  CHECK(baseline_text(*again) == text);
  const std::string empty = baseline_text({});
  CHECK(parse_baseline(empty, "b.json")->known.empty());
  for (const char* wrong :
       {"", "{}", "[]", R"({"schema": "wheel-audit.baseline/2", "findings": []})",
        R"({"schema": "wheel-audit.baseline/1", "findings": {}})",
        R"({"schema": "wheel-audit.baseline/1", "findings": [{}]})",
        R"({"schema": "wheel-audit.baseline/1", "findings": [3]})"})
    CHECK_FALSE(parse_baseline(wrong, "b.json"));
}

TEST_CASE("a waiver matches by all that it gives, until its day is over") {
  Waiver waiver;
  waiver.rule = "linux/*";
  waiver.wheel = {"other-*", "demo-*"};
  waiver.where = {"demo/*"};
  waiver.evidence = {{"soname", "libgomp*"}};
  waiver.reason = "why";
  waiver.until = "2027-01-31";
  waiver.file = "wheel-audit.toml";
  waiver.line = "3";
  const auto waived = [&](const Waiver& w, std::string_view date) {
    RunReport run = known_run();
    apply_waivers({w}, date, run);
    const std::string told = run.findings.empty() ? "" : run.findings.front().rule;
    return std::pair(run.wheels.front().findings.front().waived.value_or(""), told);
  };
  using Pair = std::pair<std::string, std::string>;
  CHECK(waived(waiver, "2027-01-31") == Pair("why (until 2027-01-31)", ""));
  CHECK(waived(waiver, "2027-02-01") == Pair("", "config/waiver-expired"));
  for (const auto& change : std::initializer_list<void (*)(Waiver&)>{
           [](Waiver& w) { w.rule = "cuda/*"; }, [](Waiver& w) { w.wheel = {"other-*"}; },
           [](Waiver& w) { w.where = {"other/*"}; },
           [](Waiver& w) { w.evidence["soname"] = "libomp*"; },
           [](Waiver& w) { w.evidence["entry"] = "*"; }}) {
    Waiver other = waiver;
    change(other);
    CHECK(waived(other, "2027-01-01") == Pair("", "config/waiver-unused"));
  }
}
