// Sections outside every segment: DWARF, the debug link, the static symbol table.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "forge/elf_image.hpp"

namespace wheel_audit::forge {

namespace {

/// A unit of DWARF 5 without entries that fills `size` bytes.
Bytes debug_info(const Image& image, std::uint64_t size) {
  Out out = image.out();
  out.u32(size - 4);
  out.u16(5);
  out.u8(1);
  out.u8(image.word());
  out.u32(0);
  out.zeros(size - out.size());
  return out.bytes;
}

/// SHF_COMPRESSED contents: a header and a zlib stream.
Bytes compressed(const Image& image, const Bytes& content) {
  Out out = image.out();
  out.u32(1);
  if (image.spec->machine.wide) out.u32(0);
  out.word(content.size());
  out.word(1);
  Bytes packed(compressBound(static_cast<uLong>(content.size())));
  auto size = static_cast<uLongf>(packed.size());
  compress2(packed.data(), &size, content.data(), static_cast<uLong>(content.size()), 6);
  packed.resize(size);
  out.raw(packed);
  return out.bytes;
}

void add_debug(Image& image) {
  const ElfSpec& spec = *image.spec;
  if (spec.debug_bytes > 0) {
    const Bytes info = debug_info(image, std::max<std::uint64_t>(spec.debug_bytes, 16));
    Section& section = image.at(".debug_info", Part::file, 0, 1);
    section.content = info;
    if (spec.debug_compressed) {
      section.content = compressed(image, info);
      section.flags = kCompressed;
      section.align = image.word();
    }
    image.at(".debug_abbrev", Part::file, 0, 1).content = {0};
  }
  if (!spec.debug_link.empty()) {
    Out link = image.out();
    link.text(spec.debug_link);
    link.u8(0);
    link.pad(4);
    link.u32(0x12345678);  // CRC of a file that nobody has
    image.at(".gnu_debuglink", Part::file, 0, 4).content = link.bytes;
  }
}

/// Local symbols until table and strings together have about `size` bytes.
void add_symtab(Image& image, std::uint64_t size) {
  const bool wide = image.spec->machine.wide;
  Out symbols = image.out();
  symbols.zeros(wide ? 24 : 16);
  std::string names(1, '\0');
  std::uint32_t count = 1;
  while (symbols.size() + names.size() < size) {
    const std::size_t name = names.size();
    names += fmt::format("local_function_{:06}", count++);
    names += '\0';
    symbols.u32(name);
    if (!wide) {
      symbols.u32(0);
      symbols.u32(kStub);
    }
    symbols.u8(2);   // STB_LOCAL, STT_FUNC
    symbols.u8(0);   // STV_DEFAULT
    symbols.u16(0);  // section, filled below
    if (wide) {
      symbols.u64(0);
      symbols.u64(kStub);
    }
  }
  Section& table = image.at(".symtab", Part::file, 0, 8);
  table.type = 2;
  table.entry_size = wide ? 24 : 16;
  table.link = ".strtab";
  table.info = count;
  table.content = symbols.bytes;
  Section& strings = image.at(".strtab", Part::file, 0, 1);
  strings.type = 3;
  strings.content = to_bytes(names);
}

}  // namespace

void add_file_sections(Image& image) {
  const ElfSpec& spec = *image.spec;
  if (!spec.section_headers) return;
  add_debug(image);
  for (const ExtraSection& extra : spec.sections) {
    if (!extra.allocated) image.at(extra.name, Part::file, 0, 1).content = extra.content;
  }
  const std::uint64_t symbols =
      spec.type == "rel" ? std::max<std::uint64_t>(spec.symtab_bytes, 200) : spec.symtab_bytes;
  if (symbols > 0) add_symtab(image, symbols);
  Section& names = image.at(".shstrtab", Part::file, 0, 1);
  names.type = 3;
}

}  // namespace wheel_audit::forge
