// Reports on hand-made findings: exact text, exact JSON, exit codes.
#include "wheel_audit/report.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace wheel_audit;

namespace {

Finding finding(std::string rule, Severity severity, std::optional<std::string> where,
                std::string message) {
  Finding f;
  f.rule = std::move(rule);
  f.severity = severity;
  f.where = std::move(where);
  f.message = std::move(message);
  return f;
}

/// A run with something of everything.
RunReport full_run() {
  WheelReport bad;
  bad.file = "dist/x.whl";
  Finding undeclared =
      finding("cuda/undeclared-package", Severity::error, "x/_C.so", "needs libcudart.so.13");
  undeclared.evidence = {{"soname", "libcudart.so.13"}, {"found", "nothing"}};
  undeclared.fix = "declare it";
  undeclared.superseded = {"linux/missing-library", "linux/other"};
  Finding waived = finding("base/junk-file", Severity::warning, "x/.DS_Store", "is junk");
  waived.waived = "until the move";
  Finding known = finding("base/file-mode", Severity::error, std::nullopt, "is odd");
  known.baseline = true;
  bad.findings = {finding("base/note", Severity::note, "a", "could be less"), undeclared, waived,
                  known};
  for (const char* where : {"m1", "m2", "m3", "m4", "m5", "m6", "m7"}) {
    Finding stack = finding("linux/executable-stack", Severity::warning, where, "asks for it");
    stack.fix = "link with -z noexecstack";
    bad.findings.push_back(stack);
  }
  Finding silent = finding("linux/soname-missing", Severity::warning, "x/a.so", "has none");
  silent.waived = "extensions need none, says cuda";
  bad.adjusted = {silent, silent};
  bad.not_applicable = {"cuda/arch-missing", "cuda/device-gap"};
  bad.asked = 41;
  bad.devices = {{"7.5", "none"}, {"8.0", "sass"}, {"12.1", "ptx"}};
  bad.has_gpu_code = true;
  bad.claim = {"cuda", "cu130", 13, "local version"};
  WheelReport cut;
  cut.file = "dist/y.whl";
  cut.unread = {{"y/b.so", "is cut", "elf"}, {std::nullopt, "ends early", "archive"}};
  cut.asked = 1;
  RunReport run;
  run.wheels = {bad, cut};
  return run;
}

std::string rendered(std::string_view format, const RunReport& run) {
  const auto found = std::ranges::find(formats(), format, &Format::name);
  REQUIRE(found != formats().end());
  return found->render(run);
}

/// A run over one wheel with one finding.
RunReport run_with(Severity severity) {
  RunReport run;
  run.wheels.emplace_back();
  run.wheels[0].findings = {finding("a/b", severity, std::nullopt, "m")};
  return run;
}

}  // namespace

TEST_CASE("the text report, word for word") {
  CHECK(rendered("text", full_run()) ==
        R"(dist/x.whl: findings
  error cuda/undeclared-package x/_C.so: needs libcudart.so.13
    fix: declare it
    stands for: linux/missing-library, linux/other
  error base/file-mode: is odd [in the baseline]
  warning base/junk-file x/.DS_Store: is junk [waived: until the move]
  warning linux/executable-stack 7 members: asks for it
    m1
    m2
    m3
    m4
    m5
    and 2 more
    fix: link with -z noexecstack
  1 note (--notes shows it)
  2 adjusted: linux/soname-missing: extensions need none, says cuda
  GPU: 7.5 none · 8.0 sass · 12.1 ptx
  41 rules asked, 2 not applicable, 1 error, 7 warnings, 1 note, 1 waived, 0 unread, 1 in the baseline

dist/y.whl: incomplete
  unread y/b.so: is cut
  unread: ends early
  GPU: no device code
  1 rule asked, 0 not applicable, 0 errors, 0 warnings, 0 notes, 2 unread

2 wheels (0 clean, 1 with findings, 1 incomplete): 1 error, 7 warnings, 1 note, 1 waived, 2 unread
)");
}

TEST_CASE("notes are shown on wish, with what was not applicable") {
  RunReport run = full_run();
  run.wheels.pop_back();
  run.show_notes = true;
  const std::string text = rendered("text", run);
  CHECK(text.find("  note base/note a: could be less\n") != std::string::npos);
  CHECK(text.find("--notes") == std::string::npos);
  CHECK(text.find("  not applicable: cuda/arch-missing, cuda/device-gap\n") != std::string::npos);
  CHECK(text.ends_with("0 unread, 1 in the baseline\n"));
}

TEST_CASE("findings that differ are not grouped") {
  RunReport run;
  run.wheels.emplace_back();
  const Finding plain = finding("a/b", Severity::error, "m1", "same");
  std::vector<Finding> others(6, plain);
  for (Finding& other : others) other.where = "m2";
  others[0].evidence = {{"found", "x"}};
  others[1].waived = "w";
  others[2].baseline = true;
  others[3].fix = "other";
  others[4].severity = Severity::warning;
  others[5].message = "other";
  run.wheels[0].findings = {plain};
  run.wheels[0].findings.insert(run.wheels[0].findings.end(), others.begin(), others.end());
  const std::string text = rendered("text", run);
  CHECK(text.find("members") == std::string::npos);
  std::size_t lines = 0;
  for (std::size_t at = text.find("a/b m"); at != std::string::npos;
       at = text.find("a/b m", at + 1))
    ++lines;
  CHECK(lines == 7);
}

TEST_CASE("equal findings of one member are one line without a count") {
  RunReport run;
  run.wheels.emplace_back();
  run.wheels[0].findings = {finding("a/b", Severity::error, "m1", "same"),
                            finding("a/b", Severity::error, "m1", "same")};
  CHECK(rendered("text", run).find("  error a/b m1: same\n") != std::string::npos);
}

TEST_CASE("no name or message rewrites a terminal") {
  RunReport run = full_run();
  for (WheelReport& wheel : run.wheels) {
    wheel.file += "\x1b[2J\n";
    for (Unread& unread : wheel.unread) {
      if (unread.where) *unread.where += "\x1b";
      unread.reason += "\x1b";
    }
    for (std::vector<Finding>* list : {&wheel.findings, &wheel.adjusted}) {
      for (Finding& f : *list) {
        if (f.where) *f.where += "\x1b";
        if (f.waived) *f.waived += "\x1b";
        f.message += "\x1b\r";
        f.fix += "\xe2\x80\xae";
      }
    }
  }
  run.show_notes = true;
  const std::string text = rendered("text", run);
  CHECK(text.find_first_of("\x1b\r") == std::string::npos);
  CHECK(text.find("\xe2\x80\xae") == std::string::npos);
  CHECK(text.starts_with("dist/x.whl\\x1b[2J\\x0a: findings\n"));
}

TEST_CASE("colour comes on wish only, and changes no word") {
  RunReport run = full_run();
  const std::string plain = rendered("text", run);
  run.colour = true;
  std::string text = rendered("text", run);
  CHECK(text.find("\x1b[31;1merror\x1b[0m cuda/undeclared-package") != std::string::npos);
  for (std::size_t at = text.find('\x1b'); at != std::string::npos; at = text.find('\x1b'))
    text.erase(at, text.find('m', at) - at + 1);
  CHECK(text == plain);
  CHECK(rendered("json", run).find('\x1b') == std::string::npos);
}

TEST_CASE("the JSON report, key for key") {
  RunReport run = full_run();
  run.wheels[0].findings.erase(run.wheels[0].findings.begin() + 4, run.wheels[0].findings.end());
  run.wheels[0].findings.erase(run.wheels[0].findings.begin());
  run.wheels[0].adjusted.pop_back();
  Json json = *Json::parse(rendered("json", run));
  CHECK(json["tool"]["version"].is_string());
  json.at_or_add("tool").set("version", "0");
  CHECK(
      json.dump() ==
      R"({"schema":"wheel-audit.report/1","tool":{"name":"wheel-audit","version":"0"},)"
      R"("summary":{"wheels":2,"errors":1,"warnings":0,"notes":0,"waived":1,"unread":2,"exit":3},)"
      R"("wheels":[{"file":"dist/x.whl","verdict":"findings","findings":[)"
      R"({"rule":"cuda/undeclared-package","severity":"error","where":"x/_C.so",)"
      R"("message":"needs libcudart.so.13",)"
      R"("evidence":{"soname":"libcudart.so.13","found":"nothing"},"fix":"declare it",)"
      R"("superseded":["linux/missing-library","linux/other"],"waived":null,"baseline":false},)"
      R"({"rule":"base/junk-file","severity":"warning","where":"x/.DS_Store",)"
      R"("message":"is junk","evidence":{},"fix":"","superseded":[],)"
      R"("waived":"until the move","baseline":false},)"
      R"({"rule":"base/file-mode","severity":"error","where":null,"message":"is odd",)"
      R"("evidence":{},"fix":"","superseded":[],"waived":null,"baseline":true}],)"
      R"("adjusted":[{"rule":"linux/soname-missing","severity":"warning","where":"x/a.so",)"
      R"("message":"has none","evidence":{},"fix":"","superseded":[],)"
      R"("waived":"extensions need none, says cuda","baseline":false}],)"
      R"("unread":[],)"
      R"("claim":{"accelerator":"cuda","train":"cu130","major":13,"from":"local version"},)"
      R"("gpu":{"devices":{"7.5":"none","8.0":"sass","12.1":"ptx"}},)"
      R"("rules":{"asked":41,"not_applicable":["cuda/arch-missing","cuda/device-gap"]}},)"
      R"({"file":"dist/y.whl","verdict":"incomplete","findings":[],)"
      R"("unread":[{"where":"y/b.so","reason":"is cut"},{"where":null,"reason":"ends early"}],)"
      R"("claim":null,"gpu":{"devices":{}},"rules":{"asked":1,"not_applicable":[]}}],"findings":[]})");
}

TEST_CASE("JSON keeps equal findings apart, and every word of twofold evidence") {
  RunReport run = full_run();
  run.wheels[0].findings[0].evidence = {{"found", "a"}, {"found", "b"}};
  const Json json = *Json::parse(rendered("json", run));
  CHECK(json["wheels"].items()[0]["findings"].items().size() == 11);
  CHECK(json["wheels"].items()[0]["findings"].items()[0]["evidence"].dump() ==
        R"({"found":"a; b"})");
}

TEST_CASE("the exit code: 3 beats 1 beats 0") {
  RunReport run = full_run();
  CHECK(summarize(run).exit == 3);
  run.wheels.pop_back();
  CHECK(summarize(run).exit == 1);
  CHECK(summarize(RunReport{}).exit == 0);
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    for (const Severity fail_on : {Severity::note, Severity::warning, Severity::error}) {
      RunReport one = run_with(severity);
      one.fail_on = fail_on;
      CHECK(summarize(one).exit == (severity >= fail_on ? 1 : 0));
      CHECK(verdict(one.wheels[0], fail_on) == (severity >= fail_on ? "findings" : "clean"));
    }
  }
}

TEST_CASE("what is waived or in the baseline decides nothing, and unread decides all") {
  RunReport run = run_with(Severity::error);
  run.wheels[0].findings[0].waived = "";
  CHECK(summarize(run).exit == 0);
  CHECK(summarize(run).errors == 0);
  CHECK(summarize(run).waived == 1);
  run.wheels[0].findings[0].waived.reset();
  run.wheels[0].findings[0].baseline = true;
  CHECK(summarize(run).exit == 0);
  CHECK(summarize(run).waived == 0);
  CHECK(verdict(run.wheels[0], Severity::note) == "clean");
  run.wheels[0].unread = {{std::nullopt, "r", "archive"}};
  CHECK(summarize(run).exit == 3);
  CHECK(summarize(run).unread == 1);
  CHECK(verdict(run.wheels[0], Severity::error) == "incomplete");
}

TEST_CASE("formats are in order of name") {
  CHECK(std::ranges::is_sorted(formats(), {}, &Format::name));
}
