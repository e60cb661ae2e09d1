// Section headers: an extra that loaders never look at, so broken ones are as good as none. Those
// that lie past the end of the file are another matter: linkers write them last, so that they are
// what a file loses that was cut short.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint64_t kHeadersLimit = 16ULL << 20U;
constexpr std::uint64_t kNamesLimit = 64ULL << 20U;
constexpr std::uint64_t kAllocated = 2;  // SHF_ALLOC

struct Raw {
  std::uint32_t name = 0;
  SectionHeader section;
};

Raw parse_section(Cursor& cursor, bool wide) {
  Raw raw;
  raw.name = cursor.u32();
  raw.section.type = cursor.u32();
  raw.section.flags = cursor.word(wide);
  raw.section.address = cursor.word(wide);
  raw.section.offset = cursor.word(wide);
  raw.section.size = cursor.word(wide);
  cursor.skip(8);                // sh_link, sh_info
  cursor.skip(wide ? 16U : 8U);  // sh_addralign, sh_entsize
  return raw;
}

// Only sections that a loader or debugger reads from the file have bytes in it.
bool has_bytes(const SectionHeader& section) {
  return section.type != 0 && section.type != kNoBits;
}

}  // namespace

Result<std::optional<std::vector<SectionHeader>>> read_sections(Source& source,
                                                                const Header& header) {
  constexpr std::optional<std::vector<SectionHeader>> kNone;
  const std::uint64_t entry = header.wide ? 64 : 40;
  if (header.section_offset == 0 || header.section_size != entry) return kNone;
  // No count is one that section header 0 would say.
  const std::uint64_t count = std::max<std::uint64_t>(header.section_count, 1);
  if (count > source.size() / entry || !source.inside(header.section_offset, count * entry)) {
    return Error(fmt::format(
        "its {} section headers at {:#x} reach past the file's {} bytes: it was cut short",
        header.section_count, header.section_offset, source.size()));
  }
  if (header.section_count == 0) return kNone;
  if (header.section_count > kHeadersLimit / entry) {
    return Error(fmt::format("its {} section headers are over {} bytes, the most that are read",
                             header.section_count, kHeadersLimit));
  }
  const std::optional<ByteView> bytes =
      source.want(header.section_offset, header.section_count * entry);
  if (!bytes) return kNone;

  std::vector<SectionHeader> sections;
  std::vector<std::uint32_t> names;
  Cursor cursor(*bytes, header.order);
  for (std::uint64_t i = 0; i < header.section_count; ++i) {
    const Raw raw = parse_section(cursor, header.wide);
    if (has_bytes(raw.section) && !source.inside(raw.section.offset, raw.section.size)) {
      return Error(fmt::format(
          "its section {} of {} bytes at {:#x} reaches past the file's {}: it was cut short", i,
          raw.section.size, raw.section.offset, source.size()));
    }
    sections.push_back(raw.section);
    names.push_back(raw.name);
  }
  if (header.section_names == 0)
    return std::optional(std::move(sections));  // SHN_UNDEF: sections without names
  if (header.section_names >= sections.size()) return kNone;

  const SectionHeader& table = sections[static_cast<std::size_t>(header.section_names)];
  if (!has_bytes(table)) return kNone;
  if (table.size > kNamesLimit) {
    return Error(fmt::format("the names of its sections have {} bytes, and up to {} are read",
                             table.size, kNamesLimit));
  }
  const std::optional<ByteView> text = source.want(table.offset, table.size);
  if (!text) return kNone;
  // Names may share their ends, so a small table can hold many long names: bound the sum.
  std::uint64_t budget = kNamesLimit;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const std::optional<std::string_view> name = string_at(*text, names[i]);
    if (!name) return kNone;
    if (name->size() >= budget) {
      return Error(
          fmt::format("the names of its sections share their bytes and are over {} in all, "
                      "the most that are read",
                      kNamesLimit));
    }
    budget -= name->size() + 1;
    sections[i].name = *name;
  }
  return std::optional(std::move(sections));
}

void read_section_facts(const Image& image, ElfFacts& facts) {
  facts.section_headers = image.sections.has_value();
  if (!image.sections) return;
  for (const SectionHeader& section : *image.sections) {
    facts.sections.push_back(
        {std::string(section.name), section.type, section.flags, section.offset, section.size});
    if (!has_bytes(section)) continue;
    if (section.type == kSymbolTable) {
      facts.symtab = true;
      facts.symtab_bytes += section.size;
    }
    // An allocated one (Rust's .debug_gdb_scripts) is loaded data, which strip keeps too.
    const bool debug = section.name.starts_with(".debug_") || section.name.starts_with(".zdebug_");
    if (debug && (section.flags & kAllocated) == 0) {
      facts.debug = true;
      facts.debug_bytes += section.size;
    }
  }
  if (!facts.symtab) return;
  const auto strings = std::ranges::find(*image.sections, ".strtab", &SectionHeader::name);
  if (strings != image.sections->end() && has_bytes(*strings)) facts.symtab_bytes += strings->size;
}

}  // namespace wheel_audit::elf_reader
