// What the GPU scanner's parts share: one candidate that reads a container or a bare cubin as the
// bytes go by, and what candidates that turned out sound leave behind. Layout: docs/fatbin.md.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wheel_audit/bytes.hpp"
#include "wheel_audit/facts.hpp"

namespace wheel_audit::gpu {

/// The first four bytes of a container and of an ELF file.
inline constexpr std::array<std::uint8_t, 4> kContainerMagic = {0x50, 0xed, 0x55, 0xba};
inline constexpr std::array<std::uint8_t, 4> kElfMagic = {0x7f, 'E', 'L', 'F'};

/// In the order that reports list code.
enum class Form : std::uint8_t { sass, ptx, lto };

/// Form and architecture of one piece of device code.
struct CodeKey {
  Form form = Form::sass;
  std::uint16_t arch = 0;  ///< major * 10 + minor
  char suffix = 0;         ///< 0, 'a' or 'f'
  auto operator<=>(const CodeKey&) const = default;
};

/// `13.0` as a number that orders like the version: major * 65536 + minor; 0 is none.
using PackedVersion = std::uint32_t;
constexpr PackedVersion pack(std::uint32_t major, std::uint32_t minor) {
  return (major << 16U) | minor;
}

/// One entry of a container, or a bare cubin.
struct Entry {
  CodeKey key;
  bool debug = false;
  std::uint64_t bytes = 0;
  PackedVersion isa = 0;      ///< of PTX
  PackedVersion toolkit = 0;  ///< of cubins that say it
};

/// A sound container, or a bare cubin as a container of one entry.
struct Found {
  std::uint64_t offset = 0;
  bool bare = false;
  std::vector<Entry> entries;
};

/// A container that does not parse.
struct Problem {
  std::uint64_t offset = 0;
  std::string message;
};

/// What one offset of the member may turn out to be. Wants a few bytes at a time: the container's
/// header, each entry's header, and the ELF header of cubins that are stored as they are.
class Candidate {
 public:
  /// `absent`: not what its magic promised, which is no fault.
  enum class Outcome : std::uint8_t { reading, sound, absent, broken };

  /// `elf` tells a bare cubin from a container; `size` is the whole member's.
  Candidate(std::uint64_t offset, std::uint64_t size, bool elf);

  /// Takes what it wants of the bytes at `base`; bytes come in order, without gaps.
  Outcome advance(ByteView bytes, std::uint64_t base);
  /// The outcome when no more bytes come.
  Outcome cut(std::uint64_t end);

  std::uint64_t offset() const { return offset_; }
  /// The first byte after the container.
  std::uint64_t end() const { return end_; }
  /// The next byte that it waits for.
  std::uint64_t waits_for() const { return want_at_ + have_; }
  /// Where the last byte of what it wants now has gone by: there it goes on, or is done.
  std::uint64_t decides_at() const { return want_at_ + want_; }
  /// Why it is broken; of a sound container: what in it is not understood, or empty.
  const std::string& message() const { return message_; }
  bool is_bare() const { return bare_; }
  std::vector<Entry>& entries() { return entries_; }

  // How much was found when it began: only what came later can lie inside it.
  std::size_t found_before = 0;
  std::size_t problems_before = 0;
  std::uint64_t more_problems_before = 0;

 private:
  enum class Part : std::uint8_t { container, entry, cubin, bare, note };

  void want(Part part, std::uint64_t at, std::size_t count);
  Outcome step();
  Outcome read_container();
  Outcome read_entry();
  Outcome read_cubin();
  Outcome read_bare();
  Outcome seek_note(std::uint64_t begin, std::uint64_t length);
  Outcome read_note();
  void want_note(std::uint64_t at);
  Outcome after_cubin();
  Outcome next_entry();
  Outcome broken(std::string message);
  std::span<std::uint8_t> room();
  ByteView buffer() { return ByteView(std::span<const std::uint8_t>(room().first(have_))); }

  std::uint64_t offset_;
  std::uint64_t size_;
  std::uint64_t end_ = 0;
  std::uint64_t want_at_ = 0;
  std::uint64_t next_ = 0;      ///< where the next entry begins
  std::uint64_t note_end_ = 0;  ///< up to where a cubin's note is looked for
  std::size_t want_ = 0;
  std::size_t have_ = 0;
  Part part_ = Part::container;
  bool bare_ = false;
  std::array<std::uint8_t, 64> buffer_{};
  std::vector<std::uint8_t> window_;  ///< the bytes that are searched for a cubin's note
  std::vector<Entry> entries_;
  std::string message_;
};

/// Puts what was found into facts, without the member's path.
GpuFacts describe(const std::vector<Found>& found, std::span<const Section> sections);

}  // namespace wheel_audit::gpu
