#include "fuzz/audit.hpp"

#include "fuzz/targets.hpp"
#include "wheel_audit/forge.hpp"
#include "wheel_audit/selftest.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::fuzz {

const RuleSet& every_rule() {
  static const RuleSet kRules = [] {
    Result<RuleSet> rules = load_all_rules();
    require(bool(rules), "the shipped rules load");
    return std::move(*rules);
  }();
  return kRules;
}

WheelReport audited(const WheelFacts& wheel) {
  const Expectations expect;
  const Context context;
  return audit(Subject(wheel, expect, context), every_rule());
}

void render(WheelReport report) {
  RunReport run;
  run.wheels.push_back(std::move(report));
  run.show_notes = true;
  for (const Rule& rule : every_rule().rules) run.rules.emplace(rule.id, &rule);
  for (const Format& format : formats()) {
    const std::string text = format.render(run);
    for (const char c : text) {
      const bool control = static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
      require(!control && c != 0x7f, "reports hold no control characters");
    }
  }
}

const std::vector<WheelFacts>& sound_wheels() {
  static const std::vector<WheelFacts> kWheels = [] {
    const Result<Fixtures> fixtures = load_fixtures({});
    require(bool(fixtures), "the shipped fixtures load");
    ReadOptions options;
    options.all_symbols = true;
    std::vector<WheelFacts> wheels;
    for (const char* name : {"cuda13", "abi3", "musl", "pure"}) {
      const Result<ForgedWheel> wheel = forge_wheel(fixtures->bases.at(name), {});
      require(bool(wheel), "the bases can be forged");
      wheels.push_back(read_wheel_bytes(wheel->file_name, wheel->bytes, options));
    }
    return wheels;
  }();
  return kWheels;
}

}  // namespace wheel_audit::fuzz
