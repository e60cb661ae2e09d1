// Every truncation of a small wheel, and of an ELF file inside one: never clean, never a crash.
#include <fmt/format.h>

#include <algorithm>

#include "catch.hpp"
#include "wheel_audit/audit.hpp"
#include "wheel_audit/forge.hpp"
#include "wheel_audit/report.hpp"
#include "wheel_audit/selftest.hpp"
#include "wheel_audit/subject.hpp"
#include "wheel_audit/wheel.hpp"

using namespace wheel_audit;

namespace {

constexpr const char* kExtension = "demo/_C.cpython-312-x86_64-linux-gnu.so";

const RuleSet& default_rules() {
  static const RuleSet rules = *load_rules(Selection());
  return rules;
}

/// The native base with this many bytes of its extension left; all of it for a negative number.
ForgedWheel native_wheel(std::int64_t left) {
  static const Json base = load_fixtures({})->bases.at("native");
  Json recipe = base;
  if (left >= 0) {
    const std::string change =
        fmt::format(R"({{"files": {{"{}": {{"truncate": {}}}}}}})", kExtension, left);
    recipe.merge_patch(*Json::parse(change));
  }
  Result<ForgedWheel> wheel = forge_wheel(recipe, "");
  REQUIRE(wheel);
  return std::move(*wheel);
}

int exit_code(const WheelFacts& facts) {
  const Expectations expect;
  const Context context;
  RunReport run;
  run.wheels.push_back(audit(Subject(facts, expect, context), default_rules()));
  return summarize(run).exit;
}

}  // namespace

TEST_CASE("every truncation of a wheel is incomplete", "[truncation]") {
  const ForgedWheel whole = native_wheel(-1);
  REQUIRE(exit_code(read_wheel_bytes(whole.file_name, whole.bytes, {})) == 0);
  std::vector<std::size_t> wrong;
  for (std::size_t left = 0; left < whole.bytes.size(); ++left) {
    const auto end = whole.bytes.begin() + static_cast<std::ptrdiff_t>(left);
    const WheelFacts facts =
        read_wheel_bytes(whole.file_name, std::vector(whole.bytes.begin(), end), {});
    if (facts.unread.empty() || exit_code(facts) != 3) wrong.push_back(left);
  }
  CHECK(wrong == std::vector<std::size_t>{});
}

TEST_CASE("every truncation of an extension is seen", "[truncation]") {
  const ForgedWheel whole = native_wheel(-1);
  const WheelFacts sound = read_wheel_bytes(whole.file_name, whole.bytes, {});
  std::uint64_t size = 0;
  for (const MemberFacts& member : sound.members) {
    if (member.path == kExtension) size = member.size;
  }
  REQUIRE(size > 1000);
  std::vector<std::uint64_t> wrong;
  for (std::uint64_t left = 0; left < size; ++left) {
    const ForgedWheel cut = native_wheel(static_cast<std::int64_t>(left));
    const WheelFacts facts = read_wheel_bytes(cut.file_name, cut.bytes, {});
    if (exit_code(facts) == 0) wrong.push_back(left);
  }
  CHECK(wrong == std::vector<std::uint64_t>{});
}
