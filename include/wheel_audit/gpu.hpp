// Finds CUDA fat binaries and bare cubins in a stream of bytes of any format, and says which
// devices can load what. Layout and meanings: docs/fatbin.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "wheel_audit/bytes.hpp"
#include "wheel_audit/facts.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// Streams a member in order and collects its device code. Payloads are skipped, not decompressed.
class GpuScanner {
 public:
  /// `size` is the whole member's in bytes; `alignment` the one that container magics keep in
  /// this format (8 in ELF, 2 in archives and elsewhere).
  GpuScanner(std::uint64_t size, std::uint64_t alignment);
  ~GpuScanner();
  GpuScanner(GpuScanner&&) noexcept;
  GpuScanner& operator=(GpuScanner&&) noexcept;

  /// Bytes of the member that follow each other.
  struct Piece {
    std::uint64_t offset = 0;  ///< in the member
    ByteView bytes;
  };

  /// The next bytes of the member.
  void feed(ByteView chunk);
  /// What of the bytes that were fed last lies in no container, as far as was known there: in none
  /// that is sound so far.
  std::span<const Piece> outside() const;
  /// Whether `outside` left out bytes of what turned out to be no sound container; after `finish`,
  /// which settles those that are open.
  bool left_out_too_much() const;
  /// After the last byte: what was found, or nothing when there is no device code and no problem.
  /// Places are named by `sections` (those of the ELF reader; empty for other formats).
  std::optional<GpuFacts> finish(std::span<const Section> sections);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A compute capability, or code's architecture: `9.0`, `9.0a`, `10.0f`.
struct Arch {
  int major = 0;
  int minor = 0;
  char suffix = 0;  ///< 0, 'a' or 'f'
  auto operator<=>(const Arch&) const = default;
};

/// Reads `9.0`, `12.1a`, `10.0f`.
std::optional<Arch> parse_arch(std::string_view text);
std::string to_string(const Arch& arch);

/// Whether a device of capability `device` (without suffix) can load code of `form` (`sass`,
/// `ptx`, `lto`) for `code`. 10.1 is the CUDA 12 name of 11.0.
bool loads(std::string_view form, const Arch& code, const Arch& device);

/// One entry of an arch list.
struct ArchEntry {
  std::string form;  ///< `sass` or `ptx`
  Arch arch;
  bool operator==(const ArchEntry&) const = default;
};

/// Reads an arch list in torch's (`8.0;9.0+PTX`) or CMake's (`80;90-real;120-virtual`) spelling,
/// separated by `;`, `,` or spaces. A bare CMake number is both forms. Refuses named families,
/// `native`, `all`, `all-major` with the reason.
Result<std::vector<ArchEntry>> parse_arch_list(std::string_view text);

/// How a wheel, library or container serves a device.
enum class Coverage : std::uint8_t { none, part, ptx, sass };

/// `sass`, `ptx`, `part` or `none`.
std::string_view to_string(Coverage coverage);

/// The best that a library's code offers a device, over all containers together (never `part`).
Coverage covers(const GpuFacts& gpu, const Arch& device);
/// Containers (empty and LTO-only ones aside; relocatable PTX counts for the library) in which
/// nothing loads on the device.
std::uint64_t containers_without(const GpuFacts& gpu, const Arch& device);
/// The wheel's answer for a device: sass, ptx, part (some library has nothing), none.
Coverage covers(const WheelFacts& wheel, const Arch& device);

/// The compute capabilities that reports list: 7.5 to 12.1.
std::span<const Arch> known_devices();

/// The first CUDA release that takes a PTX ISA version (`8.7` → `12.8`), or empty when unknown.
std::string_view cuda_of_ptx_isa(std::string_view isa);

}  // namespace wheel_audit
