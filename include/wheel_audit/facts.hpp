// What one wheel is, as plain data. Readers fill these structs, rules judge them, and neither
// knows the other. The JSON form is in facts_json.hpp and under `schema facts`. One header, though
// it is long: these structs are one vocabulary, and are read together.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/text_facts.hpp"

namespace wheel_audit {

/// Part of the wheel that could not be looked at: where (nothing: the whole wheel), and why.
struct Unread {
  std::optional<std::string> where;
  std::string reason;
  std::string what;  ///< `archive`, `member`, `elf`, `gpu`, `digest`; audits add `symbols`, `rule`…
  bool operator==(const Unread&) const = default;
};

// ---------------------------------------------------------------- archive

/// A deviation of the archive from what one reading of it allows.
struct ArchiveProblem {
  std::string code;  ///< `ambiguous`, `data-descriptor`, `corrupt`; what rules select by
  std::optional<std::string> where;  ///< the member concerned
  std::uint64_t offset = 0;          ///< in bytes from the start of the archive
  std::string message;               ///< found and expected, with the offset
  bool operator==(const ArchiveProblem&) const = default;
};

/// What the first bytes of a member say it is.
enum class MemberKind : std::uint8_t { other, directory, elf, pe, macho, ar, text };

/// One member of the archive, in the order of its directory.
struct MemberFacts {
  std::string path;  ///< UTF-8; bytes that are not are written `\xNN`
  std::uint64_t size = 0;
  std::uint64_t compressed = 0;
  std::uint32_t mode = 0;  ///< st_mode of the creator; 0 when it recorded none
  std::uint32_t crc32 = 0;
  std::string sha256;  ///< lower-case hex; empty when not computed or not readable
  MemberKind kind = MemberKind::other;
  std::uint16_t method = 0;           ///< compression method of APPNOTE 4.4.5
  std::uint8_t host = 0;              ///< "version made by" system: 0 FAT, 3 Unix
  bool utf8_name = true;              ///< the raw name was UTF-8
  std::string secret;                 ///< what secret its header is (`private key`); else empty
  std::string head;                   ///< `#!` line without the `#!`, or empty
  std::vector<std::string> mentions;  ///< library and package names found in it, sorted
  bool operator==(const MemberFacts&) const = default;
};

// ---------------------------------------------------------------- wheel texts

/// The parts of a wheel's file name (PEP 427, PEP 825 for the variant label).
struct NameFacts {
  std::string distribution;
  std::string version;
  std::optional<std::string> build;
  std::vector<std::string> python;
  std::vector<std::string> abi;
  std::vector<std::string> platform;
  std::optional<std::string> variant;
  bool operator==(const NameFacts&) const = default;
};

/// A header line of METADATA or WHEEL.
struct Field {
  std::string name;  ///< as written
  std::string value;
  bool operator==(const Field&) const = default;
};

/// METADATA's headers, in order; the description's text is not kept.
struct MetadataFacts {
  std::string path;
  std::vector<Field> fields;
  bool has_body = false;
  std::vector<std::string> problems;  ///< lines that are no header, text that is not UTF-8
  bool operator==(const MetadataFacts&) const = default;

  /// The first value of a field (names compare without case), or nothing.
  const std::string* first(std::string_view name) const;
  /// Every value of a field.
  std::vector<std::string> all(std::string_view name) const;
};

/// The WHEEL file.
struct WheelFileFacts {
  std::string path;
  std::vector<Field> fields;
  std::vector<std::string> problems;
  bool operator==(const WheelFileFacts&) const = default;

  const std::string* first(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
  /// Root-Is-Purelib, where it is `true` or `false`.
  std::optional<bool> root_is_purelib() const;
};

/// One row of RECORD.
struct RecordRow {
  std::string path;
  std::string hash;  ///< `algorithm=digest` as written
  std::string size;  ///< as written
  bool operator==(const RecordRow&) const = default;
};

/// The RECORD file.
struct RecordFacts {
  std::string path;
  std::vector<RecordRow> rows;
  std::vector<std::string> problems;  ///< rows that are no CSV of three fields, with line numbers
  /// Digests by member path for rows whose algorithm is not sha256 (`sha512=…`), as computed.
  std::map<std::string, std::string> other_digests;
  bool operator==(const RecordFacts&) const = default;
};

/// One line of entry_points.txt.
struct EntryPoint {
  std::string group;  ///< `console_scripts`
  std::string name;
  std::string target;  ///< `package.module:object`
  bool operator==(const EntryPoint&) const = default;
};

/// What the wheel says of its accelerator.
struct Claim {
  std::string accelerator;  ///< `cuda`, `cpu`, `rocm`, `xpu`…; empty where nothing is claimed
  std::string train;        ///< `cu130`; empty when only a major is known
  int major = 0;            ///< CUDA major; 0 when unknown
  std::string from;         ///< `local version`, `variant`, `distribution suffix`, `--train`
  /// A distribution suffix gives a major and claims no GPU code.
  bool of_gpu_code() const { return accelerator == "cuda" && from != "distribution suffix"; }
  bool operator==(const Claim&) const = default;
};

/// A property of variant.json (PEP 825).
struct VariantProperty {
  std::string space;    ///< namespace: `nvidia`
  std::string feature;  ///< `cuda_version_lower_bound`
  std::vector<std::string> values;
  bool operator==(const VariantProperty&) const = default;
};

// ---------------------------------------------------------------- ELF

enum class Stack : std::uint8_t { absent, rw, rwx };
enum class Binding : std::uint8_t { local, global, weak, unique };

/// A dynamic symbol. Views point into the pool of the ElfFacts that holds it.
struct Symbol {
  std::string_view name;
  std::string_view version;  ///< `GLIBC_2.17`; empty when unversioned
  std::string_view library;  ///< of an import: the file that its version need names; else empty
  Binding binding = Binding::global;
  std::uint8_t type = 0;  ///< STT_*
  bool defined = false;
  bool hidden = false;  ///< a definition that is not its name's default version, or not visible
};

/// A PT_LOAD segment.
struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t align = 0;
  std::uint32_t flags = 0;  ///< PF_X 1, PF_W 2, PF_R 4
  bool operator==(const Segment&) const = default;
};

/// A named section, where section headers are there.
struct Section {
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  bool operator==(const Section&) const = default;
};

/// A version that an object needs of a library (DT_VERNEED).
struct VersionNeed {
  std::string library;  ///< file name in the version need
  std::string version;
  bool weak = false;  ///< VER_FLG_WEAK: absence is no error
  bool operator==(const VersionNeed&) const = default;
};

/// One ELF member, as its loader sees it.
struct ElfFacts {
  std::string path;
  int bits = 64;  ///< 32 or 64
  bool big_endian = false;
  std::uint16_t machine_code = 0;  ///< EM_*
  std::string machine;             ///< the platform tag's word; `em_190` for a code without one
  std::uint8_t os_abi = 0;         ///< EI_OSABI
  std::uint32_t flags = 0;         ///< e_flags
  std::string type;                ///< `dyn`, `exec`, `rel`, `core` or the number
  bool dynamic = false;            ///< has PT_DYNAMIC
  std::string soname;              ///< empty without DT_SONAME
  std::vector<std::string> needed;
  bool has_rpath = false;
  bool has_runpath = false;
  std::vector<std::string> rpath;    ///< entries in order, empty ones included
  std::vector<std::string> runpath;  ///< likewise
  std::vector<VersionNeed> version_needs;
  std::vector<std::string> defines_versions;  ///< DT_VERDEF without the base version
  Stack stack = Stack::absent;
  bool text_relocations = false;
  bool bind_now = false;
  bool relro = false;
  bool static_tls = false;          ///< DF_STATIC_TLS
  bool packed_relocations = false;  ///< DT_RELR
  std::optional<std::string> interpreter;
  std::string build_id;                 ///< lower-case hex; empty without one
  std::vector<std::string> isa_needed;  ///< property note: `x86-64-v2`…
  std::vector<Segment> segments;
  bool section_headers = false;
  std::vector<Section> sections;
  bool symtab = false;
  std::uint64_t symtab_bytes = 0;  ///< .symtab and .strtab
  bool debug = false;
  std::uint64_t debug_bytes = 0;   ///< .debug_* and .zdebug_*, as stored
  std::uint64_t exports = 0;       ///< defined dynamic symbols
  std::uint64_t imports = 0;       ///< undefined dynamic symbols but the null symbol
  std::vector<std::string> paths;  ///< among its strings, as rules ask; none of the loader's
  bool more_paths = false;         ///< there may be more than `paths` holds
  /// True when `symbols` holds every dynamic symbol; else those that shipped rules ask about.
  bool all_symbols = false;
  std::vector<Symbol> symbols;
  /// What the symbols' views point into.
  std::shared_ptr<const std::string> pool;

  /// Device code in ELF form, or for no known host machine: listed, not judged.
  bool is_host() const;
  /// Python's name for the module entry point that it exports, or empty (`PyInit_x`, `PyInitU_x`,
  /// `PyModExport_x`).
  std::string_view module_entry() const;
  bool is_extension() const { return !module_entry().empty(); }
  bool is_executable() const { return interpreter.has_value() || type == "exec"; }
  bool needs(std::string_view library) const;
  /// The search path that the loader reads: DT_RUNPATH, or DT_RPATH where there is none.
  const std::vector<std::string>& search_path() const { return has_runpath ? runpath : rpath; }
};

/// An object of another format, recognised by its magic.
struct ObjectFacts {
  std::string path;
  std::string format;   ///< `pe`, `macho`, `ar`, `wasm`
  std::string machine;  ///< `x86_64`, `aarch64`…; empty when not known
  bool operator==(const ObjectFacts&) const = default;
};

// ---------------------------------------------------------------- GPU code

/// Device code of one form and architecture in one member.
struct GpuCode {
  std::string form;  ///< `sass`, `ptx`, `lto`
  std::string arch;  ///< `9.0`, `9.0a`, `10.0f`
  std::uint64_t entries = 0;
  std::uint64_t containers = 0;
  std::uint64_t bytes = 0;          ///< payload bytes as stored
  std::uint64_t debug_entries = 0;  ///< built with -G
  std::string newest_ptx_isa;       ///< `8.7`; of PTX only
  std::string newest_toolkit;       ///< `12.8`, from cubins that carry it uncompressed; else empty
  bool operator==(const GpuCode&) const = default;
};

/// A distinct set of code, and how many containers of a place hold exactly it.
struct GpuProfile {
  std::string place;              ///< section name, or `bytes` outside sections
  std::vector<std::string> code;  ///< `sass 8.0`, `ptx 9.0`, sorted
  std::uint64_t containers = 0;
  bool operator==(const GpuProfile&) const = default;
};

/// The fat binaries and bare cubins of one member.
struct GpuFacts {
  std::string path;
  std::uint64_t containers = 0;
  std::map<std::string, std::uint64_t> places;
  std::uint64_t bare_cubins = 0;
  std::vector<GpuCode> code;
  std::vector<GpuProfile> profiles;
  std::vector<std::string> problems;  ///< containers that do not parse, with offset and reason
  bool operator==(const GpuFacts&) const = default;
};

// ---------------------------------------------------------------- the wheel

/// Everything that is known of one wheel.
struct WheelFacts {
  std::string given;  ///< the path as given on the command line; reports print it
  std::string file_name;
  std::uint64_t file_size = 0;
  std::string file_sha256;  ///< empty with --no-hash
  std::optional<NameFacts> name;
  std::string name_problem;             ///< why the file name does not parse
  std::vector<std::string> dist_infos;  ///< directories named `*.dist-info`, in order
  std::optional<MetadataFacts> metadata;
  std::optional<WheelFileFacts> wheel;
  std::optional<RecordFacts> record;
  std::vector<EntryPoint> entry_points;
  std::vector<std::string> entry_point_problems;
  std::vector<VariantProperty> variant_properties;
  std::string variant_problem;  ///< why the label's properties are not known; else empty
  Claim claim;
  std::vector<ArchiveProblem> archive_problems;
  std::vector<MemberFacts> members;
  std::vector<ElfFacts> elves;
  std::vector<GpuFacts> gpu;
  std::vector<ObjectFacts> objects;
  std::vector<HeaderFacts> headers;  ///< of the headers that shipped rules name
  std::vector<CMakeFacts> cmake;     ///< of the CMake files that shipped rules name
  std::vector<Unread> unread;

  const MemberFacts* member(std::string_view path) const;
  const ElfFacts* elf(std::string_view path) const;
  const GpuFacts* gpu_of(std::string_view path) const;
};

}  // namespace wheel_audit
