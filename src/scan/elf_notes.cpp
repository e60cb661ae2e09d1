// Notes in PT_NOTE and PT_GNU_PROPERTY: the build id and the instruction set that code needs.
// Loaders pass over notes that do not parse, and so does this.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint32_t kBuildId = 3;             // NT_GNU_BUILD_ID
constexpr std::uint32_t kPropertyNote = 5;        // NT_GNU_PROPERTY_TYPE_0
constexpr std::uint32_t kIsaNeeded = 0xc0008002;  // GNU_PROPERTY_X86_ISA_1_NEEDED
constexpr std::uint64_t kBuildIdLimit = 64;
constexpr std::array<std::string_view, 4> kLevels = {"x86-64-baseline", "x86-64-v2", "x86-64-v3",
                                                     "x86-64-v4"};

void align(Cursor& cursor, std::uint64_t alignment) {
  const std::uint64_t over = cursor.position() % alignment;
  if (over != 0) cursor.skip(std::min(alignment - over, cursor.left()));
}

void read_properties(ByteView bytes, const Header& header, ElfFacts& facts) {
  if (header.machine != 62 && header.machine != 3) return;
  Cursor cursor(bytes, header.order);
  while (cursor && cursor.left() >= 8) {
    const std::uint32_t type = cursor.u32();
    const ByteView data = cursor.take(cursor.u32());
    align(cursor, header.wide ? 8 : 4);
    if (!cursor || type != kIsaNeeded) continue;
    const std::uint32_t levels = Cursor(data, header.order).u32();
    for (std::size_t i = 0; i < kLevels.size(); ++i) {
      const std::string level(kLevels.at(i));
      if ((levels >> i & 1U) == 0 ||
          std::ranges::find(facts.isa_needed, level) != facts.isa_needed.end()) {
        continue;
      }
      facts.isa_needed.push_back(level);
    }
  }
}

void read_note_list(ByteView bytes, std::uint64_t alignment, const Header& header,
                    ElfFacts& facts) {
  Cursor cursor(bytes, header.order);
  while (cursor && cursor.left() >= 12) {
    const std::uint32_t name_size = cursor.u32();
    const std::uint32_t data_size = cursor.u32();
    const std::uint32_t type = cursor.u32();
    const ByteView name = cursor.take(name_size);
    align(cursor, alignment);
    const ByteView data = cursor.take(data_size);
    align(cursor, alignment);
    if (!cursor || name.text() != std::string_view("GNU\0", 4)) continue;
    if (type == kPropertyNote) read_properties(data, header, facts);
    if (type == kBuildId && facts.build_id.empty() && data.size() <= kBuildIdLimit) {
      for (const std::uint8_t byte : data.span()) facts.build_id += fmt::format("{:02x}", byte);
    }
  }
}

}  // namespace

void read_notes(const Image& image, ElfFacts& facts) {
  for (const auto& [bytes, alignment] : image.notes) {
    read_note_list(bytes, alignment == 8 ? 8 : 4, image.header, facts);
  }
}

}  // namespace wheel_audit::elf_reader
