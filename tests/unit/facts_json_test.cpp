// Facts survive the way to JSON text and back.
#include "wheel_audit/facts_json.hpp"

#include <functional>

#include "catch.hpp"
#include "full_facts.hpp"

using namespace wheel_audit;

namespace {

/// The way that `inspect` and `check --facts` take.
WheelFacts there_and_back(const WheelFacts& wheel) {
  const Result<Json> json = Json::parse(facts_to_json(wheel).dump());
  REQUIRE(json);
  Result<WheelFacts> facts = facts_from_json(*json);
  INFO((facts ? "" : facts.error().message()));
  REQUIRE(facts);
  return std::move(*facts);
}

}  // namespace

TEST_CASE("facts survive JSON text, every field of them") {
  const WheelFacts wheel = full_wheel();
  const WheelFacts back = there_and_back(wheel);
  CHECK(facts_to_json(back).dump(1) == facts_to_json(wheel).dump(1));
  CHECK(back.given == wheel.given);
  CHECK(back.file_name == wheel.file_name);
  CHECK(back.file_size == wheel.file_size);
  CHECK(back.file_sha256 == wheel.file_sha256);
  CHECK(back.name == wheel.name);
  CHECK(back.name_problem == wheel.name_problem);
  CHECK(back.dist_infos == wheel.dist_infos);
  CHECK(back.metadata == wheel.metadata);
  CHECK(back.wheel == wheel.wheel);
  CHECK(back.record == wheel.record);
  CHECK(back.entry_points == wheel.entry_points);
  CHECK(back.entry_point_problems == wheel.entry_point_problems);
  CHECK(back.variant_properties == wheel.variant_properties);
  CHECK(back.variant_problem == wheel.variant_problem);
  CHECK(back.claim == wheel.claim);
  CHECK(back.archive_problems == wheel.archive_problems);
  CHECK(back.members == wheel.members);
  CHECK(back.gpu == wheel.gpu);
  CHECK(back.objects == wheel.objects);
  CHECK(back.headers == wheel.headers);
  CHECK(back.cmake == wheel.cmake);
  CHECK(back.unread == wheel.unread);
}

TEST_CASE("ELF facts survive JSON text, every field of them") {
  const ElfFacts elf = full_elf();
  WheelFacts wheel;
  wheel.elves = {elf};
  const WheelFacts kept = there_and_back(wheel);
  const ElfFacts& back = kept.elves.front();
  CHECK(back.path == elf.path);
  CHECK(back.bits == 32);
  CHECK(back.big_endian);
  CHECK(back.machine_code == 65535);
  CHECK(back.machine == elf.machine);
  CHECK(back.os_abi == 255);
  CHECK(back.flags == elf.flags);
  CHECK(back.type == elf.type);
  CHECK(back.dynamic);
  CHECK(back.soname == elf.soname);
  CHECK(back.needed == elf.needed);
  CHECK(back.has_rpath);
  CHECK(back.rpath == elf.rpath);
  CHECK(back.has_runpath);
  CHECK(back.runpath == elf.runpath);
  CHECK(back.version_needs == elf.version_needs);
  CHECK(back.defines_versions == elf.defines_versions);
  CHECK(back.stack == Stack::rwx);
  CHECK(back.text_relocations);
  CHECK(back.bind_now);
  CHECK(back.relro);
  CHECK(back.static_tls);
  CHECK(back.packed_relocations);
  CHECK(back.interpreter == "");
  CHECK(back.build_id == elf.build_id);
  CHECK(back.isa_needed == elf.isa_needed);
  CHECK(back.segments == elf.segments);
  CHECK(back.section_headers);
  CHECK(back.sections == elf.sections);
  CHECK(back.symtab);
  CHECK(back.symtab_bytes == 11);
  CHECK(back.debug);
  CHECK(back.debug_bytes == 12);
  CHECK(back.exports == 13);
  CHECK(back.imports == 14);
  CHECK(back.all_symbols);
}

TEST_CASE("symbols come back in order, over a pool of their own") {
  WheelFacts wheel;
  wheel.elves = {full_elf()};
  const std::vector<Symbol> symbols = wheel.elves[0].symbols;
  const WheelFacts back = there_and_back(wheel);
  const ElfFacts& elf = back.elves.front();
  REQUIRE(elf.symbols.size() == symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    CHECK(elf.symbols[i].name == symbols[i].name);
    CHECK(elf.symbols[i].version == symbols[i].version);
    CHECK(elf.symbols[i].library == symbols[i].library);
    CHECK(elf.symbols[i].binding == symbols[i].binding);
    CHECK(elf.symbols[i].type == symbols[i].type);
    CHECK(elf.symbols[i].defined == symbols[i].defined);
    CHECK(elf.symbols[i].hidden == symbols[i].hidden);
    const std::less_equal<const char*> before;
    CHECK(before(elf.pool->data(), elf.symbols[i].name.data()));
    CHECK(before(elf.symbols[i].name.data() + elf.symbols[i].name.size(),
                 elf.pool->data() + elf.pool->size()));
  }
  CHECK(elf.module_entry() == "PyInit_x");
}

TEST_CASE("nothing stays nothing") {
  const WheelFacts back = there_and_back({});
  CHECK(facts_to_json(back).dump() == facts_to_json({}).dump());
  CHECK_FALSE(back.name);
  CHECK_FALSE(back.metadata);
  CHECK_FALSE(back.wheel);
  CHECK_FALSE(back.record);
  CHECK(back.claim == Claim{});
  WheelFacts wheel;
  wheel.elves.emplace_back();
  const ElfFacts elf = there_and_back(wheel).elves.front();
  CHECK_FALSE(elf.has_rpath);
  CHECK_FALSE(elf.has_runpath);
  CHECK_FALSE(elf.interpreter);
  CHECK(elf.stack == Stack::absent);
}

TEST_CASE("the settled keys have their settled shapes") {
  const Json json = facts_to_json(full_wheel());
  CHECK(json["schema"] == Json("wheel-audit.facts/1"));
  CHECK(json["name"].dump() ==
        R"({"distribution":"x","version":"1.0","build":"7_b","python":["cp312","py3"],)"
        R"("abi":["cp312"],"platform":["linux_x86_64"],"variant":"cu130_abcd"})");
  CHECK(json["metadata"]["requires_dist"].dump() == R"(["a","b; extra == 'c'"])");
  CHECK(json["metadata"]["requires_python"] == Json(">=3.9"));
  CHECK(json["wheel"]["root_is_purelib"] == Json(false));
  CHECK(json["claim"].dump() ==
        R"({"accelerator":"cuda","train":"cu130","major":13,"from":"local version"})");
  CHECK(json["members"].items()[0]["crc32"] == Json("0a0b0c0d"));
  const Json& elf = json["elf"].items()[0];
  CHECK(elf["class"] == Json(32));
  CHECK(elf["needs_versions"].dump() ==
        R"({"libz.so":["Z_2"],"libc.so.6":["GLIBC_2.17","GLIBC_2.4"]})");
  CHECK(elf["weak_versions"].dump() == R"({"libc.so.6":["GLIBC_2.4"]})");
  CHECK(elf["rpath"].dump() == R"([""])");
  CHECK(elf["stack"] == Json("rwx"));
  CHECK(json["elf"].items()[1]["stack"].is_null());
  CHECK(json["elf"].items()[1]["soname"].is_null());
  CHECK(json["gpu"].items()[0]["places"].dump() == R"({".nv_fatbin":2,"bytes":1})");
}

TEST_CASE("a search path that is there without entries is one empty entry") {
  WheelFacts wheel;
  wheel.elves.emplace_back();
  wheel.elves[0].has_runpath = true;
  const ElfFacts elf = there_and_back(wheel).elves.front();
  CHECK(elf.has_runpath);
  CHECK(elf.runpath == std::vector<std::string>{""});
  CHECK_FALSE(elf.has_rpath);
}

TEST_CASE("names that are not UTF-8 never make a key stand twice") {
  WheelFacts wheel;
  wheel.elves.emplace_back();
  wheel.elves[0].version_needs = {{"lib\xff", "A", false}, {"lib\\xff", "B", false}};
  wheel.gpu.emplace_back();
  wheel.gpu[0].places = {{"\xff", 1}, {"\\xff", 2}};
  wheel.record.emplace();
  wheel.record->other_digests = {{"\xff", "a"}, {"\\xff", "a"}};
  const WheelFacts back = there_and_back(wheel);
  CHECK(back.elves[0].version_needs ==
        std::vector<VersionNeed>{{"lib\\xff", "A", false}, {"lib\\xff", "B", false}});
  CHECK(back.gpu[0].places == std::map<std::string, std::uint64_t>{{"\\xff", 3}});
}

TEST_CASE("large facts come back whole") {
  WheelFacts wheel;
  wheel.elves.emplace_back();
  auto pool = std::make_shared<std::string>();
  for (int i = 0; i < 100000; ++i) *pool += std::to_string(100000 + i);
  for (std::size_t i = 0; i < 100000; ++i) {
    const std::string_view name = std::string_view(*pool).substr(6 * i, 6);
    wheel.elves[0].symbols.push_back({name, {}, {}, Binding::global, 2, true, false});
    if (i % 3 == 0) continue;
    MemberFacts member;
    member.path = "x/" + std::string(name);
    wheel.members.push_back(std::move(member));
  }
  wheel.elves[0].pool = pool;
  const WheelFacts back = there_and_back(wheel);
  REQUIRE(back.elves[0].symbols.size() == 100000);
  CHECK(back.elves[0].symbols.back().name == "199999");
  CHECK(back.members == wheel.members);
}
