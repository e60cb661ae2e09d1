// Reads one wheel: its name, its texts, and one scan of every member, put together as facts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

// ---- names and tags

/// Splits a wheel's file name; the error says what is wrong with it.
Result<NameFacts> parse_wheel_name(std::string_view file_name);

/// Whether `stem` (`demo-1.0`, of a dist-info or data directory) is the file name's project and
/// version after normalisation of both.
bool is_own(std::string_view stem, const NameFacts& name);

/// The dist-info directory that the wheel's texts are read from: its own, else the first; empty
/// without one.
std::string own_dist_info(const WheelFacts& wheel);

/// As many tags of one wheel are told apart; real ones have under twenty.
inline constexpr std::size_t kMostTags = 100'000;

/// The file name's tags, expanded: `cp311-cp311-manylinux_2_17_x86_64` and so on, sorted, the first
/// kMostTags of them.
std::vector<std::string> expand_tags(const NameFacts& name);

/// A Linux platform tag taken apart.
struct PlatformTag {
  std::string tag;   ///< as written
  std::string libc;  ///< `glibc`, `musl`; empty for plain `linux_*`
  int major = 0;     ///< C library version that it promises
  int minor = 0;
  std::string machine;  ///< `x86_64`
};

/// The Linux tags among platform tags (manylinux1, 2010 and 2014 as their numbers); others are
/// left out.
std::vector<PlatformTag> linux_tags(const std::vector<std::string>& platforms);

/// A Python tag: `cp311` → {"cp", 3, 11}; `py3` → {"py", 3, -1}.
struct PythonTag {
  std::string implementation;
  int major = 0;
  int minor = -1;
};
std::optional<PythonTag> parse_python_tag(std::string_view tag);

// ---- texts

/// METADATA's headers (CRLF and folded lines as email parsers read them; the body ends them).
MetadataFacts parse_metadata(std::string path, std::string_view text);
/// The WHEEL file's headers.
WheelFileFacts parse_wheel_file(std::string path, std::string_view text);
/// RECORD's rows (RFC 4180 quoting); rows that are not three fields become problems.
RecordFacts parse_record(std::string path, std::string_view text);
/// entry_points.txt; lines that are neither section nor `name = target` become problems.
std::vector<EntryPoint> parse_entry_points(std::string_view text,
                                           std::vector<std::string>& problems);
/// variant.json's properties of the label (PEP 825); the error says why they are not known.
Result<std::vector<VariantProperty>> parse_variant(std::string_view json, std::string_view label);

/// What the wheel claims (local version, variant, distribution suffix), from name and properties.
Claim read_claim(const WheelFacts& wheel);
/// The CUDA train of a local version segment: `cu130`, `cu13` (major only), `cpu`, `rocm6.2`…
Claim claim_of_local_version(std::string_view local);

// ---- the wheel

/// How a wheel is read.
struct ReadOptions {
  bool hash = true;                  ///< SHA-256 of members
  bool file_digest = false;          ///< SHA-256 of the wheel file itself
  bool all_symbols = false;          ///< keep every dynamic symbol
  unsigned jobs = 1;                 ///< threads
  bool confine = false;              ///< in threads of their own that may do nothing but read
  std::vector<std::string> symbols;  ///< names or globs of symbols that rules ask about
  TextWishes texts;                  ///< globs of members whose texts rules ask about
};

/// What reading cost.
struct ReadStats {
  std::uint64_t inflated = 0;   ///< bytes handed out by the archive, rescans included
  std::uint64_t rescanned = 0;  ///< bytes of passes after the first
  std::uint64_t hashed = 0;
};

/// Reads a wheel. Never fails: what could not be read is in `unread`.
WheelFacts read_wheel(const std::string& path, const ReadOptions& options,
                      ReadStats* stats = nullptr);

/// Reads a wheel that is in memory, under a file name.
WheelFacts read_wheel_bytes(const std::string& file_name, std::vector<std::uint8_t> bytes,
                            const ReadOptions& options);

/// Reads several wheels over one pool of threads, (wheel, member) at a time, largest first; results
/// are in the order of `paths` whatever the number of threads. `done` is called as wheels finish.
std::vector<WheelFacts> read_wheels(const std::vector<std::string>& paths,
                                    const ReadOptions& options, ReadStats* stats = nullptr,
                                    const std::function<void(std::size_t)>& done = {});

/// Reads an installed site-packages: the facts of each distribution with a dist-info directory, its
/// files those that RECORD lists, and last those of the files that none lists (without a name).
/// ELF files are read, others looked at by their first bytes. Refuses what is no directory; what
/// cannot be read is in `unread`.
Result<std::vector<WheelFacts>> read_installed(const std::string& directory);

}  // namespace wheel_audit
