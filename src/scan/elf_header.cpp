// The ELF header and the program headers, of either class and byte order (gABI, chapters 4 and 5).
// Counts that do not fit the header's 16 bits are in section header 0.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint16_t kExtendedPrograms = 0xffff;  // PN_XNUM
constexpr std::uint16_t kExtendedNames = 0xffff;     // SHN_XINDEX
constexpr std::uint64_t kProgramsLimit = 4ULL << 20U;

std::uint64_t header_bytes(bool wide) { return wide ? 64 : 52; }
std::uint64_t program_bytes(bool wide) { return wide ? 56 : 32; }
std::uint64_t section_bytes(bool wide) { return wide ? 64 : 40; }

Header parse_header(ByteView bytes, bool wide, Endian order) {
  Header header;
  header.wide = wide;
  header.order = order;
  header.ident_version = bytes[6];
  header.os_abi = bytes[7];
  Cursor cursor(bytes, order);
  cursor.skip(16);
  header.type = cursor.u16();
  header.machine = cursor.u16();
  header.version = cursor.u32();
  cursor.skip(wide ? 8 : 4);
  header.program_offset = cursor.word(wide);
  header.section_offset = cursor.word(wide);
  header.flags = cursor.u32();
  cursor.skip(2);
  header.program_size = cursor.u16();
  header.program_count = cursor.u16();
  header.section_size = cursor.u16();
  header.section_count = cursor.u16();
  header.section_names = cursor.u16();
  return header;
}

// Returns false when section header 0 is needed and was not kept. A header that is not there or
// not sound extends nothing.
bool extend_counts(Source& source, Header& header) {
  const bool programs = header.program_count == kExtendedPrograms;
  const bool sections = header.section_count == 0 && header.section_offset != 0;
  const bool names = header.section_names == kExtendedNames;
  if (!programs && !sections && !names) return true;
  const std::uint64_t length = section_bytes(header.wide);
  if (header.section_offset == 0 || header.section_size != length ||
      !source.inside(header.section_offset, length)) {
    return true;
  }
  const std::optional<ByteView> bytes = source.want(header.section_offset, length);
  if (!bytes) return false;
  Cursor cursor(*bytes, header.order);
  cursor.skip(8);                      // sh_name, sh_type
  cursor.skip(header.wide ? 24 : 12);  // sh_flags, sh_addr, sh_offset
  const std::uint64_t size = cursor.word(header.wide);
  const std::uint32_t link = cursor.u32();
  const std::uint32_t info = cursor.u32();
  // Without a count there, the header's own stands, and no file has that many.
  if (programs && info != 0) header.program_count = info;
  if (sections) header.section_count = size;
  if (names) header.section_names = link;
  return true;
}

ProgramHeader parse_program(Cursor& cursor, bool wide) {
  ProgramHeader program;
  program.type = cursor.u32();
  if (wide) program.flags = cursor.u32();
  program.offset = cursor.word(wide);
  program.address = cursor.word(wide);
  cursor.skip(wide ? 8 : 4);  // p_paddr
  program.file_size = cursor.word(wide);
  program.memory_size = cursor.word(wide);
  if (!wide) program.flags = cursor.u32();
  program.align = cursor.word(wide);
  return program;
}

}  // namespace

Result<std::optional<Header>> read_header(Source& source) {
  const std::uint64_t length = std::min(source.size(), header_bytes(true));
  const std::optional<ByteView> bytes = source.want(0, length);
  if (!bytes) return std::optional<Header>();
  if (length < 16 || !bytes->text().starts_with("\x7f"
                                                "ELF")) {
    return Error("the file does not start with an ELF identification");
  }
  const std::uint8_t file_class = (*bytes)[4];
  const std::uint8_t data = (*bytes)[5];
  if (file_class != 1 && file_class != 2) {
    return Error(fmt::format("ELF class is {}, expected 1 or 2", file_class));
  }
  if (data != 1 && data != 2) {
    return Error(fmt::format("ELF byte order is {}, expected 1 or 2", data));
  }
  const bool wide = file_class == 2;
  if (length < header_bytes(wide)) {
    return Error(fmt::format("the file has {} bytes, its ELF header alone takes {}", length,
                             header_bytes(wide)));
  }
  Header header = parse_header(*bytes, wide, data == 2 ? Endian::big : Endian::little);
  if (!extend_counts(source, header)) return std::optional<Header>();
  return std::optional(header);
}

Result<std::optional<std::vector<ProgramHeader>>> read_program_headers(Source& source,
                                                                       const Header& header) {
  using Programs = std::optional<std::vector<ProgramHeader>>;
  if (header.program_count == 0) return Programs(std::in_place);
  const std::uint64_t entry = program_bytes(header.wide);
  if (header.program_size != entry) {
    return Error(
        fmt::format("program headers have {} bytes, expected {}", header.program_size, entry));
  }
  const std::uint64_t length = header.program_count * entry;
  if (!source.inside(header.program_offset, length)) {
    return Error(fmt::format("{} program headers at {:#x} reach past the file's {} bytes",
                             header.program_count, header.program_offset, source.size()));
  }
  if (length > kProgramsLimit) {
    return Error(fmt::format("{} program headers, at most {} are read", header.program_count,
                             kProgramsLimit / entry));
  }
  const std::optional<ByteView> bytes = source.want(header.program_offset, length);
  if (!bytes) return Programs();
  std::vector<ProgramHeader> programs;
  programs.reserve(static_cast<std::size_t>(header.program_count));
  Cursor cursor(*bytes, header.order);
  for (std::uint64_t i = 0; i < header.program_count; ++i) {
    programs.push_back(parse_program(cursor, header.wide));
  }
  return Programs(std::move(programs));
}

}  // namespace wheel_audit::elf_reader
