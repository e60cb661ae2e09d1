// Comparison of two wheels' facts made by hand: what changed, what a gate refuses.
#include "wheel_audit/diff.hpp"

#include <algorithm>
#include <memory>

#include "catch.hpp"
#include "made_wheels.hpp"
#include "wheel_audit/quantity.hpp"

using namespace made;

namespace {

/// An exported symbol, `name` or `name@VERSION`.
void add_export(ElfFacts& elf, const std::string& text, bool hidden = false) {
  std::string pool = elf.pool ? *elf.pool : "";
  const std::size_t begin = pool.size();
  pool += text;
  const auto kept = std::make_shared<const std::string>(pool);
  // Views move with the pool.
  for (Symbol& symbol : elf.symbols) {
    const auto moved = [&](std::string_view view) {
      return view.empty()
                 ? view
                 : std::string_view(*kept).substr(
                       static_cast<std::size_t>(view.data() - elf.pool->data()), view.size());
    };
    symbol.name = moved(symbol.name);
    symbol.version = moved(symbol.version);
  }
  elf.pool = kept;
  const std::string_view all = std::string_view(*kept).substr(begin);
  const std::size_t at = all.find('@');
  Symbol symbol;
  symbol.name = all.substr(0, at);
  if (at != std::string_view::npos) symbol.version = all.substr(at + 1);
  symbol.defined = true;
  symbol.type = 2;
  symbol.hidden = hidden;
  elf.symbols.push_back(symbol);
}

ElfFacts& add_library(WheelFacts& wheel, const std::string& path,
                      const std::vector<std::string>& exports = {}) {
  add_member(wheel, path);
  ElfFacts elf;
  elf.path = path;
  elf.machine = "x86_64";
  elf.all_symbols = true;
  for (const std::string& name : exports) add_export(elf, name);
  wheel.elves.push_back(std::move(elf));
  return wheel.elves.back();
}

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
