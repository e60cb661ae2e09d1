// The GPU scanner over containers that do not parse, and over what only looks like one.
#include "catch.hpp"
#include "gpu_containers.hpp"

using namespace made;

TEST_CASE("a magic that is followed by something else is silent") {
  std::string bytes;
  for (const std::uint32_t next : {0x00100000U, 0x00100002U, 0x00180001U, 0xba55ed50U}) {
    put(bytes, 0xba55ed50U, 4);
    put(bytes, next, 4);
    put(bytes, 64, 8);
  }
  bytes += "\x50\xed\x55\xba";  // and one that the end cuts
  CHECK_FALSE(scan(bytes));
  CHECK_FALSE(scan(bytes, 3));
  CHECK_FALSE(scan(std::string(4, 'x') + container({{2, 80}})));
  CHECK(scan(std::string(4, 'x') + container({{2, 80}}), 7, 2)->containers == 1);
  CHECK(scan(std::string(3, 'x') + container({{2, 80}}), 7, 1)->containers == 1);
}

TEST_CASE("machine code that holds a container's header is no container") {
  const std::string bytes = std::string(8, 'x') + container_of(entry({2, 80}), ~0ULL);
  const std::vector<Section> code = {{".text", 1, 6, 0, bytes.size()}};
  const std::vector<Section> data = {{".rodata", 1, 2, 0, bytes.size()}};
  CHECK_FALSE(scan(bytes, 11, 8, code));
  REQUIRE(scan(bytes, 11, 8, data));
  CHECK(scan(bytes, 11, 8, data)->problems.size() == 1);
  // A sound one counts wherever it is.
  REQUIRE(scan(container({{2, 80}}), 11, 8, {{".text", 1, 6, 0, 4096}}));
}

TEST_CASE("a container that does not fit is a problem that says what does not") {
  const std::string good = entry({2, 80});
  const auto problem = [](const std::string& bytes) {
    const auto facts = scan(std::string(8, 'x') + bytes, 11);
    REQUIRE(facts);
    CHECK(facts->containers == 0);
    REQUIRE(facts->problems.size() == 1);
    return facts->problems[0];
  };
  CHECK(problem(container_of(good, good.size() + 1)) ==
        "container at 0x8: its entries have 97 bytes, expected at most 96 up to the member's end");
  CHECK(problem(container_of(good, ~0ULL))
            .starts_with("container at 0x8: its entries have 18446744073709551615 bytes, expected "
                         "at most 96"));
  CHECK(problem(container_of(good, 90)) ==
        "container at 0x8: the entry at 0x18 has 32 payload bytes, expected at most 26");
  CHECK(problem(container_of(good, 60)) ==
        "container at 0x8: 60 bytes are left for the entry at 0x18, expected at least 64");
  std::string short_header = good;
  short_header[4] = 63;
  CHECK(problem(container_of(short_header, good.size())) ==
        "container at 0x8: the entry at 0x18 has a header of 63 bytes, expected 64 to 96");
  std::string long_payload = good;
  long_payload[15] = '\xff';
  CHECK(problem(container_of(long_payload, good.size())).find("expected at most 32") !=
        std::string::npos);
  CHECK(problem(container_of("", 0).substr(0, 12)) ==
        "container at 0x8: its header has 12 bytes, expected 16");
}

TEST_CASE("a member that ends before its size leaves a problem") {
  const std::string bytes = container({{2, 80}, {2, 90}});
  GpuScanner scanner(bytes.size(), 8);
  scanner.feed(ByteView(std::string_view(bytes).substr(0, 100)));
  const auto facts = scanner.finish({});
  REQUIRE(facts);
  CHECK(facts->problems ==
        std::vector<std::string>{
            "container at 0x0: the member ends at 0x64, expected entries up to 0xd0"});
}

TEST_CASE("entries of unknown kind or architecture are named, the others count") {
  const auto facts = scan(container({{2, 80}, {3, 80}, {2, 90}}));
  REQUIRE(facts);
  CHECK(print(*facts) == "sass 8.0 x1/1, sass 9.0 x1/1");
  CHECK(facts->problems == std::vector<std::string>{"container at 0x0: the entry at 0x70 is of "
                                                    "kind 3, expected 1, 2 or 8"});
  CHECK(scan(container({{2, 1000}}))->problems ==
        std::vector<std::string>{
            "container at 0x0: the entry at 0x10 is of architecture 1000, expected 10 to 999"});
}

TEST_CASE("a sound container swallows what begins inside, a broken one does not") {
  const std::string inner = container({{2, 80}});
  const std::string broken = container_of(entry({2, 80}), 90) + std::string(8, 'x');
  const std::string outer = container({{1, 90, 0x11, inner + broken + inner}, {2, 90}});
  for (const std::size_t chunk : {1U, 5U, 16U, 100U, 4096U}) {
    const auto swallowed = scan(outer + inner, chunk);
    REQUIRE(swallowed);
    CHECK(swallowed->containers == 2);
    CHECK(swallowed->problems.empty());
    CHECK(print(*swallowed) == "sass 8.0 x1/1, sass 9.0 x1/1, ptx 9.0 x1/1");

    std::string bad = outer;
    bad[bad.size() - 96 + 8] = 31;  // the last entry ends a byte early
    const auto kept = scan(bad + inner, chunk);
    REQUIRE(kept);
    CHECK(kept->containers == 3);
    CHECK(kept->problems.size() == 2);
    CHECK(print(*kept) == "sass 8.0 x3/3");
  }
}

TEST_CASE("hostile members stay bounded") {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += container_of("", 1ULL << 40U);
  const auto facts = scan(many);
  REQUIRE(facts);
  REQUIRE(facts->problems.size() == 33);
  CHECK(facts->problems.back() == "968 more containers that do not parse");

  // One inside the other, and none known to be sound before its last entry.
  std::string nested;
  for (int i = 0; i < 100; ++i) nested = container({{1, 90, 0x11, nested}, {2, 90}});
  CHECK(scan(nested)->containers == 1);
  CHECK(scan(nested)->problems.empty());
  const auto cut = scan(nested.substr(0, nested.size() - 8));
  CHECK(cut->containers == 1);
  CHECK(cut->problems.size() == 1);

  std::string empty;
  for (int i = 0; i < (1 << 18) + 10; ++i) empty += container({});
  const auto counted = scan(empty);
  CHECK(counted->containers == 1U << 18U);
  CHECK(counted->problems.size() == 10);
}
