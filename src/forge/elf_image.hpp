// An ELF file between its description and its bytes: sections with contents, the relocations and
// dynamic entries that wait for addresses, and the layout that gives them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/elf_spec.hpp"
#include "forge/elf_tables.hpp"

namespace wheel_audit::forge {

/// The segment that a section belongs to; `file` is none.
enum class Part : std::uint8_t { headers, text, relro, data, file };

struct Section {
  std::string name;
  std::uint32_t type = 1;  ///< SHT_PROGBITS
  std::uint64_t flags = 0;
  Part part = Part::file;
  Bytes content;
  std::uint64_t align = 1;
  std::uint64_t entry_size = 0;
  std::string link;  ///< name of the section that sh_link means
  std::uint32_t info = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
};

/// A relocation; a symbol of 0 means the load address.
struct Relocation {
  std::string section;
  std::uint64_t offset = 0;
  std::uint32_t symbol = 0;
  std::string target;  ///< section that a relative one points into
  std::uint64_t target_offset = 0;
};

/// Where a symbol is defined.
struct Definition {
  std::string section;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// A dynamic entry: a number, or the address of a section.
struct DynamicEntry {
  std::uint64_t tag = 0;
  std::uint64_t value = 0;
  std::string section;
  std::string mark;  ///< its name in "corrupt"
};

struct Image {
  const ElfSpec* spec = nullptr;
  Tables tables;
  std::vector<Section> sections;
  std::vector<Relocation> relocations;
  std::vector<Definition> definitions;  ///< of tables.symbols, by index
  std::vector<DynamicEntry> dynamic;
  std::vector<Bytes> containers;

  Out out() const { return Out(spec->machine.big, spec->machine.wide); }
  std::uint64_t word() const { return spec->machine.wide ? 8 : 4; }
  Section* find(std::string_view name);
  const Section* find(std::string_view name) const;
  std::uint64_t address(std::string_view name) const;
  /// The section of a name, added when it is not there.
  Section& at(const std::string& name, Part part, std::uint64_t flags, std::uint64_t align);
};

inline constexpr std::uint64_t kWrite = 1;
inline constexpr std::uint64_t kAlloc = 2;
inline constexpr std::uint64_t kExec = 4;
inline constexpr std::uint64_t kTls = 0x400;
inline constexpr std::uint64_t kCompressed = 0x800;
inline constexpr std::uint64_t kStub = 16;  ///< bytes kept for a function

/// Adds every section, with contents of the right size; what needs addresses is still zero.
void add_sections(Image& image);
/// The sections that no segment holds: debug information, static symbols.
void add_file_sections(Image& image);
/// Lists the dynamic entries, which gives .dynamic its size.
void add_dynamic(Image& image);
/// Writes what had to wait for addresses: symbols, relocations, .dynamic.
void fill_addresses(Image& image);

}  // namespace wheel_audit::forge
