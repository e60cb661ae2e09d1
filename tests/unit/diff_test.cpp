// Comparison of two wheels' facts made by hand: what changed.
#include "wheel_audit/diff.hpp"

#include <algorithm>

#include "catch.hpp"
#include "made_wheels.hpp"
#include "wheel_audit/quantity.hpp"

using namespace made;

namespace {

using Strings = std::vector<std::string>;

GpuCode code(std::string form, std::string arch, std::uint64_t entries, std::uint64_t containers,
             std::uint64_t bytes) {
  GpuCode made;
  made.form = std::move(form);
  made.arch = std::move(arch);
  made.entries = entries;
  made.containers = containers;
  made.bytes = bytes;
  return made;
}

}  // namespace

TEST_CASE("what changed in a library") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  ElfFacts& old = add_library(before, "demo/liba.so", {"kept", "gone", "v@V1", "w@V1"});
  old.needed = {"libz-11aa22bb.so.1", "libold.so.1", "libc.so.6"};
  old.soname = "liba-11aa22bb.so";
  old.has_rpath = true;
  old.rpath = {"$ORIGIN"};
  old.version_needs = {{"libc.so.6", "GLIBC_2.17", false}, {"libc.so.6", "GLIBC_2.4", false}};
  ElfFacts& fresh = add_library(after, "demo/liba.so", {"kept", "more", "v@V2", "w"});
  fresh.needed = {"libz-99cc88dd.so.1", "libnew.so.1", "libinner.so", "libc.so.6",
                  "ld-linux-x86-64.so.2"};
  fresh.soname = "liba-99cc88dd.so";
  fresh.has_runpath = true;
  fresh.runpath = {"$ORIGIN", "$ORIGIN/lib"};
  fresh.version_needs = {{"libc.so.6", "GLIBC_2.34", false},
                         {"libc.so.6", "GLIBC_2.4", false},
                         {"libc.so.6", "GLIBC_2.38", true}};
  add_library(after, "demo/libinner.so", {"inner"}).soname = "libinner.so";
  before.gpu = {{"demo/liba.so",
                 1,
                 {},
                 0,
                 {code("sass", "8.0", 1, 1, 50), code("ptx", "9.0", 1, 1, 7)},
                 {},
                 {}}};
  after.gpu = {{"demo/liba.so",
                1,
                {},
                0,
                {code("sass", "9.0a", 1, 1, 60), code("ptx", "9.0", 1, 1, 7)},
                {},
                {}}};
  const WheelDiff diff = diff_wheels(before, after);
  REQUIRE(diff.libraries.size() == 2);
  const LibraryDiff& library = diff.libraries[0];
  CHECK(library.path.after == "demo/liba.so");
  CHECK(library.archs.gained == Strings{"sass 9.0a"});
  CHECK(library.archs.lost == Strings{"sass 8.0"});
  CHECK(library.needed.gained == Strings{"ld-linux-x86-64.so.2", "libinner.so", "libnew.so.1"});
  CHECK(library.needed.lost == Strings{"libold.so.1"});
  CHECK(library.new_needs == Strings{"libnew.so.1"});
  CHECK(library.search_path.before == "rpath $ORIGIN");
  CHECK(library.search_path.after == "runpath $ORIGIN:$ORIGIN/lib");
  CHECK(library.versions.gained == Strings{"GLIBC_2.34 (libc.so.6)", "GLIBC_2.38 (libc.so.6)"});
  CHECK(library.versions.lost == Strings{"GLIBC_2.17 (libc.so.6)"});
  CHECK(library.symbols_compared);
  // `w` without a version serves what was linked with w@V1; v@V2 does not serve v@V1.
  CHECK(library.symbols.lost == Strings{"gone", "v@V1"});
  CHECK(library.symbols.gained == Strings{"more", "v@V2"});
  CHECK(diff.libraries[1].path.before.empty());
  CHECK(diff.libraries[1].path.after == "demo/libinner.so");
  CHECK(diff.sides.before.oldest_glibc == "2.17");
  CHECK(diff.sides.after.oldest_glibc == "2.34");  // a weak version need is none
  REQUIRE(diff.code.size() == 2);
  CHECK(diff.code[0].code == "sass 8.0");
  CHECK(diff.code[0].bytes.before == 50);
  CHECK(diff.code[0].bytes.after == 0);
  CHECK(diff.archs.lost == Strings{"sass 8.0"});
}

TEST_CASE("a hash of a repair tool in soname and needs is no change") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  ElfFacts& old = add_library(before, "demo.libs/libz-11aa22bb.so.1", {"inflate"});
  old.soname = "libz-11aa22bb.so.1";
  old.needed = {"libm-11aa22bb.so.6"};
  ElfFacts& fresh = add_library(after, "demo.libs/libz-99cc88dd.so.1", {"inflate"});
  fresh.soname = "libz-99cc88dd.so.1";
  fresh.needed = {"libm-99cc88dd.so.6"};
  const WheelDiff diff = diff_wheels(before, after);
  CHECK(diff.libraries.empty());
  CHECK(diff.libraries_alike == 1);
  CHECK(diff.members_alike == 1);
}

TEST_CASE("a library that is gone loses what no other library of the wheel exports") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  add_library(before, "demo/liba.so", {"a"});
  add_library(before, "demo/libold.so", {"moved", "lost"});
  add_library(after, "demo/liba.so", {"a", "moved"});
  const WheelDiff diff = diff_wheels(before, after);
  const auto gone = std::ranges::find_if(
      diff.libraries, [](const LibraryDiff& library) { return library.path.after.empty(); });
  REQUIRE(gone != diff.libraries.end());
  CHECK(gone->path.before == "demo/libold.so");
  CHECK(gone->symbols.lost == Strings{"lost"});
}

TEST_CASE("requirements are compared by package") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  before.metadata = MetadataFacts{"m",
                                  {{"Requires-Dist", "NumPy>=1"},
                                   {"Requires-Dist", "old"},
                                   {"Requires-Dist", "same; extra == \"x\""},
                                   {"Requires-Python", ">=3.11"}},
                                  false,
                                  {}};
  after.metadata = MetadataFacts{"m",
                                 {{"Requires-Dist", "same; extra == \"x\""},
                                  {"Requires-Dist", "numpy>=2"},
                                  {"Requires-Dist", "new"},
                                  {"Requires-Python", ">=3.12"}},
                                 false,
                                 {}};
  const WheelDiff diff = diff_wheels(before, after);
  REQUIRE(diff.packages.size() == 3);
  CHECK(diff.packages[0].name == "new");
  CHECK(diff.packages[0].texts.before.empty());
  CHECK(diff.packages[1].name == "numpy");
  CHECK(diff.packages[1].texts.before == Strings{"NumPy>=1"});
  CHECK(diff.packages[1].texts.after == Strings{"numpy>=2"});
  CHECK(diff.packages[2].texts.after.empty());
  const auto python = std::ranges::find(diff.properties, "Requires-Python", &PropertyDiff::name);
  REQUIRE(python != diff.properties.end());
  CHECK(python->value.after == ">=3.12");
}

TEST_CASE("members are listed by how much they changed the wheel") {
  WheelFacts before = wheel_named(kOld);
  WheelFacts after = wheel_named(kNew);
  add_member(before, "demo/a.bin", MemberKind::other, 100);
  add_member(before, "demo/b.bin", MemberKind::other, 1000);
  add_member(before, "demo/same.bin", MemberKind::other, 5);
  add_member(after, "demo/a.bin", MemberKind::other, 110);
  add_member(after, "demo/c.bin", MemberKind::other, 400);
  add_member(after, "demo/same.bin", MemberKind::other, 5);
  const WheelDiff diff = diff_wheels(before, after);
  CHECK(diff.members_alike == 1);
  REQUIRE(diff.members.size() == 3);
  CHECK(diff.members[0].path.before == "demo/b.bin");
  CHECK(diff.members[0].path.after.empty());
  CHECK(diff.members[1].path.after == "demo/c.bin");
  CHECK(diff.members[2].size.after == 110);
}

TEST_CASE("sizes have three digits") {
  CHECK(size_text(0) == "0 B");
  CHECK(size_text(999) == "999 B");
  CHECK(size_text(1000) == "1.00 kB");
  CHECK(size_text(9994) == "9.99 kB");
  CHECK(size_text(9995) == "10.0 kB");
  CHECK(size_text(99949) == "99.9 kB");
  CHECK(size_text(99950) == "100 kB");
  CHECK(size_text(999499) == "999 kB");
  CHECK(size_text(999500) == "1.00 MB");
  CHECK(size_text(1234567890) == "1.23 GB");
  CHECK(size_text(UINT64_MAX) == "18.4 EB");
}
