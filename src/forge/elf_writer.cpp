// Lays an image out and writes it: ELF header, program headers, sections by segment, section
// headers. Addresses are file offsets, plus a base for programs at fixed addresses; a file whose
// program headers are "at the end" has them after everything else, in a segment of their own, as
// patchelf leaves them. Follows the System V gABI.
#include <fmt/format.h>

#include <algorithm>

#include "forge/content.hpp"
#include "forge/elf_layout.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

constexpr std::uint64_t kProgramBase = 0x400000;

std::uint64_t round_up(std::uint64_t value, std::uint64_t align) {
  return align < 2 ? value : (value + align - 1) / align * align;
}

/// The bytes from the first to the last section of some parts, or nothing.
std::optional<Header> span_of(const Image& image, Part from, Part to) {
  std::optional<Header> span;
  for (const Section& section : image.sections) {
    if (section.part < from || section.part > to) continue;
    if (!span) span = Header{"", 0, 0, section.offset, 0, 0};
    span->size = section.offset + section.content.size() - span->offset;
  }
  return span;
}

void add_header(Layout& layout, const std::string& mark, std::uint32_t type, std::uint32_t flags,
                std::uint64_t offset, std::uint64_t size, std::uint64_t align) {
  layout.headers.push_back({mark, type, flags, offset, size, align});
}

void add_of_section(const Image& image, Layout& layout, std::string_view name,
                    const std::string& mark, std::uint32_t type, std::uint32_t flags) {
  if (const Section* section = image.find(name)) {
    add_header(layout, mark, type, flags, section->offset, section->content.size(), section->align);
  }
}

void add_loads(const Image& image, Layout& layout) {
  const ElfSpec& spec = *image.spec;
  const std::optional<Header> first = span_of(image, Part::headers, Part::headers);
  const std::uint64_t first_end =
      first ? first->offset + first->size
            : header_size(image) + layout.headers.size() * program_header_size(image);
  add_header(layout, "load", 1, 4, 0, first_end, spec.align);
  if (const auto text = span_of(image, Part::text, Part::text)) {
    add_header(layout, "text", 1, spec.writable_code ? 7 : 5, text->offset, text->size, spec.align);
  }
  if (const auto data = span_of(image, Part::relro, Part::data)) {
    add_header(layout, "data", 1, 6, data->offset, data->size, spec.align);
  }
}

/// The program headers for the layout so far; their number depends on the sections alone, so a
/// first call before the layout counts them.
void list_headers(const Image& image, Layout& layout) {
  const ElfSpec& spec = *image.spec;
  layout.headers.clear();
  if (spec.type == "rel") return;
  // A position-independent program finds its own load address by PT_PHDR; its size is set later.
  if (!spec.interpreter.empty()) add_header(layout, "phdr", 6, 4, layout.headers_offset, 0, 8);
  add_of_section(image, layout, ".interp", "interp", 3, 4);
  add_loads(image, layout);
  if (spec.headers_at_end) {
    add_header(layout, "end", 1, 4, layout.headers_offset, 0, spec.align);  // sized by the caller
  }
  add_of_section(image, layout, ".dynamic", "dynamic", 2, 6);
  add_of_section(image, layout, ".note.gnu.property", "note", 4, 4);
  add_of_section(image, layout, ".note.gnu.build-id", "build_id", 4, 4);
  add_of_section(image, layout, ".note.gnu.property", "property", 0x6474e553, 4);
  add_of_section(image, layout, ".tdata", "tls", 7, 4);
  if (spec.stack != "none") {
    add_header(layout, "stack", 0x6474e551, spec.stack == "rwx" ? 7 : 6, 0, 0, 16);
  }
  const std::optional<Header> relro = span_of(image, Part::relro, Part::relro);
  if (spec.relro && relro) {
    const bool more = span_of(image, Part::data, Part::data).has_value();
    const std::uint64_t size = more ? round_up(relro->size, spec.align) : relro->size;
    add_header(layout, "relro", 0x6474e552, 4, relro->offset, size, 1);
  }
}

void place_sections(Image& image, Layout& layout) {
  const ElfSpec& spec = *image.spec;
  std::uint64_t offset = header_size(image);
  if (!spec.headers_at_end) offset += layout.headers.size() * program_header_size(image);
  Part part = Part::headers;
  for (Section& section : image.sections) {
    const bool new_segment = section.part != part && section.part != Part::file;
    // Without RELRO the two writable parts are one run.
    const bool joined = part == Part::relro && section.part == Part::data && !spec.relro;
    if (new_segment && !joined && spec.type != "rel") offset = round_up(offset, spec.align);
    part = section.part;
    offset = round_up(offset, section.align);
    section.offset = offset;
    const bool loaded = section.part != Part::file && spec.type != "rel";
    section.address = loaded ? layout.base + offset : 0;
    offset += section.content.size();
  }
  if (spec.section_headers) {
    layout.section_headers = round_up(offset, 8);
    offset = layout.section_headers + section_header_size(image) * (image.sections.size() + 1);
  }
  layout.headers_offset = header_size(image);
  if (spec.headers_at_end) layout.headers_offset = round_up(offset, spec.align);
  if (layout.headers.empty()) layout.headers_offset = 0;
}

Layout make_layout(Image& image) {
  Layout layout;
  layout.base = image.spec->type == "exec" ? kProgramBase : 0;
  list_headers(image, layout);
  place_sections(image, layout);
  list_headers(image, layout);
  for (Header& header : layout.headers) {
    const bool of_headers = header.mark == "end" || header.mark == "phdr";
    if (of_headers) header.size = layout.headers.size() * program_header_size(image);
  }
  return layout;
}

void write_header(const Image& image, const Layout& layout, Out& out) {
  const ElfSpec& spec = *image.spec;
  out.text(
      "\x7f"
      "ELF");
  out.u8(spec.machine.wide ? 2 : 1);
  out.u8(spec.machine.big ? 2 : 1);
  out.u8(1);
  out.u8(spec.os_abi);
  out.u8(spec.abi_version);
  out.zeros(7);
  out.u16(spec.type == "rel" ? 1 : spec.type == "exec" ? 2 : 3);
  out.u16(spec.machine.code);
  out.u32(1);
  out.word(spec.type == "rel" || (spec.interpreter.empty() && spec.type == "dyn")
               ? 0
               : image.address(".text"));
  out.word(layout.headers_offset);
  out.word(layout.section_headers);
  out.u32(spec.flags.value_or(spec.machine.flags));
  out.u16(header_size(image));
  out.u16(layout.headers.empty() ? 0 : program_header_size(image));
  out.u16(layout.headers.size());
  const bool sections = spec.section_headers;
  out.u16(sections ? section_header_size(image) : 0);
  out.u16(sections ? image.sections.size() + 1 : 0);
  out.u16(sections ? image.sections.size() : 0);  // .shstrtab is the last
}

void write_program_headers(const Image& image, const Layout& layout, Out& out) {
  const bool wide = image.spec->machine.wide;
  for (const Header& header : layout.headers) {
    const bool nowhere = header.type == 0x6474e551;  // the stack has no place
    const std::uint64_t address = nowhere ? 0 : layout.base + header.offset;
    const std::uint64_t shift = header.mark == "text" ? image.spec->misalign : 0;
    out.u32(header.type);
    if (wide) out.u32(header.flags);
    out.word(header.offset + shift);
    out.word(address);
    out.word(address);
    out.word(header.size);
    out.word(header.size);
    if (!wide) out.u32(header.flags);
    out.word(header.align);
  }
}

void write_section_headers(Image& image, Out& out) {
  out.zeros(section_header_size(image));
  Strings names;
  for (const Section& section : image.sections) {
    std::uint64_t link = 0;
    for (std::size_t i = 0; i < image.sections.size(); ++i) {
      if (!section.link.empty() && image.sections[i].name == section.link) link = i + 1;
    }
    out.u32(names.add(section.name));
    out.u32(section.type);
    out.word(section.flags);
    out.word(section.address);
    out.word(section.offset);
    out.word(section.content.size());
    out.u32(link);
    out.u32(section.info);
    out.word(section.align);
    out.word(section.entry_size);
  }
}

/// The names of the sections, which are known before their headers are written.
void fill_section_names(Image& image) {
  Section* names = image.find(".shstrtab");
  if (names == nullptr) return;
  Strings strings;
  for (const Section& section : image.sections) strings.add(section.name);
  names->content = strings.bytes();
}

}  // namespace

Result<Bytes> build_elf(const Json& json, const std::string& place, Build& build) {
  const Result<ElfSpec> spec = read_elf_spec(json, place, build);
  if (!spec) return spec.error();
  Image image;
  image.spec = &*spec;
  image.tables = make_tables(*spec);
  add_sections(image);
  fill_section_names(image);
  const Layout layout = make_layout(image);
  fill_addresses(image);
  Out out = image.out();
  write_header(image, layout, out);
  if (!spec->headers_at_end) write_program_headers(image, layout, out);
  for (const Section& section : image.sections) {
    out.zeros(section.offset - out.size());
    out.raw(section.content);
  }
  if (spec->section_headers) {
    out.zeros(layout.section_headers - out.size());
    write_section_headers(image, out);
  }
  if (spec->headers_at_end && layout.headers_offset > 0) {
    out.zeros(layout.headers_offset - out.size());
    write_program_headers(image, layout, out);
  }
  if (const Result<void> done = corrupt_fields(image, layout, out); !done) {
    return done.error().in(place + ".corrupt");
  }
  return std::move(out.bytes);
}

}  // namespace wheel_audit::forge
