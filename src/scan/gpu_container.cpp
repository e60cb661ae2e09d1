// Reads one container's chain of entries, or one bare cubin's header, from a stream.
#include "scan/gpu_container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "scan/gpu_headers.hpp"
#include "wheel_audit/limits.hpp"

namespace wheel_audit::gpu {

namespace {

// Architectures are major * 10 + minor; real ones are 50 to 121.
constexpr std::uint32_t kLowestArch = 10;
constexpr std::uint32_t kHighestArch = 999;

// Of cubins of ABI version 8: how far from its header the note is looked for (it lies behind the
// symbols and the debug sections), and how the note begins: the lengths of name and contents, its
// type, the name.
constexpr std::uint64_t kNoteReach = 1U << 20U;
constexpr std::size_t kNoteSize = 32;
constexpr std::size_t kFirstWindow = 64;  ///< bytes searched at a time
constexpr std::size_t kLargestWindow = 4096;
constexpr std::array<std::uint8_t, 24> kInfoNote = {12,   0,   0,   0,   8,   0,   0,   0,
                                                    0xe8, 3,   0,   0,   'N', 'V', 'I', 'D',
                                                    'I',  'A', ' ', 'C', 'o', 'r', 'p', 0};

constexpr std::uint64_t kDebugFlag = 0x2;
constexpr std::uint64_t kCompressedFlags = 0x2000 | 0x8000;
constexpr std::uint64_t kSpecificFlag = 0x100000;
constexpr std::uint64_t kFamilyFlag = 0x200000;

}  // namespace

Candidate::Candidate(std::uint64_t offset, std::uint64_t size, bool elf)
    : offset_(offset), size_(size), bare_(elf) {
  want(elf ? Part::bare : Part::container, offset, elf ? kElfHeader : kContainerHeader);
}

void Candidate::want(Part part, std::uint64_t at, std::size_t count) {
  part_ = part;
  want_at_ = at;
  want_ = count;
  have_ = 0;
}

/// What is wanted is gathered here.
std::span<std::uint8_t> Candidate::room() {
  return part_ == Part::note ? std::span<std::uint8_t>(window_) : std::span<std::uint8_t>(buffer_);
}

Candidate::Outcome Candidate::advance(ByteView bytes, std::uint64_t base) {
  for (;;) {
    const std::uint64_t at = waits_for();
    if (at < base || at - base >= bytes.size()) return Outcome::reading;
    const ByteView piece = bytes.clamp(at - base, want_ - have_);
    std::ranges::copy(piece.span(), room().subspan(have_).begin());
    have_ += piece.span().size();
    if (have_ < want_) return Outcome::reading;
    const Outcome outcome = step();
    if (outcome != Outcome::reading) return outcome;
  }
}

Candidate::Outcome Candidate::cut(std::uint64_t end) {
  if (bare_) return part_ == Part::note ? Outcome::sound : Outcome::absent;
  if (part_ == Part::container) {
    Cursor cursor(buffer());
    const bool magic = std::ranges::equal(cursor.take(4).span(), kContainerMagic);
    if (!magic || cursor.u16() != 1 || cursor.u16() != kContainerHeader) return Outcome::absent;
    return broken(fmt::format("its header has {} bytes, expected {}", have_, kContainerHeader));
  }
  return broken(fmt::format("the member ends at 0x{:x}, expected entries up to 0x{:x}", end, end_));
}

Candidate::Outcome Candidate::step() {
  switch (part_) {
    case Part::container:
      return read_container();
    case Part::entry:
      return read_entry();
    case Part::cubin:
      return read_cubin();
    case Part::bare:
      return read_bare();
    case Part::note:
      return read_note();
  }
  return Outcome::absent;
}

Candidate::Outcome Candidate::broken(std::string message) {
  message_ = fmt::format("container at 0x{:x}: {}", offset_, message);
  return Outcome::broken;
}

Candidate::Outcome Candidate::read_container() {
  Cursor cursor(buffer());
  if (!std::ranges::equal(cursor.take(4).span(), kContainerMagic)) return Outcome::absent;
  const std::uint16_t version = cursor.u16();
  const std::uint16_t header_size = cursor.u16();
  const std::uint64_t size = cursor.u64();
  // Code that compares with the magic is seen; it is followed by something else.
  if (version != 1 || header_size != kContainerHeader) return Outcome::absent;
  next_ = offset_ + kContainerHeader;
  if (next_ > size_ || size > size_ - next_) {
    return broken(
        fmt::format("its entries have {} bytes, expected at most {} up to the member's end", size,
                    size_ > next_ ? size_ - next_ : 0));
  }
  end_ = next_ + size;
  return next_entry();
}

Candidate::Outcome Candidate::next_entry() {
  if (next_ == end_) return Outcome::sound;
  if (end_ - next_ < kEntryHeader) {
    return broken(fmt::format("{} bytes are left for the entry at 0x{:x}, expected at least {}",
                              end_ - next_, next_, kEntryHeader));
  }
  if (entries_.size() >= limits().gpu_container_entries) {
    return broken(fmt::format("it has more than {} entries, which is not read{}",
                              limits().gpu_container_entries,
                              limit_hint(&Limits::gpu_container_entries)));
  }
  want(Part::entry, next_, kEntryHeader);
  return Outcome::reading;
}

Candidate::Outcome Candidate::read_entry() {
  const EntryHeader header = read_entry_header(buffer());
  const std::uint64_t at = next_;
  const std::uint64_t left = end_ - at;
  if (header.header_size < kEntryHeader || header.header_size > left) {
    return broken(fmt::format("the entry at 0x{:x} has a header of {} bytes, expected {} to {}", at,
                              header.header_size, kEntryHeader, left));
  }
  if (header.payload_size > left - header.header_size) {
    return broken(fmt::format("the entry at 0x{:x} has {} payload bytes, expected at most {}", at,
                              header.payload_size, left - header.header_size));
  }
  next_ = at + header.header_size + header.payload_size;

  const bool known = header.kind == 1 || header.kind == 2 || header.kind == 8;
  if (!known || header.arch < kLowestArch || header.arch > kHighestArch) {
    // The chain may still fit: then the other entries count, and this one is named.
    if (message_.empty()) {
      message_ = fmt::format("container at 0x{:x}: the entry at 0x{:x} is of ", offset_, at) +
                 (known ? fmt::format("architecture {}, expected {} to {}", header.arch,
                                      kLowestArch, kHighestArch)
                        : fmt::format("kind {}, expected 1, 2 or 8", header.kind));
    }
    return next_entry();
  }
  Entry entry;
  entry.key.form = header.kind == 1 ? Form::ptx : header.kind == 2 ? Form::sass : Form::lto;
  entry.key.arch = static_cast<std::uint16_t>(header.arch);
  if ((header.flags & kFamilyFlag) != 0) entry.key.suffix = 'f';
  if ((header.flags & kSpecificFlag) != 0) entry.key.suffix = 'a';
  entry.debug = (header.flags & kDebugFlag) != 0;
  entry.bytes = header.payload_size;
  if (header.kind == 1) entry.isa = pack(header.version_major, header.version_minor);
  entries_.push_back(entry);

  const bool stored = (header.flags & kCompressedFlags) == 0;
  if (header.kind == 2 && stored && header.payload_size >= kElfHeader) {
    want(Part::cubin, at + header.header_size, kElfHeader);
    return Outcome::reading;
  }
  return next_entry();
}

Candidate::Outcome Candidate::read_cubin() {
  const CubinHeader header = read_cubin_header(buffer());
  if (!header.is_cubin) return next_entry();
  entries_.back().toolkit = toolkit_of(header);
  return header.abi < 8 ? next_entry() : seek_note(want_at_, entries_.back().bytes);
}

/// What follows when all is known of a cubin.
Candidate::Outcome Candidate::after_cubin() { return bare_ ? Outcome::sound : next_entry(); }

/// Looks for .note.nv.cuinfo in the cubin at `begin`, whose header was read. The section headers
/// that tell its place lie behind it, and bytes come once.
Candidate::Outcome Candidate::seek_note(std::uint64_t begin, std::uint64_t length) {
  note_end_ = begin + std::min(length, kNoteReach);
  window_.clear();
  const std::uint64_t at = begin + kElfHeader;
  if (note_end_ < at + kNoteSize) return after_cubin();
  want_note(at);
  return Outcome::reading;
}

void Candidate::want_note(std::uint64_t at) {
  // Windows grow: who has its note right behind its header is done with then.
  window_.resize(std::clamp(2 * window_.size(), kFirstWindow, kLargestWindow));
  want(Part::note, at,
       static_cast<std::size_t>(std::min<std::uint64_t>(note_end_ - at, window_.size())));
}

/// One window of the search; windows overlap, so that each place of a note lies within one.
Candidate::Outcome Candidate::read_note() {
  static const std::boyer_moore_horspool_searcher kNote(kInfoNote.begin(), kInfoNote.end());
  const std::span<const std::uint8_t> window = buffer().span();
  const auto hit = std::search(window.begin(), window.end(), kNote);
  const auto place = static_cast<std::size_t>(hit - window.begin());
  if (place + kNoteSize <= window.size()) {
    // Contents: the note's version, the architecture, the toolkit, each of 16 bits.
    Cursor cursor(buffer().clamp(place + kInfoNote.size() + 4, 2));
    entries_.back().toolkit = toolkit_of(cursor.u16());
    return after_cubin();
  }
  constexpr std::size_t kKept = kNoteSize - 1;
  const std::uint64_t at = want_at_ + window.size() - kKept;
  if (note_end_ - at < kNoteSize) return after_cubin();
  std::ranges::copy(window.last(kKept), window_.begin());
  want_note(at);
  have_ = kKept;
  return Outcome::reading;
}

Candidate::Outcome Candidate::read_bare() {
  const CubinHeader header = read_cubin_header(buffer());
  if (!header.is_cubin) return Outcome::absent;
  Entry entry;
  // ABI version 8 moved the architecture up by one byte.
  entry.key.arch =
      static_cast<std::uint16_t>((header.abi >= 8 ? header.flags >> 8U : header.flags) & 0xffU);
  if (entry.key.arch < kLowestArch) return Outcome::absent;
  // The mark of architecture-specific code; CUDA 13 no longer sets it, so its absence says nothing.
  const std::uint32_t specific = header.abi >= 8 ? 0x8 : 0x800;
  if ((header.flags & specific) != 0) entry.key.suffix = 'a';
  entry.toolkit = toolkit_of(header);
  if (header.length <= size_ - offset_) entry.bytes = header.length;
  entries_.push_back(entry);
  return header.abi < 8 ? Outcome::sound : seek_note(offset_, entry.bytes);
}

}  // namespace wheel_audit::gpu
