// What a recipe asks of an ELF file, as plain data, and what the writer knows of each machine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "forge/fatbin_writer.hpp"
#include "forge/fields.hpp"

namespace wheel_audit::forge {

/// A machine that wheels are made for (psABI numbers).
struct Machine {
  std::string word;  ///< as in platform tags
  std::uint16_t code = 0;
  bool wide = true;
  bool big = false;
  std::uint32_t flags = 0;
  std::uint64_t align = 0x1000;    ///< the largest page
  bool addends = true;             ///< RELA, not REL
  std::uint32_t global_entry = 0;  ///< relocation type that fills a GOT slot with a symbol
  std::uint32_t relative = 0;      ///< relocation type that adds the load address
  std::string stub;                ///< hex of a function that returns 0
  std::size_t hash_entry = 4;      ///< bytes of a DT_HASH word
};

/// The machine of a tag's word, or nothing.
const Machine* find_machine(std::string_view word);
std::vector<std::string> machine_words();

/// A dynamic symbol.
struct SymbolSpec {
  std::string name;
  std::string version;  ///< empty: unversioned
  std::string library;  ///< of an import: whose version it is
  std::string type;     ///< func, object, notype, tls, ifunc
  bool defined = false;
  bool weak = false;
  bool unique = false;
  bool hidden = false;        ///< a definition that is not the default version
  bool weak_version = false;  ///< the version need carries VER_FLG_WEAK
  std::uint64_t size = 0;
};

/// A version need without a symbol.
struct NeedSpec {
  std::string library;
  std::string version;
  bool weak = false;
};

/// A section that a recipe adds.
struct ExtraSection {
  std::string name;
  Bytes content;
  bool allocated = false;
  bool writable = false;
};

struct ElfSpec {
  Machine machine;
  std::string type;  ///< dyn, exec, rel
  bool dynamic = true;
  std::optional<std::string> soname;
  std::vector<std::string> needed;
  std::optional<std::string> rpath;
  std::optional<std::string> runpath;
  std::string interpreter;
  std::vector<SymbolSpec> symbols;
  std::vector<NeedSpec> needs;
  std::vector<std::string> defines;
  std::string stack;  ///< rw, rwx, none
  bool text_relocation = false;
  bool text_relocation_flag = false;
  bool bind_now = true;
  bool relro = true;
  bool static_tls = false;
  bool relr = false;
  std::vector<std::string> isa_needed;
  std::vector<std::string> isa_used;
  Bytes build_id;
  std::uint64_t align = 0;
  std::uint64_t misalign = 0;
  bool writable_code = false;
  bool section_headers = true;
  std::uint64_t symtab_bytes = 0;
  std::uint64_t debug_bytes = 0;
  bool debug_compressed = false;
  std::string debug_link;
  std::string hash;  ///< gnu, sysv, both, none
  bool headers_at_end = false;
  std::vector<Container> gpu;
  std::vector<std::string> strings;
  std::uint64_t text_bytes = 0;
  std::uint64_t pad_bytes = 0;
  std::uint64_t os_abi = 0;
  std::uint64_t abi_version = 0;
  std::optional<std::uint64_t> flags;
  std::vector<ExtraSection> sections;
  std::map<std::string, std::uint64_t> corrupt;
};

/// Reads an "elf" object.
Result<ElfSpec> read_elf_spec(const Json& spec, const std::string& place, Build& build);

/// Reads "imports", "exports", "needs_versions" and "defines_versions".
void read_symbols(Fields& fields, ElfSpec& spec, Build& build);

}  // namespace wheel_audit::forge
