// The parts of the ELF reader share these: where the tables of a file are, as far as its bytes
// are there. Functions that return Result<optional<T>> mean: an error, the file is broken; nothing,
// the bytes were not kept (the Source knows which); else the value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheel_audit/elf.hpp"

namespace wheel_audit::elf_reader {

/// Ranges with memory: records what was asked for and whether all of it was there.
class Source {
 public:
  enum class Misses : std::uint8_t { noted, quiet };
  Source(Ranges& ranges, Misses misses) : ranges_(ranges), misses_(misses) {}

  std::uint64_t size() const { return ranges_.size(); }
  /// Whether [offset, offset + length) lies inside the member.
  bool inside(std::uint64_t offset, std::uint64_t length) const {
    return offset <= size() && length <= size() - offset;
  }
  /// The bytes, or nothing when they were not kept or are outside the member.
  std::optional<ByteView> want(std::uint64_t offset, std::uint64_t length);
  /// True while everything that was asked for was there.
  bool complete() const { return complete_; }
  /// What was asked for so far: sorted, merged.
  std::vector<Range> wanted() const;

 private:
  Ranges& ranges_;
  Misses misses_;
  bool complete_ = true;
  std::vector<Range> wanted_;
};

/// Sorts ranges and joins those that touch; empty ones go.
std::vector<Range> merged(std::vector<Range> ranges);

/// The file header, with the counts that section header 0 extends already resolved.
struct Header {
  bool wide = true;  ///< ELFCLASS64
  Endian order = Endian::little;
  std::uint8_t ident_version = 0;  ///< EI_VERSION
  std::uint8_t os_abi = 0;
  std::uint32_t version = 0;  ///< e_version
  std::uint16_t type = 0;
  std::uint16_t machine = 0;
  std::uint32_t flags = 0;
  std::uint64_t program_offset = 0;
  std::uint64_t section_offset = 0;
  std::uint16_t program_size = 0;  ///< bytes of one program header, as the file says
  std::uint16_t section_size = 0;
  std::uint64_t program_count = 0;
  std::uint64_t section_count = 0;
  std::uint64_t section_names = 0;  ///< index of the section with the section names
};

/// One program header.
struct ProgramHeader {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t align = 0;
};

inline constexpr std::uint32_t kLoad = 1;
inline constexpr std::uint32_t kDynamic = 2;
inline constexpr std::uint32_t kInterpreter = 3;
inline constexpr std::uint32_t kNote = 4;
inline constexpr std::uint32_t kStack = 0x6474e551;
inline constexpr std::uint32_t kRelro = 0x6474e552;
inline constexpr std::uint32_t kProperty = 0x6474e553;

/// One section header.
struct SectionHeader {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

inline constexpr std::uint32_t kSymbolTable = 2;
inline constexpr std::uint32_t kNoBits = 8;
inline constexpr std::uint32_t kDynamicSymbols = 11;

/// The platform tag's word for a machine, or `em_<number>`.
std::string machine_word(const Header& header);
/// Whether machine_word has a word of its own for it.
bool is_host_machine(const Header& header);

Result<std::optional<Header>> read_header(Source& source);
Result<std::optional<std::vector<ProgramHeader>>> read_program_headers(Source& source,
                                                                       const Header& header);
/// The section headers with their names; nothing when there are none, they are broken, or not kept.
/// Fails when they, or the bytes of a section, lie past the end of the file.
Result<std::optional<std::vector<SectionHeader>>> read_sections(Source& source,
                                                                const Header& header);

/// A place in the file, and how many bytes its segment still has from there.
struct Place {
  std::uint64_t offset = 0;
  std::uint64_t rest = 0;
};

/// The dynamic table and what its addresses mean in the file.
struct Dynamic {
  Header header;
  std::vector<ProgramHeader> loads;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;  ///< tag, value; before DT_NULL

  /// The value of the last entry with the tag: the one that loaders use.
  std::optional<std::uint64_t> value(std::uint64_t tag) const;
  /// Where the file has the byte that is loaded at an address.
  std::optional<Place> place(std::uint64_t address) const;
  /// Where a table of `length` bytes is, or why it is nowhere.
  Result<Range> table(std::string_view name, std::uint64_t address, std::uint64_t length) const;
  /// Bytes from a table to the next one in its segment, or to the segment's end.
  std::uint64_t distance(std::uint64_t address, const Place& place) const;
  std::uint64_t symbol_size() const { return header.wide ? 24 : 16; }
};

namespace tag {
inline constexpr std::uint64_t kNeeded = 1;
inline constexpr std::uint64_t kPltGot = 3;
inline constexpr std::uint64_t kHash = 4;
inline constexpr std::uint64_t kStrings = 5;
inline constexpr std::uint64_t kSymbols = 6;
inline constexpr std::uint64_t kRela = 7;
inline constexpr std::uint64_t kStringsSize = 10;
inline constexpr std::uint64_t kSymbolSize = 11;
inline constexpr std::uint64_t kInit = 12;
inline constexpr std::uint64_t kFini = 13;
inline constexpr std::uint64_t kSoname = 14;
inline constexpr std::uint64_t kRpath = 15;
inline constexpr std::uint64_t kRel = 17;
inline constexpr std::uint64_t kTextRelocations = 22;
inline constexpr std::uint64_t kPltRel = 23;
inline constexpr std::uint64_t kBindNow = 24;
inline constexpr std::uint64_t kInitArray = 25;
inline constexpr std::uint64_t kFiniArray = 26;
inline constexpr std::uint64_t kRunpath = 29;
inline constexpr std::uint64_t kFlags = 30;
inline constexpr std::uint64_t kPreinitArray = 32;
inline constexpr std::uint64_t kRelr = 36;
inline constexpr std::uint64_t kGnuHash = 0x6ffffef5;
inline constexpr std::uint64_t kVersionIndexes = 0x6ffffff0;
inline constexpr std::uint64_t kFlags1 = 0x6ffffffb;
inline constexpr std::uint64_t kVersionDefinitions = 0x6ffffffc;
inline constexpr std::uint64_t kVersionNeeds = 0x6ffffffe;
inline constexpr std::uint64_t kMipsSymbolCount = 0x70000011;
}  // namespace tag

Result<std::optional<Dynamic>> read_dynamic(Source& source, const Header& header,
                                            const std::vector<ProgramHeader>& programs);

/// How many entries DT_SYMTAB has. Nothing when the tables that say so were not kept.
Result<std::optional<std::uint64_t>> count_symbols(
    Source& source, const Dynamic& dynamic,
    const std::optional<std::vector<SectionHeader>>& sections);

/// The bytes of the tables that DT_* point to; empty where there is none.
struct Tables {
  ByteView strings;
  ByteView symbols;
  ByteView version_indexes;
  ByteView version_needs;
  ByteView version_definitions;
};

/// Finds the tables; when the source is not complete afterwards, some are missing.
Result<Tables> read_tables(Source& source, const Dynamic& dynamic,
                           const std::optional<std::vector<SectionHeader>>& sections);

struct Image;

/// Why no loader takes a shared library or program of a host machine, whatever its tables say:
/// versions of the header, segments that no address space holds, no dynamic section where there
/// must be one. Object files, cores, static programs and files of debug information pass.
Result<void> check_loadable(const Image& image);

/// Everything that was found of a file.
struct Image {
  Header header;
  std::vector<ProgramHeader> programs;
  std::optional<std::vector<SectionHeader>> sections;
  std::optional<ByteView> interpreter;
  std::vector<std::pair<ByteView, std::uint64_t>> notes;  ///< bytes and alignment
  std::optional<Dynamic> dynamic;
  Tables tables;
};

/// Finds the parts of a file, asking for all that can be asked for now.
Result<Image> find_parts(Source& source);

/// A version by its index in DT_VERSYM.
struct IndexedVersion {
  std::string_view name;
  std::string_view library;  ///< of a version need
};

/// The versions that an object defines and needs; fills the facts and returns them by index.
Result<std::vector<IndexedVersion>> read_versions(const Image& image, ElfFacts& facts);
/// Fills symbols, exports and imports. `filter`: null where all symbols are kept.
Result<void> read_symbols(const Image& image, const std::vector<IndexedVersion>& versions,
                          SymbolFilter* filter, ElfFacts& facts);
/// Fills needed, soname, search paths and flags.
Result<void> read_dynamic_facts(const Image& image, ElfFacts& facts);
/// Fills build id and ISA needs.
void read_notes(const Image& image, ElfFacts& facts);
/// Fills sections and what their names tell.
void read_section_facts(const Image& image, ElfFacts& facts);

/// The string at an offset of the dynamic string table, with a sentence on failure.
Result<std::string_view> dynamic_string(ByteView strings, std::string_view what,
                                        std::uint64_t offset);

}  // namespace wheel_audit::elf_reader
