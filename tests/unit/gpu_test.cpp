// The GPU scanner over sound containers, made here and by nvcc.
#include "wheel_audit/gpu.hpp"

#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "gpu_containers.hpp"
#include "scan/gpu_magic.hpp"

using namespace made;

namespace {

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
  const std::string both =
      cubin + std::string(8 - cubin.size() % 8, '\0') + container({{2, 75, 0x11, cubin}, {1, 75}});
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

TEST_CASE("a magic is found at every place of what is looked at at once") {
  const std::string_view magics[] = {{"\x50\xed\x55\xba", 4},
                                     {"\x7f"
                                      "ELF",
                                      4}};
  for (const std::size_t step : {std::size_t{2}, std::size_t{8}}) {
    for (std::size_t place = 0; place < 560; ++place) {
      std::string bytes(600, 'x');
      bytes.replace(place, 4, magics[place / 2 % 2]);
      const auto span = ByteView(std::string_view(bytes)).span();
      const std::size_t found = gpu::skip_to_magic(span, 0, step);
      if (place % step == 0) {
        REQUIRE(found == place);
        REQUIRE(gpu::skip_to_magic(span.first(place + 3), 0, step) == place);
      } else {
        REQUIRE(found + sizeof(std::uint32_t) > bytes.size());
      }
    }
  }
}
