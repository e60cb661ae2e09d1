// The range keeper: what one pass provides, what takes another, and how much is held.
#include <algorithm>
#include <memory>
#include <string>

#include "catch.hpp"
#include "elf_files.hpp"
#include "scan/section_names.hpp"
#include "streamed.hpp"
#include "wheel_audit/scan.hpp"

using namespace wheel_audit;

namespace {

/// Streams until nothing is missed; the number of passes, or 0 when four are not enough.
int passes_for(RangeKeeper& keeper, const std::string& image, std::size_t chunk = 65536) {
  for (int pass = 1; pass <= 4; ++pass) {
    stream(keeper, image, chunk);
    static_cast<void>(read_elf(keeper));
    if (keeper.misses().empty()) return pass;
    keeper.rewind();
  }
  return 0;
}

/// Appends `gap` bytes of no use, then a segment, for which PT_GNU_STACK gives its program header.
void append_segment(std::string& image, std::size_t gap, std::uint64_t address,
                    const std::string& bytes, std::uint64_t flags) {
  const std::size_t header = program_header(image, 0x6474e551);
  REQUIRE(header != 0);
  image += filler(gap);
  image.resize((image.size() + 4095) / 4096 * 4096);
  put(image, header, 4, 1);
  put(image, header + 4, 4, flags);
  put(image, header + 8, 8, image.size());
  put(image, header + 16, 8, address);
  put(image, header + 32, 8, bytes.size());
  put(image, header + 40, 8, bytes.size());
  image += bytes;
}

/// Moves section names and headers to the end, with bytes of no use before and behind the names.
void move_sections(std::string& image, std::size_t before, std::size_t behind) {
  const std::size_t sections = number(image, 40, 8);
  const std::size_t names = sections + 64 * number(image, 62, 2);
  const std::string text = image.substr(number(image, names + 24, 8), number(image, names + 32, 8));
  std::string headers = image.substr(sections);
  image += filler(before);
  put(headers, names - sections + 24, 8, image.size());
  image += text + filler(behind);
  put(image, 40, 8, image.size());
  image += headers;
}

bool same_facts(RangeKeeper& keeper, const std::string& image) {
  WholeMember member{ByteView(std::string_view(image))};
  const Result<ElfFacts> expected = read_elf(member);
  const Result<ElfFacts> facts = read_elf(keeper);
  if (!expected || !facts) return false;
  const auto name = [](const Symbol& symbol) { return symbol.name; };
  return expected->needed == facts->needed && expected->soname == facts->soname &&
         expected->exports == facts->exports && expected->imports == facts->imports &&
         expected->defines_versions == facts->defines_versions &&
         expected->sections == facts->sections && expected->version_needs == facts->version_needs &&
         expected->build_id == facts->build_id &&
         std::ranges::equal(expected->symbols, facts->symbols, {}, name, name);
}

}  // namespace

TEST_CASE("a small member is kept whole") {
  const std::string image = filler(100000);
  RangeKeeper keeper(image.size());
  stream(keeper, image, 777);
  CHECK(keeper.kept() == image.size());
  const auto bytes = keeper.at(770, 20000);
  REQUIRE(bytes);
  CHECK(bytes->text() == std::string_view(image).substr(770, 20000));
  CHECK(keeper.at(image.size(), 0).has_value());
  CHECK_FALSE(keeper.at(image.size(), 1));
  CHECK_FALSE(keeper.at(~0ULL, 2));
  CHECK(keeper.misses().empty());
}

TEST_CASE("misses are noted once, merged, and there after the next pass") {
  const std::string image = filler(32U << 20U);
  RangeKeeper keeper(image.size());
  stream(keeper, image, 1U << 20U);
  CHECK(keeper.kept() <= 24U << 20U);
  const std::uint64_t middle = 20U << 20U;
  CHECK_FALSE(keeper.peek(middle, 100));
  CHECK(keeper.misses().empty());
  CHECK_FALSE(keeper.at(middle, 100));
  CHECK_FALSE(keeper.at(middle, 100));
  CHECK_FALSE(keeper.at(middle + 100, 5000000));
  CHECK(keeper.misses() == std::vector<Range>{{middle, 100}, {middle + 100, 5000000}});
  const std::uint64_t before = keeper.kept();
  keeper.rewind();
  CHECK(keeper.misses().empty());
  stream(keeper, image, 65521);
  // What was guessed and not asked for is let go: the header stays beside what was missed.
  CHECK(keeper.kept() == 64 + 5000100);
  CHECK(keeper.kept() < before);
  const auto bytes = keeper.at(middle + 50, 4999000);
  REQUIRE(bytes);
  CHECK(bytes->text() == std::string_view(image).substr(middle + 50, 4999000));
}

TEST_CASE("one pass serves a library as it was linked") {
  const std::string image = loaded_library("/libstdc++.so.6");
  REQUIRE(image.size() > 1U << 20U);
  for (const std::size_t chunk : {std::size_t{4096}, std::size_t{65536}, image.size()}) {
    RangeKeeper keeper(image.size());
    CHECK(passes_for(keeper, image, chunk) == 1);
    CHECK(same_facts(keeper, image));
  }
}

TEST_CASE("a large library takes one pass and little memory") {
  std::string image = loaded_library("/libc.so.6");
  // Something large that no table is in, between the library and its section headers.
  move_sections(image, 60U << 20U, 0);
  RangeKeeper keeper(image.size());
  CHECK(passes_for(keeper, image) == 1);
  CHECK(same_facts(keeper, image));
  CHECK(keeper.kept() <= 24U << 20U);
}

TEST_CASE("tables that moved to the end are kept as they come") {
  // The string table and the program headers move behind 40 MiB, as patchelf does it; PT_GNU_STACK
  // becomes the segment that maps the strings.
  std::string image = loaded_library("/libc.so.6");
  const std::size_t place = dynamic_value(image, 5);
  const std::size_t size = number(image, dynamic_value(image, 10), 8);
  const std::string strings = image.substr(file_offset(image, number(image, place, 8)), size);
  const std::uint64_t address = 1ULL << 40U;
  put(image, place, 8, address);
  append_segment(image, 40U << 20U, address, strings, 6);
  image += filler(3U << 20U);
  {
    RangeKeeper keeper(image.size());
    CHECK(passes_for(keeper, image) == 1);
    CHECK(same_facts(keeper, image));
  }
  const std::size_t start = number(image, 32, 8);
  const std::string programs = image.substr(start, 56 * number(image, 56, 2));
  put(image, 32, 8, image.size());
  image += programs;
  image += filler(3U << 20U);
  {
    // The old ones are where they were, as BOLT leaves them.
    RangeKeeper keeper(image.size());
    CHECK(passes_for(keeper, image) == 1);
    CHECK(same_facts(keeper, image));
  }
  image.replace(start, programs.size(), programs.size(), '\0');
  RangeKeeper keeper(image.size());
  CHECK(passes_for(keeper, image) == 2);
  CHECK(same_facts(keeper, image));
}

TEST_CASE("a dynamic section before moved program headers takes no third pass") {
  // It is found in the second one, and what was guessed of its tables is still there.
  std::string image = loaded_library("/libc.so.6");
  const std::size_t dynamic = program_header(image, 2);
  const std::size_t place = number(image, dynamic + 8, 8);
  const std::string entries = image.substr(place, number(image, dynamic + 32, 8));
  append_segment(image, 40U << 20U, 1ULL << 40U, entries, 6);
  put(image, dynamic + 8, 8, image.size() - entries.size());
  put(image, dynamic + 16, 8, 1ULL << 40U);
  put(image, dynamic + 24, 8, 1ULL << 40U);
  image += filler(40U << 20U);
  const std::size_t start = number(image, 32, 8);
  const std::string programs = image.substr(start, 56 * number(image, 56, 2));
  put(image, 32, 8, image.size());
  image.replace(start, programs.size(), programs.size(), '\0');
  image += programs;
  image += filler(3U << 20U);
  RangeKeeper keeper(image.size());
  CHECK(passes_for(keeper, image) == 2);
  CHECK(same_facts(keeper, image));
}

TEST_CASE("section names before an appended segment are kept as they come") {
  // As in what auditwheel repaired: names, a large .strtab, headers, and a segment behind them all.
  std::string image = loaded_library("/libc.so.6");
  move_sections(image, 40U << 20U, 3U << 20U);
  append_segment(image, 0, 1ULL << 40U, filler(100000), 6);
  RangeKeeper keeper(image.size());
  CHECK(passes_for(keeper, image) == 1);
  CHECK(same_facts(keeper, image));
}

TEST_CASE("tables behind the code are kept as they come") {
  // Some linkers put the code first, and the tables where the constants begin: here ten megabytes.
  std::string image = loaded_library("/libc.so.6");
  const std::size_t first = program_header(image, 1);
  const std::string tables = image.substr(0, number(image, first + 32, 8));
  put(image, first + 4, 4, 5);
  const std::uint64_t address = 1ULL << 40U;
  for (const std::uint64_t tag : {0x5U, 0x6U, 0x6ffffef5U, 0x6ffffff0U, 0x6ffffffcU, 0x6ffffffeU}) {
    const std::size_t place = dynamic_value(image, tag);
    REQUIRE(place != 0);
    put(image, place, 8, number(image, place, 8) + address);
  }
  append_segment(image, 40U << 20U, address, tables + filler(10U << 20U), 4);
  image += filler(3U << 20U);
  RangeKeeper keeper(image.size());
  CHECK(passes_for(keeper, image) == 1);
  CHECK(same_facts(keeper, image));
}

TEST_CASE("what is kept can outlive the keeper, where it is most of a block") {
  const std::string image = filler(100000);
  std::shared_ptr<const std::string> shared;
  std::string_view bytes;
  {
    RangeKeeper keeper(image.size());
    stream(keeper, image, 777);
    CHECK(keeper.share(*keeper.at(0, 40000)) == nullptr);
    CHECK(keeper.share(ByteView(std::string_view(image))) == nullptr);
    const ByteView most = *keeper.at(10, 60000);
    bytes = most.text();
    shared = keeper.share(most);
  }
  REQUIRE(shared);
  CHECK(std::string_view(*shared).substr(10, 60000).data() == bytes.data());
  CHECK(bytes == std::string_view(image).substr(10, 60000));
}

TEST_CASE("the section names' own name is found wherever it begins") {
  const std::string name = ".shstrtab";
  for (std::size_t before = 0; before < 300; ++before) {
    for (const std::size_t after : {0U, 1U, 2U, 127U, 128U, 129U, 300U}) {
      std::string bytes;
      while (bytes.size() < before) bytes += ".sh.s.shstrta";
      bytes.resize(before);
      const std::string other = bytes + std::string(after, '.');
      REQUIRE(find_own_name(bytes + name + std::string(after, '.')) == before);
      REQUIRE(find_own_name(other) == std::string::npos);
    }
  }
}
