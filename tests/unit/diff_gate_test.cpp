// What a gate on a comparison refuses, and what it leaves undecided.
#include "catch.hpp"
#include "made_wheels.hpp"
#include "wheel_audit/diff.hpp"

using namespace made;

TEST_CASE("facts without every symbol leave symbols uncompared, and the gate undecided") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  add_library(before, "demo/liba.so", {"gone"});
  add_library(after, "demo/liba.so").all_symbols = false;
  after.elves.front().needed = {"libnew.so"};
  after.members.front().crc32 = 1;
  const WheelDiff diff = diff_wheels(before, after);
  REQUIRE(diff.libraries.size() == 1);
  CHECK_FALSE(diff.libraries[0].symbols_compared);
  CHECK(diff.libraries[0].symbols.lost.empty());
  const DiffReport open = judge(diff, *parse_gate({"lost-symbol"}));
  CHECK(open.failures.empty());
  REQUIRE(open.undecided.size() == 1);
  CHECK(open.undecided[0].find(kNew) != std::string::npos);
  CHECK(open.exit == 3);
  // What the gate did not ask may stay open.
  CHECK(judge(diff, *parse_gate({"lost-arch"})).exit == 0);
  CHECK(judge(diff, *parse_gate({"new-need"})).exit == 1);
  CHECK(judge(diff, *parse_gate({"new-need", "lost-symbol"})).exit == 3);
}

TEST_CASE("uncompared symbols are no likeness, and the same bytes need no comparison") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  add_library(before, "demo/liba.so").all_symbols = false;
  add_library(after, "demo/liba.so").all_symbols = false;
  const WheelDiff same = diff_wheels(before, after);
  CHECK(same.libraries.empty());
  CHECK(same.libraries_alike == 1);
  CHECK(judge(same, *parse_gate({"lost-symbol"})).undecided.empty());
  after.members.front().crc32 = 1;
  const WheelDiff other = diff_wheels(before, after);
  REQUIRE(other.libraries.size() == 1);
  CHECK_FALSE(other.libraries[0].symbols_compared);
  CHECK(other.libraries_alike == 0);
  CHECK(judge(other, *parse_gate({"lost-symbol"})).undecided.size() == 2);
}

TEST_CASE("a gate of words") {
  const Result<DiffGate> gate = parse_gate({"lost-arch", "bigger=2.5%"});
  REQUIRE(gate);
  CHECK(gate->lost_arch);
  CHECK_FALSE(gate->lost_symbol);
  CHECK(gate->bigger == 2.5);
  for (const char* bad : {"bigger", "bigger=", "bigger=10", "bigger=x%", "bigger=-1%",
                          "bigger=nan%", "bigger=inf%", "bigger=10%%", "bigger=10% "}) {
    INFO(bad);
    const Result<DiffGate> refused = parse_gate({bad});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message() ==
          std::string("--fail-on ") + bad + ": expected a share such as bigger=10%");
  }
  CHECK(parse_gate({"lost-archs"}).error().message().ends_with("(did you mean \"lost-arch\"?)"));
  CHECK(parse_gate({"biger=10%"}).error().message().ends_with("(did you mean \"bigger\"?)"));
  CHECK_FALSE(parse_gate({""}));
}

TEST_CASE("a wheel is bigger when it grew by more than the share") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  const DiffGate gate = *parse_gate({"bigger=10%"});
  after.file_size = 1100;
  CHECK(judge(diff_wheels(before, after), gate).exit == 0);
  after.file_size = 1101;
  const DiffReport report = judge(diff_wheels(before, after), gate);
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].message ==
        "the wheel grew by 10.1%, from 1.00 kB to 1.10 kB; at most 10% is allowed");
  CHECK(report.exit == 1);
  before.file_size = 0;
  CHECK(judge(diff_wheels(before, after), gate).exit == 1);
  after.file_size = 0;
  CHECK(judge(diff_wheels(before, after), gate).exit == 0);
}

TEST_CASE("what is unread on either side makes a comparison incomplete, digests aside") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  before.unread = {{std::nullopt, "digests were not computed (--no-hash)", "digest"}};
  CHECK(judge(diff_wheels(before, after), {}).exit == 0);
  after.unread = {{"demo/a.so", "is cut", "elf"}};
  CHECK(judge(diff_wheels(before, after), {}).exit == 3);
  after.file_size = 5000;
  CHECK(judge(diff_wheels(before, after), *parse_gate({"bigger=1%"})).exit == 3);
}
