// Reads an ELF member: first finds every part that can be found, so that one pass over a stream
// can provide all of them, then makes facts of the parts. Device code and files without a dynamic
// table have nothing that a loader needs, so nothing of that can be wrong with them.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"

namespace wheel_audit {

namespace elf_reader {

namespace {

constexpr std::uint64_t kInterpreterLimit = 4096;
constexpr std::uint64_t kNotesLimit = 1ULL << 20U;
constexpr std::size_t kNotesMost = 64;

// The interpreter and the notes; notes outside the file are passed over, as loaders do.
Result<void> find_small_parts(Source& source, bool host, Image& image) {
  for (const ProgramHeader& program : image.programs) {
    if (program.type == kInterpreter && !image.interpreter && program.file_size != 0) {
      const std::uint64_t length = std::min(program.file_size, kInterpreterLimit);
      if (host && !source.inside(program.offset, program.file_size)) {
        return Error(fmt::format("PT_INTERP of {} bytes at {:#x} reaches past the file's {}",
                                 program.file_size, program.offset, source.size()));
      }
      image.interpreter = source.want(program.offset, length);
    }
    const bool note = program.type == kNote || program.type == kProperty;
    if (!note || !source.inside(program.offset, program.file_size)) continue;
    if (image.notes.size() == kNotesMost) {
      if (!host) continue;
      return Error(
          fmt::format("it has more than {} segments of notes, the most that are read", kNotesMost));
    }
    if (program.file_size > kNotesLimit && host) {
      return Error(fmt::format("a segment of notes has {} bytes, and up to {} are read",
                               program.file_size, kNotesLimit));
    }
    const std::uint64_t length = std::min(program.file_size, kNotesLimit);
    const std::optional<ByteView> bytes = source.want(program.offset, length);
    image.notes.emplace_back(bytes.value_or(ByteView()), program.align);
  }
  return {};
}

// A file of debug information keeps the program headers of the library that it was taken from,
// while what they point to is gone: its section headers say so.
bool is_debug_file(const Image& image, const ProgramHeader& dynamic) {
  if (!image.sections) return false;
  return std::ranges::any_of(*image.sections, [&](const SectionHeader& section) {
    return section.type == kNoBits && section.name == ".dynamic" &&
           section.address == dynamic.address;
  });
}

Result<void> find_tables(Source& source, Image& image) {
  Result<std::optional<Dynamic>> dynamic = read_dynamic(source, image.header, image.programs);
  if (!dynamic) return dynamic.error();
  image.dynamic = std::move(*dynamic);
  if (!image.dynamic) return {};
  Result<Tables> tables = read_tables(source, *image.dynamic, image.sections);
  if (!tables) return tables.error();
  image.tables = *tables;
  return {};
}

std::string type_word(std::uint16_t type) {
  switch (type) {
    case 1:
      return "rel";
    case 2:
      return "exec";
    case 3:
      return "dyn";
    case 4:
      return "core";
    default:
      return fmt::format("{}", type);
  }
}

void read_program_facts(const Image& image, ElfFacts& facts) {
  for (const ProgramHeader& program : image.programs) {
    if (program.type == kLoad) {
      facts.segments.push_back({program.offset, program.address, program.file_size,
                                program.memory_size, program.align, program.flags});
    }
    if (program.type == kStack) facts.stack = (program.flags & 1U) != 0 ? Stack::rwx : Stack::rw;
    if (program.type == kRelro) facts.relro = true;
  }
  if (image.interpreter) {
    const std::string_view text = image.interpreter->text();
    facts.interpreter = std::string(text.substr(0, text.find('\0')));
  }
}

Result<void> read_loader_facts(const Ranges& ranges, Image& image, SymbolFilter* filter,
                               ElfFacts& facts) {
  facts.dynamic = true;
  facts.pool = ranges.share(image.tables.strings);
  if (!facts.pool) {
    facts.pool = std::make_shared<const std::string>(image.tables.strings.text());
    image.tables.strings = ByteView(std::string_view(*facts.pool));
  }
  if (Result<void> dynamic = read_dynamic_facts(image, facts); !dynamic) return dynamic;
  const Result<std::vector<IndexedVersion>> versions = read_versions(image, facts);
  if (!versions) return versions.error();
  return read_symbols(image, *versions, filter, facts);
}

ElfFacts header_facts(const Image& image) {
  ElfFacts facts;
  facts.bits = image.header.wide ? 64 : 32;
  facts.big_endian = image.header.order == Endian::big;
  facts.machine_code = image.header.machine;
  facts.machine = machine_word(image.header);
  facts.os_abi = image.header.os_abi;
  facts.flags = image.header.flags;
  facts.type = type_word(image.header.type);
  facts.pool = std::make_shared<const std::string>();
  return facts;
}

}  // namespace

Result<Image> find_parts(Source& source) {
  Image image;
  const Result<std::optional<Header>> header = read_header(source);
  if (!header) return header.error();
  if (!*header) return image;
  image.header = **header;
  const bool host = is_host_machine(image.header);
  Result<std::optional<std::vector<SectionHeader>>> sections = read_sections(source, image.header);
  if (!sections && host) return sections.error();
  if (sections) image.sections = std::move(*sections);
  Result<std::optional<std::vector<ProgramHeader>>> programs =
      read_program_headers(source, image.header);
  if (!programs && host) return programs.error();
  if (!programs || !*programs) return image;
  image.programs = std::move(**programs);
  if (host) {
    if (const Result<void> loadable = check_loadable(image); !loadable) return loadable.error();
  }
  if (const Result<void> small = find_small_parts(source, host, image); !small) {
    return small.error();
  }
  const auto dynamic = std::ranges::find(image.programs, kDynamic, &ProgramHeader::type);
  if (!host || dynamic == image.programs.end() || dynamic->file_size == 0) return image;
  const Result<void> tables = find_tables(source, image);
  if (tables) return image;
  if (!is_debug_file(image, *dynamic)) return tables.error();
  image.dynamic.reset();
  return image;
}

}  // namespace elf_reader

Result<ElfFacts> read_elf(Ranges& ranges, SymbolFilter* filter) {
  using namespace elf_reader;
  Source source(ranges, Source::Misses::noted);
  Result<Image> image = find_parts(source);
  if (!source.complete()) return Error("not all of its tables were provided");
  if (!image) return image.error();
  ElfFacts facts = header_facts(*image);
  facts.all_symbols = filter == nullptr;
  read_program_facts(*image, facts);
  read_notes(*image, facts);
  read_section_facts(*image, facts);
  if (image->dynamic) {
    const Result<void> loader = read_loader_facts(ranges, *image, filter, facts);
    if (!loader) return loader.error();
  }
  return facts;
}

std::vector<Range> wanted_ranges(Ranges& ranges) {
  using namespace elf_reader;
  Source source(ranges, Source::Misses::quiet);
  // An error is for read_elf to tell; what it takes to find it is wanted all the same.
  static_cast<void>(find_parts(source));
  return source.wanted();
}

}  // namespace wheel_audit
