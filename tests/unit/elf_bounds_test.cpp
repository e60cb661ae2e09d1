// Bounds of the ELF reader that no real file reaches: what is beyond them is unread, not passed
// over.
#include "catch.hpp"
#include "wheel_audit/elf.hpp"

using namespace wheel_audit;

namespace {

constexpr std::size_t kHeader = 64;
constexpr std::size_t kProgramHeader = 56;
constexpr std::size_t kSectionHeader = 64;

void put(std::string& image, std::size_t offset, std::uint64_t value, std::size_t width) {
  if (image.size() < offset + width) image.resize(offset + width, '\0');
  for (std::size_t i = 0; i < width; ++i) image[offset + i] = static_cast<char>(value >> (8 * i));
}

/// The header of a 64-bit x86-64 program, which may do without a dynamic section.
std::string program() {
  std::string image(
      "\x7f"
      "ELF\2\1\1",
      7);
  put(image, 16, 2, 2);   // e_type: ET_EXEC
  put(image, 18, 62, 2);  // e_machine: EM_X86_64
  put(image, 20, 1, 4);
  put(image, 52, kHeader, 2);
  put(image, 54, kProgramHeader, 2);
  put(image, 58, kSectionHeader, 2);
  image.resize(kHeader, '\0');
  return image;
}

/// A program with so many note segments of `size` bytes, which follow its headers.
std::string with_notes(std::size_t count, std::uint64_t size) {
  std::string image = program();
  put(image, 32, kHeader, 8);  // e_phoff
  put(image, 56, count, 2);
  const std::size_t notes = kHeader + count * kProgramHeader;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = kHeader + i * kProgramHeader;
    put(image, at, 4, 4);  // PT_NOTE
    put(image, at + 8, notes, 8);
    put(image, at + 32, size, 8);
    put(image, at + 48, 4, 8);
  }
  image.resize(notes + static_cast<std::size_t>(size), '\0');
  return image;
}

std::string refusal(const std::string& image) {
  WholeMember member{ByteView(std::string_view(image))};
  const Result<ElfFacts> facts = read_elf(member);
  return facts ? "" : facts.error().message();
}

}  // namespace

TEST_CASE("segments of notes are read up to a number and a size") {
  CHECK(refusal(with_notes(64, 16)).empty());
  CHECK(refusal(with_notes(65, 16)) ==
        "it has more than 64 segments of notes, the most that are read");
  CHECK(refusal(with_notes(1, 1 << 20)).empty());
  CHECK(refusal(with_notes(1, (1 << 20) + 4)) ==
        "a segment of notes has 1048580 bytes, and up to 1048576 are read");
  // Loaders pass over notes outside the file, however many and large.
  std::string outside = with_notes(1, 16);
  put(outside, kHeader + 32, 1 << 30, 8);
  CHECK(refusal(outside).empty());
}

TEST_CASE("names of sections are read up to a size") {
  constexpr std::uint64_t kMost = 64ULL << 20U;
  for (const std::uint64_t size : {kMost, kMost + 1}) {
    std::string image = program();
    put(image, 40, kHeader, 8);  // e_shoff
    put(image, 60, 2, 2);
    put(image, 62, 1, 2);  // e_shstrndx
    const std::size_t names = kHeader + 2 * kSectionHeader;
    const std::size_t at = kHeader + kSectionHeader;
    put(image, at + 4, 3, 4);  // SHT_STRTAB
    put(image, at + 24, names, 8);
    put(image, at + 32, size, 8);
    image.resize(names + static_cast<std::size_t>(size), '\0');
    CHECK(refusal(image) ==
          (size == kMost
               ? ""
               : "the names of its sections have 67108865 bytes, and up to 67108864 are read"));
  }
}

TEST_CASE("section headers are read up to a size") {
  constexpr std::size_t kMost = (16U << 20U) / kSectionHeader;
  for (const std::size_t count : {kMost, kMost + 1}) {
    std::string image = program();
    put(image, 40, kHeader, 8);  // e_shoff; the count stands in header 0
    put(image, kHeader + 32, count, 8);
    image.resize(kHeader + count * kSectionHeader, '\0');
    CHECK(refusal(image) ==
          (count == kMost
               ? ""
               : "its 262145 section headers are over 16777216 bytes, the most that are read"));
  }
}

TEST_CASE("symbols that no table counts are looked through up to a size") {
  constexpr std::size_t kSymbol = 24;
  constexpr std::size_t kMost = (16U << 20U) / kSymbol;
  for (const std::size_t count : {kMost - 1, kMost}) {
    std::string image = program();
    put(image, 32, kHeader, 8);  // e_phoff
    put(image, 56, 2, 2);
    const std::size_t dynamic = kHeader + 2 * kProgramHeader;
    const std::size_t strings = dynamic + 5 * 16;
    const std::size_t symbols = strings + 16;
    const std::size_t size = symbols + (kMost + 8) * kSymbol;
    const std::uint64_t headers[2][3] = {{1, 0, size},
                                         {2, dynamic, 5 * 16}};  // PT_LOAD, PT_DYNAMIC
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t at = kHeader + i * kProgramHeader;
      put(image, at, headers[i][0], 4);
      for (const std::size_t field : {8U, 16U}) put(image, at + field, headers[i][1], 8);
      for (const std::size_t field : {32U, 40U}) put(image, at + field, headers[i][2], 8);
    }
    // DT_STRTAB, DT_STRSZ, DT_SYMTAB, DT_SYMENT
    const std::uint64_t entries[4][2] = {{5, strings}, {10, 16}, {6, symbols}, {11, kSymbol}};
    for (std::size_t i = 0; i < 4; ++i) {
      put(image, dynamic + 16 * i, entries[i][0], 8);
      put(image, dynamic + 16 * i + 8, entries[i][1], 8);
    }
    image.resize(size, '\0');
    image.replace(strings, 3, std::string("\0f\0", 3));
    for (std::size_t i = 1; i < count; ++i) image[symbols + i * kSymbol + 4] = 0x12;  // st_info
    CHECK(refusal(image) ==
          (count == kMost - 1
               ? ""
               : "no table tells how many symbols it has, and the 16777216 bytes that "
                 "are looked through end in one"));
  }
}
