// Where the guess of tables ends: at relocations.
#include "scan/range_guess.hpp"

#include <string>
#include <string_view>

#include "catch.hpp"
#include "elf_files.hpp"
#include "streamed.hpp"

using namespace wheel_audit;

namespace {

/// Relocations of one type (R_X86_64_RELATIVE by default) for addresses from `first` on.
std::string relocations(std::size_t count, std::uint64_t first = 0x10000, std::uint64_t info = 8) {
  std::string bytes(count * 24, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    put(bytes, i * 24, 8, first + i * 8);
    put(bytes, i * 24 + 8, 8, info);
    put(bytes, i * 24 + 16, 8, 0x1234 + i);
  }
  return bytes;
}

bool ends_in_relocations(const std::string& bytes) {
  return elf_reader::ends_in_relocations(ByteView(std::string_view(bytes)));
}

}  // namespace

TEST_CASE("relocations are known wherever their entries begin") {
  const std::string entries = relocations(100);
  CHECK(ends_in_relocations(entries));
  CHECK(ends_in_relocations(filler(1000) + entries));
  CHECK(ends_in_relocations(entries.substr(0, entries.size() - 8)));
  CHECK(ends_in_relocations(entries.substr(0, entries.size() - 16)));
  CHECK(ends_in_relocations(relocations(100, 0x10000, 1027)));  // R_AARCH64_RELATIVE
  CHECK_FALSE(ends_in_relocations(relocations(64)));            // too few to know
  CHECK_FALSE(ends_in_relocations(entries + filler(24)));
  CHECK_FALSE(ends_in_relocations(relocations(100, 0x10000, 0)));
  CHECK_FALSE(ends_in_relocations(relocations(100, 0x10000, (1ULL << 32U) | 6U)));  // of a symbol
  CHECK_FALSE(ends_in_relocations(relocations(50, 0x90000) + relocations(50)));
  CHECK_FALSE(ends_in_relocations(std::string(4096, '\0')));
  CHECK_FALSE(ends_in_relocations(""));
  // Symbols of one size whose addresses follow each other are no such entries.
  std::string symbols = relocations(100);
  for (std::size_t i = 0; i < 100; ++i) put(symbols, i * 24 + 16, 8, 0x000c001200000001 + i);
  CHECK_FALSE(ends_in_relocations(symbols));
}

TEST_CASE("the guess at the beginning ends with the tables before relocations") {
  const std::string image = filler(2U << 20U) + relocations(200'000) + filler(80U << 20U);
  const std::size_t end = (2U << 20U) + 200'000 * 24;
  for (const std::size_t chunk : {std::size_t{65536}, std::size_t{1} << 18U}) {
    RangeKeeper keeper(image.size());
    stream(keeper, image, chunk);
    CHECK(keeper.peek(0, 2U << 20U).has_value());
    CHECK(keeper.peek(image.size() - 1000, 1000).has_value());
    CHECK(keeper.kept() < end);
    // What is wanted of the rest takes another pass.
    CHECK_FALSE(keeper.at(end + 1000, 1000).has_value());
    keeper.rewind();
    stream(keeper, image, chunk);
    const auto bytes = keeper.at(end + 1000, 1000);
    REQUIRE(bytes);
    CHECK(bytes->text() == std::string_view(image).substr(end + 1000, 1000));
  }
}
