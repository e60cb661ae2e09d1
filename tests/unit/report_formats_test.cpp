// The formats for machines and pages on one hand-made run, word for word: an error, a waived
// finding, one of the baseline, one that a pack made silent, an unread member, a hostile name.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/report.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/utf8.hpp"

using namespace wheel_audit;

namespace {

constexpr const char* kHostile =
    "a\xe2\x80\xae|`<b>&\"'%0A::error::\x1b[31m\xf3\xa0\x81\x81\xc2\xad.so";

const Rule& rule(const std::string& id) {
  static std::map<std::string, Rule> rules;
  Rule& rule = rules[id];
  rule.id = id;
  rule.kind = "k." + id.substr(id.find('/') + 1);
  rule.severity = Severity::error;
  rule.why = "it *fails*";
  rule.fix = "mend it";
  if (id == "cuda/missing-hop") rule.mend = {"patchelf", "--add-rpath", "{found}", "{where}"};
  if (id == "linux/executable-stack") rule.mend = {"patchelf", "--clear-execstack", "{where}"};
  rule.refs = {"PEP 427", "https://example.org/a"};
  return rule;
}

RunReport full_run() {
  Finding hop;
  hop.rule = "cuda/missing-hop";
  hop.where = "x/_C.so";
  hop.message = "needs libcudart.so.13: \"$ORIGIN\" is short";
  hop.evidence = {{"soname", "libcudart.so.13"}, {"found", "$ORIGIN"}};
  hop.fix = "add 100% of it";
  hop.superseded = {"linux/missing-library"};
  hop.subject = "libcudart.so.13";
  Finding waived;
  waived.rule = "base/junk-file";
  waived.severity = Severity::warning;
  waived.where = kHostile;
  waived.message = std::string("is [junk](1) ") + kHostile;
  waived.waived = "until the move";
  Finding known;
  known.rule = "base/file-mode";
  known.message = "is odd";
  known.baseline = true;
  Finding silent;
  silent.rule = "linux/soname-missing";
  silent.severity = Severity::warning;
  silent.where = "x/a.so";
  silent.message = "has none";
  silent.waived = "extensions need none";
  WheelReport wheel;
  wheel.file = "dist/x-1.0-cp312-cp312-linux_x86_64.whl";
  wheel.findings = {hop, waived, known};
  for (const char* where : {"m1", "m2"}) {
    Finding stack;
    stack.rule = "linux/executable-stack";
    stack.severity = Severity::warning;
    stack.where = where;
    stack.message = "asks for it";
    wheel.findings.push_back(stack);
  }
  wheel.adjusted = {silent};
  wheel.unread = {{"x/b.so", "is cut", "elf"}};
  wheel.not_applicable = {"cuda/arch-missing"};
  wheel.asked = 6;
  wheel.devices = {{"8.0", "sass"}, {"9.0", "none"}};
  wheel.has_gpu_code = true;
  wheel.claim = {"cuda", "cu130", 13, "local version"};
  RunReport run;
  run.wheels = {wheel};
  for (const char* id : {"base/file-mode", "base/junk-file", "base/sound", "cuda/arch-missing",
                         "cuda/missing-hop", "linux/executable-stack", "linux/soname-missing"})
    run.rules.emplace(id, &rule(id));
  return run;
}

std::string rendered(std::string_view format, const RunReport& run) {
  const auto found = std::ranges::find(formats(), format, &Format::name);
  REQUIRE(found != formats().end());
  return found->render(run);
}

Json::Array sarif_results(const RunReport& run) {
  const Json sarif = *Json::parse(rendered("sarif", run));
  return sarif["runs"].items()[0]["results"].items();
}

}  // namespace

TEST_CASE("no format prints a control or a character that nobody sees") {
  RunReport run = full_run();
  run.wheels[0].file += kHostile;
  for (Finding& finding : run.wheels[0].findings) {
    finding.where = kHostile;
    finding.subject = kHostile;
    finding.message += kHostile;
    finding.fix += kHostile;
    finding.evidence = {{kHostile, kHostile}};
    if (finding.waived) *finding.waived += kHostile;
  }
  run.wheels[0].adjusted[0].message += kHostile;
  *run.wheels[0].adjusted[0].waived += kHostile;
  run.wheels[0].unread = {{kHostile, kHostile, "elf"}};
  run.show_notes = true;
  for (const Format& format : formats()) {
    INFO(format.name);
    const std::string text = format.render(run);
    CHECK(is_utf8(text));
    for (std::string_view rest = text; !rest.empty();) {
      const CodePoint point = decode_utf8(rest);
      const bool bad = (point.value < 0x20 && point.value != '\n') || point.value == 0x7f ||
                       is_deceptive(point.value);
      if (bad) FAIL("U+" << std::hex << point.value << " at " << text.size() - rest.size());
      rest.remove_prefix(point.length);
    }
  }
}

TEST_CASE("each format, word for word") {
  // Written anew with WHEEL_AUDIT_UPDATE=1 in the environment; look at the difference.
  const bool update = std::getenv("WHEEL_AUDIT_UPDATE") != nullptr;
  RunReport run = full_run();
  for (const Format& format : formats()) {
    INFO(format.name);
    std::string text = format.render(run);
    const std::string version =
        (*Json::parse(rendered("json", run)))["tool"]["version"].as_string();
    for (std::size_t at = text.find('"' + version + '"'); at != std::string::npos;
         at = text.find('"' + version + '"'))
      text.replace(at, version.size() + 2, "\"VERSION\"");
    const std::string path =
        std::string(SOURCE_DIR) + "/tests/data/reports/" + std::string(format.name) + ".txt";
    if (update) std::ofstream(path, std::ios::binary) << text;
    std::ostringstream expected;
    expected << std::ifstream(path, std::ios::binary).rdbuf();
    CHECK(text == expected.str());
  }
}

TEST_CASE("SARIF says nothing of a baseline when there is none") {
  RunReport run = full_run();
  run.wheels[0].findings.erase(run.wheels[0].findings.begin() + 2);
  for (const Json& result : sarif_results(run)) CHECK(result.find("baselineState") == nullptr);
}

TEST_CASE("fingerprints hold over versions, hashes and words, and tell findings apart") {
  RunReport run = full_run();
  WheelReport& wheel = run.wheels[0];
  const auto prints = [&] {
    std::vector<std::string> all;
    for (const Json& result : sarif_results(run))
      all.push_back(result["partialFingerprints"]["wheelAuditFinding/v1"].as_string());
    return all;
  };
  wheel.findings[0].where = "x.libs/libz-1a2b3c4d.so.1";
  wheel.findings[2].where = "x-1.0.dist-info/RECORD";
  wheel.findings[4].where = wheel.findings[3].where;  // equal but for their order
  const std::vector<std::string> before = prints();
  CHECK(std::set<std::string>(before.begin(), before.end()).size() == before.size());
  CHECK(before[0].size() == 32);
  wheel.file = "elsewhere/X-2.0+cu130-cp312-cp312-linux_x86_64.whl";
  wheel.findings[0].where = "x.libs/libz-99887766.so.1";
  wheel.findings[0].message = "says it otherwise";
  wheel.findings[2].where = "x-2.0+cu130.dist-info/RECORD";
  CHECK(prints() == before);
  for (auto change : {+[](Finding& f) { f.rule = "a/b"; }, +[](Finding& f) { f.where = "other"; },
                      +[](Finding& f) { f.subject = "other"; }}) {
    RunReport other = run;
    change(other.wheels[0].findings[0]);
    CHECK(sarif_results(other)[0]["partialFingerprints"].dump() !=
          sarif_results(run)[0]["partialFingerprints"].dump());
  }
  wheel.file = "elsewhere/X-2.0+cu130-cp313-cp313-linux_x86_64.whl";
  CHECK(prints()[0] != before[0]);
}

TEST_CASE("the fix script quotes every word, and leaves what it cannot say or must not touch") {
  RunReport run = full_run();
  Finding& hop = run.wheels[0].findings[0];
  const auto script = [&] { return rendered("sh", run); };
  const auto holds = [&](std::string_view line) {
    return script().find("\n" + std::string(line) + "\n") != std::string::npos;
  };
  CHECK(holds("patchelf --add-rpath '$ORIGIN' ./x/_C.so"));
  hop.evidence = {{"found", "a'b $(c) `d`; e"}};
  hop.where = "-rf {found} *";
  CHECK(holds(R"(patchelf --add-rpath 'a'\''b $(c) `d`; e' './-rf {found} *')"));
  for (const char* where : {"../x.so", "x/../../y.so", "/etc/x.so", "x//y.so", "x/./y.so",
                            "a\\b.so", "x\n.so", "x\x1b.so", kHostile, ""}) {
    hop.where = where;
    INFO(where);
    CHECK(script().find("--add-rpath") == std::string::npos);
  }
  hop.where.reset();
  CHECK(script().find("--add-rpath") == std::string::npos);
  hop.where = "x/_C.so";
  for (const Evidence& evidence :
       {Evidence{}, Evidence{{"found", ""}}, Evidence{{"found", "a\nb"}}}) {
    hop.evidence = evidence;
    CHECK(script().find("--add-rpath") == std::string::npos);
  }
  hop.evidence = {{"found", "$ORIGIN"}};
  hop.waived = "later";
  CHECK(script().find("--add-rpath") == std::string::npos);
  hop.waived.reset();
  run.wheels[0].file = "-x.whl";
  CHECK(holds("unpack ./-x.whl"));
  run.wheels[0].file = "x\n.whl";
  CHECK(script().find("\nunpack x") == std::string::npos);
}

TEST_CASE("the job summary stays below what the runner takes, and says what it left out") {
  RunReport run = full_run();
  std::vector<Finding>& findings = run.wheels[0].findings;
  const Finding one = findings[0];
  for (int i = 0; i < 20000; ++i) {
    findings.push_back(one);
    findings.back().message += std::to_string(i);
  }
  const std::string text = rendered("github-summary", run);
  CHECK(text.size() > 900 * 1000);
  CHECK(text.size() < 1024 * 1024);
  const std::size_t at = text.find(" more left out**");
  REQUIRE(at != std::string::npos);
  std::size_t shown = 0;
  for (std::size_t from = text.find("- **error**"); from != std::string::npos;
       from = text.find("- **error**", from + 1))
    ++shown;
  const std::size_t begin = text.rfind("**", at) + 2;
  // One more error is in the baseline group, and five findings were there before.
  CHECK(shown > 1000);
  CHECK(std::stoul(text.substr(begin, at - begin)) + shown >= 20000);
  CHECK(rendered("markdown", run).size() > text.size());
}
