// Writes ZIP archives by PKWARE's APPNOTE 6.3, sound ones and, where the plan asks for it, ones
// that lie. Deterministic: times are fixed, and nothing depends on the host.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "forge/bytes_out.hpp"

namespace wheel_audit::forge {

inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflate = 8;
inline constexpr std::uint16_t kBzip2 = 12;

/// Header fields that are written as given instead of as they are, by name (`crc`, `size`, …).
using Lies = std::map<std::string, std::uint64_t, std::less<>>;

enum class Descriptor : std::uint8_t { none, plain, with_signature };

/// One member, and how its two headers lie.
struct ZipMember {
  std::string path;                       ///< what the recipe calls it
  std::string name;                       ///< bytes written in both headers
  std::optional<std::string> local_name;  ///< bytes written in the local header instead
  Bytes content;
  std::uint32_t mode = 0;  ///< st_mode
  std::uint16_t method = kDeflate;
  std::uint16_t flags = 0;
  std::uint8_t host = 3;  ///< Unix
  bool directory = false;
  bool zip64 = false;
  Descriptor descriptor = Descriptor::none;
  bool hidden = false;  ///< not in the directory
  bool row = true;      ///< RECORD has a row for it
  Bytes local_extra;
  Bytes central_extra;
  std::string comment;
  Lies local;
  Lies central;
  std::vector<std::pair<std::uint64_t, std::uint8_t>> flips;  ///< stored byte and what it is xored
  Bytes gap;                                                  ///< bytes before the local header
  std::string swallows;  ///< path of the member whose local record ends this one's stored bytes
};

/// An archive.
struct ZipPlan {
  std::vector<ZipMember> members;
  Bytes before;
  bool adjust_offsets = true;  ///< offsets count the bytes before
  Bytes gap_before_directory;
  Bytes after;
  std::string comment;
  std::optional<std::uint64_t> comment_length;
  std::optional<std::uint64_t> count;
  std::optional<std::uint64_t> directory_offset;
  std::optional<std::uint64_t> directory_size;
  bool zip64_end = false;
  bool zip64_locator = true;
  std::uint64_t zip64_record_size = 44;
  std::optional<std::int64_t> truncate;                 ///< file size; negative: bytes fewer
  std::vector<std::pair<std::int64_t, Bytes>> patches;  ///< negative: from the end
};

/// The archive's bytes.
Bytes write_zip(const ZipPlan& plan);

/// A member's local header, stored bytes and data descriptor.
Bytes local_record(const ZipMember& member);

/// Bytes compressed by a method; those of an unknown method stay as they are.
Bytes compress(const Bytes& content, std::uint16_t method);

}  // namespace wheel_audit::forge
