// The GPU scanner over forged containers and over what nvcc made.
#include "wheel_audit/gpu.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "catch.hpp"

using namespace wheel_audit;

namespace {

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xffU);
}

struct EntrySpec {
  std::uint16_t kind = 2;
  std::uint32_t arch = 90;
  std::uint64_t flags = 0x2011;  // compressed: the payload is not looked at
  std::string payload = std::string(32, 'p');
  std::uint16_t major = 8;
  std::uint16_t minor = 0;
};

std::string entry(const EntrySpec& spec) {
  std::string out;
  put(out, spec.kind, 2);
  put(out, 0x101, 2);
  put(out, 64, 4);
  put(out, spec.payload.size(), 8);
  put(out, 0, 8);
  put(out, spec.minor, 2);
  put(out, spec.major, 2);
  put(out, spec.arch, 4);
  put(out, 0, 8);
  put(out, spec.flags, 8);
  out.append(16, '\0');
  return out + spec.payload;
}

std::string container_of(const std::string& entries, std::uint64_t size) {
  std::string out;
  put(out, 0xba55ed50U, 4);
  put(out, 1, 2);
  put(out, 16, 2);
  put(out, size, 8);
  return out + entries;
}

std::string container(const std::vector<EntrySpec>& specs) {
  std::string entries;
  for (const EntrySpec& spec : specs) entries += entry(spec);
  return container_of(entries, entries.size());
}

std::optional<GpuFacts> scan(std::string_view bytes, std::size_t chunk = 1 << 16,
                             std::uint64_t alignment = 8, std::vector<Section> sections = {}) {
  GpuScanner scanner(bytes.size(), alignment);
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    scanner.feed(ByteView(bytes.substr(at, chunk)));
  }
  return scanner.finish(sections);
}

/// `sass 9.0a x2/1`: form, arch, entries, containers.
std::string print(const GpuFacts& facts) {
  std::string out;
  for (const GpuCode& code : facts.code) {
    out += fmt::format("{}{} {} x{}/{}", out.empty() ? "" : ", ", code.form, code.arch,
                       code.entries, code.containers);
  }
  return out;
}

std::string read_file(const std::string& name) {
  std::ifstream in(std::string(SOURCE_DIR "/tests/data/") + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a container is found wherever chunks end") {
  const std::string bytes = std::string(24, 'x') +
                            container({{2, 80}, {2, 90, 0x102011}, {1, 90}}) +
                            container({{2, 120, 0x202011}, {8, 90}}) + std::string(5, 'y');
  for (std::size_t chunk = 1; chunk <= bytes.size(); ++chunk) {
    const auto facts = scan(bytes, chunk);
    REQUIRE(facts);
    CHECK(facts->containers == 2);
    CHECK(print(*facts) ==
          "sass 8.0 x1/1, sass 9.0a x1/1, sass 12.0f x1/1, ptx 9.0 x1/1, lto 9.0 x1/1");
    CHECK(facts->problems.empty());
  }
}

TEST_CASE("what nvcc made is read as cuobjdump lists it") {
  const auto code = [](const std::string& name) {
    const auto facts = scan(read_file("gpu/" + name));
    REQUIRE(facts);
    CHECK(facts->problems.empty());
    CHECK(facts->containers + facts->bare_cubins == 1);
    return *facts;
  };
  CHECK(print(code("plain.fatbin")) == "sass 8.0 x1/1, sass 9.0 x1/1, ptx 9.0 x1/1");
  CHECK(print(code("suffixes.fatbin")) ==
        "sass 7.5 x1/1, sass 9.0a x1/1, sass 10.3a x1/1, sass 12.0f x1/1, ptx 10.3a x1/1, "
        "ptx 12.0f x1/1");
  CHECK(print(code("lto.fatbin")) == "lto 9.0 x1/1");
  const GpuFacts stored = code("stored.fatbin");
  CHECK(print(stored) == "sass 8.0 x1/1, ptx 8.0 x1/1");
  CHECK(stored.code[0].bytes == 2984);
  CHECK(stored.code[0].debug_entries == 0);
  CHECK(stored.code[1].newest_ptx_isa == "9.0");
  const GpuFacts debug = code("debug.fatbin");
  CHECK(debug.code[0].debug_entries == 1);
  CHECK(debug.code[1].debug_entries == 1);
}

TEST_CASE("bare cubins count as code, with the toolkit where they say it") {
  const auto facts = scan(read_file("gpu/toolkit-12.8.cubin"));
  REQUIRE(facts);
  CHECK(facts->bare_cubins == 1);
  CHECK(facts->containers == 0);
  CHECK(facts->profiles.empty());
  CHECK(print(*facts) == "sass 9.0a x1/0");
  CHECK(facts->code[0].newest_toolkit == "12.8");
  CHECK(facts->code[0].bytes == read_file("gpu/toolkit-12.8.cubin").size());
  const std::string newer = read_file("gpu/toolkit-13.0.cubin");
  CHECK(print(*scan(std::string(16, 'x') + newer + newer)) == "sass 7.5 x2/0");
  CHECK_FALSE(scan(std::string(4, 'x') + newer));  // not at its alignment
}

TEST_CASE("a stored cubin inside a container is no bare cubin") {
  const std::string cubin = read_file("gpu/toolkit-12.8.cubin");
  const auto facts = scan(container({{2, 90, 0x100011, cubin}, {1, 90}}));
  REQUIRE(facts);
  CHECK(facts->bare_cubins == 0);
  CHECK(print(*facts) == "sass 9.0a x1/1, ptx 9.0 x1/1");
  CHECK(facts->code[0].newest_toolkit == "12.8");
}

TEST_CASE("cubins of CUDA 13 say their toolkit in a note, wherever chunks end") {
  const std::string cubin = read_file("gpu/toolkit-13.0.cubin");
  const std::string both = cubin + std::string(8 - cubin.size() % 8, '\0') +
                           container({{2, 75, 0x11, cubin}, {1, 75}});
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{31}, std::size_t{64}, both.size()}) {
    const auto facts = scan(both, chunk);
    REQUIRE(facts);
    CHECK(facts->bare_cubins == 1);
    CHECK(facts->problems.empty());
    CHECK(print(*facts) == "sass 7.5 x2/1, ptx 7.5 x1/1");
    CHECK(facts->code[0].newest_toolkit == "13.0");
  }
  // Cut before the note: the cubin counts, and does not tell.
  const auto cut = scan(cubin.substr(0, 0x300));
  REQUIRE(cut);
  CHECK(print(*cut) == "sass 7.5 x1/0");
  CHECK(cut->code[0].newest_toolkit.empty());
}

TEST_CASE("places and profiles") {
  const std::string one = container({{2, 80}, {1, 80}, {2, 80}});
  const std::string bytes = one + one + container({}) + container({{2, 90}});
  const auto facts = scan(bytes, 100, 8,
                          {{"", 0, 0, 0, 0},
                           {".bss", 8, 0, 0, bytes.size()},
                           {".b", 1, 0, one.size(), one.size() + 16},
                           {".a", 1, 0, 0, one.size()}});
  REQUIRE(facts);
  CHECK(facts->containers == 4);
  CHECK(facts->places == std::map<std::string, std::uint64_t>{{".a", 1}, {".b", 2}, {"bytes", 1}});
  REQUIRE(facts->profiles.size() == 3);
  CHECK(facts->profiles[0] == GpuProfile{".a", {"sass 8.0", "ptx 8.0"}, 1});
  CHECK(facts->profiles[1] == GpuProfile{".b", {"sass 8.0", "ptx 8.0"}, 1});
  CHECK(facts->profiles[2] == GpuProfile{"bytes", {"sass 9.0"}, 1});
  CHECK(print(*facts) == "sass 8.0 x4/2, sass 9.0 x1/1, ptx 8.0 x2/2");
  CHECK(facts->code[0].bytes == 4 * 32);
}

TEST_CASE("only an empty container: it is there, without code") {
  const auto facts = scan(container({}));
  REQUIRE(facts);
  CHECK(facts->containers == 1);
  CHECK(facts->code.empty());
  CHECK(facts->profiles.empty());
}

TEST_CASE("the newest PTX ISA compares as numbers") {
  const auto facts = scan(container({{1, 90, 0x11, std::string(8, 'p'), 8, 7},
                                     {1, 90, 0x11, std::string(8, 'p'), 10, 0},
                                     {1, 90, 0x11, std::string(8, 'p'), 9, 1}}));
  CHECK(facts->code[0].newest_ptx_isa == "10.0");
}

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
