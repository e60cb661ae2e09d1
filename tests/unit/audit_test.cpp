// Rules that several threads ask of one wheel say what one thread hears, in the same order.
#include "wheel_audit/audit.hpp"

#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "wheel_audit/forge.hpp"
#include "wheel_audit/selftest.hpp"
#include "wheel_audit/wheel.hpp"

using namespace wheel_audit;

namespace {

std::vector<std::string> told(const WheelReport& report) {
  std::vector<std::string> lines = {report.file, std::to_string(report.asked)};
  for (const Finding& finding : report.findings)
    lines.push_back(finding.rule + " " + finding.where.value_or("") + " " + finding.message);
  for (const Unread& unread : report.unread) lines.push_back("unread " + unread.reason);
  lines.insert(lines.end(), report.not_applicable.begin(), report.not_applicable.end());
  return lines;
}

/// Every base of the fixtures, with what some fixture breaks beside it.
std::vector<WheelFacts> wheels() {
  const Result<Fixtures> fixtures = load_fixtures({});
  REQUIRE(bool(fixtures));
  ReadOptions options;
  options.all_symbols = true;
  std::vector<WheelFacts> all;
  for (const auto& [name, base] : fixtures->bases) {
    const Result<ForgedWheel> wheel = forge_wheel(base, {});
    REQUIRE(bool(wheel));
    all.push_back(read_wheel_bytes(wheel->file_name, wheel->bytes, options));
    all.back().metadata.reset();  // a wheel with findings
  }
  return all;
}

const RuleSet& rules() {
  static const Result<RuleSet> kRules = load_all_rules();
  REQUIRE(bool(kRules));
  return *kRules;
}

}  // namespace

TEST_CASE("the rules of one wheel are asked by several threads", "[audit]") {
  const std::vector<WheelFacts> all = wheels();
  const Expectations expect;
  Context context;
  for (const WheelFacts& other : all) context.wheels.push_back(&other);
  for (const WheelFacts& wheel : all) {
    const std::vector<std::string> alone = told(audit(Subject(wheel, expect, context), rules()));
    CHECK(alone.size() > 3);
    const Subject subject(wheel, expect, context);
    WheelAudit together(subject, rules());
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i) {
        const auto order = i % 2 == 0 ? WheelAudit::Order::forwards : WheelAudit::Order::backwards;
        threads.emplace_back([&together, order] { together.ask(order); });
      }
    }
    CHECK(told(together.report({})) == alone);
  }
}

TEST_CASE("wheels are audited in their order whatever the number of threads", "[audit]") {
  const std::vector<WheelFacts> all = wheels();
  const Expectations expect;
  const Context context;
  const auto reports = [&](unsigned jobs, bool confine) {
    std::vector<std::vector<std::string>> lines;
    for (const WheelReport& report : audit_wheels(
             all, expect, context, rules(), {.require = {}, .jobs = jobs, .confine = confine}))
      lines.push_back(told(report));
    return lines;
  };
  const auto alone = reports(1, false);
  REQUIRE(alone.size() == all.size());
  CHECK(reports(2, false) == alone);
  CHECK(reports(16, true) == alone);
  CHECK(audit_wheels({}, expect, context, rules(), {.require = {}, .jobs = 3}).empty());
}
