// Which members of two wheels are one.
#include "diff/match.hpp"

#include <utility>
#include <vector>

#include "catch.hpp"
#include "made_wheels.hpp"

using namespace made;

namespace {

/// The path that a member of the old wheel has in the new one, or empty.
std::string partner(const WheelFacts& before, const WheelFacts& after, const std::string& path) {
  for (const Pair& pair : match_members(before, after)) {
    if (pair.before != nullptr && pair.before->path == path)
      return pair.after == nullptr ? "" : pair.after->path;
  }
  return "not listed";
}

/// Two wheels of one member each.
std::pair<WheelFacts, WheelFacts> wheels_with(const std::string& old, const std::string& fresh) {
  const auto kind = [](const std::string& path) {
    return path.find(".so") == std::string::npos ? MemberKind::text : MemberKind::elf;
  };
  std::pair<WheelFacts, WheelFacts> wheels(wheel_named(kOld), wheel_named(kNew));
  add_member(wheels.first, old, kind(old));
  add_member(wheels.second, fresh, kind(fresh));
  return wheels;
}

}  // namespace

TEST_CASE("members are matched without what versions and tools put into names") {
  const std::vector<std::pair<std::string, std::string>> same = {
      {"demo/a.so", "demo/a.so"},
      {"demo/_C.cpython-311-x86_64-linux-gnu.so", "demo/_C.cpython-312-aarch64-linux-gnu.so"},
      {"demo/_C.cpython-311-x86_64-linux-gnu.so", "demo/_C.abi3.so"},
      {"demo/_C.pypy310-pp73-x86_64-linux-gnu.so", "demo/_C.cpython-313t-x86_64-linux-gnu.so"},
      {"demo-1.0.dist-info/RECORD", "demo-1.1.dist-info/RECORD"},
      {"demo-1.0.data/scripts/run", "demo-1.1.data/scripts/run"},
      {"demo.libs/libz-11aa22bb.so.1.2.11", "demo.libs/libz-99cc88dd.so.1.2.11"},
      {"demo.libs/libz-11aa22bb.so.1.2.11", "demo.libs/libz-99cc88dd.so.1.3.1"},
      {"demo.libs/libopenblas-r0-11aa22bb.3.23.dev.so",
       "demo.libs/libopenblas-r0-99cc88dd.3.29.so"},
      {"demo.libs/libicui18n-70-11aa22bb.so.70.1", "demo.libs/libicui18n-72-99cc88dd.so.72.1"},
      {"demo/lib/libcudart.so.12", "demo/lib/libcudart.so.13"},
      {"demo/lib/libmoved.so", "demo/lib64/libmoved.so"},
  };
  for (const auto& [old, fresh] : same) {
    const auto [before, after] = wheels_with(old, fresh);
    INFO(old << " and " << fresh);
    CHECK(partner(before, after, old) == fresh);
  }
}

TEST_CASE("members that are not one are not matched") {
  const std::vector<std::pair<std::string, std::string>> others = {
      {"demo/liba.so", "demo/libb.so"},
      {"demo/cpu.so", "demo/gpu.so"},
      {"demo/_C.cpython-311-x86_64-linux-gnu.so", "demo/_D.cpython-311-x86_64-linux-gnu.so"},
      {"other-1.0.dist-info/RECORD", "demo-1.1.dist-info/RECORD"},
      {"demo/lib2.so", "demo/lib3.so"},
  };
  for (const auto& [old, fresh] : others) {
    const auto [before, after] = wheels_with(old, fresh);
    INFO(old << " and " << fresh);
    CHECK(partner(before, after, old).empty());
  }
  // A text that moved is another text: only libraries are known by their name alone.
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  add_member(before, "demo/a/__init__.py", MemberKind::text);
  add_member(after, "demo/b/__init__.py", MemberKind::text);
  CHECK(partner(before, after, "demo/a/__init__.py").empty());
}

TEST_CASE("a name that fits several members is matched only where both sides have as many") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  add_member(before, "demo.libs/libz-11aa22bb.so.1");
  add_member(after, "demo.libs/libz-33cc44dd.so.1");
  add_member(after, "demo.libs/libz-55ee66ff.so.1");
  CHECK(partner(before, after, "demo.libs/libz-11aa22bb.so.1").empty());
  CHECK(match_members(before, after).size() == 3);
  add_member(before, "demo.libs/libz-22bb33cc.so.1");
  CHECK(partner(before, after, "demo.libs/libz-11aa22bb.so.1") == "demo.libs/libz-33cc44dd.so.1");
  CHECK(partner(before, after, "demo.libs/libz-22bb33cc.so.1") == "demo.libs/libz-55ee66ff.so.1");
  CHECK(match_members(before, after).size() == 2);
}

TEST_CASE("a renamed distribution's own directories are matched") {
  WheelFacts before = wheel_named("demo_cu12-1.0-cp312-cp312-manylinux_2_28_x86_64.whl");
  WheelFacts after = wheel_named("demo_cu13-1.0-cp312-cp312-manylinux_2_28_x86_64.whl");
  add_member(before, "demo_cu12-1.0.dist-info/METADATA", MemberKind::text);
  add_member(after, "demo_cu13-1.0.dist-info/METADATA", MemberKind::text);
  add_member(before, "demo_cu12.libs/libz-11aa22bb.so.1");
  add_member(after, "demo_cu13.libs/libz-11aa22bb.so.1");
  CHECK(partner(before, after, "demo_cu12-1.0.dist-info/METADATA") ==
        "demo_cu13-1.0.dist-info/METADATA");
  CHECK(partner(before, after, "demo_cu12.libs/libz-11aa22bb.so.1") ==
        "demo_cu13.libs/libz-11aa22bb.so.1");
}
