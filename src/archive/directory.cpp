// Reads the directory (APPNOTE 4.3.12): one entry per member. Counts are only compared, never
// trusted: entries are read while there are bytes for them.
#include <fmt/format.h>

#include <algorithm>

#include "archive/structure.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/utf8.hpp"

namespace wheel_audit {

namespace {

constexpr std::uint64_t kEntryBytes = 46;
constexpr std::uint8_t kHostUnix = 3;
constexpr std::uint8_t kHostMacOs = 19;
constexpr std::uint32_t kTypeMask = 0170000;
constexpr std::uint32_t kTypeDirectory = 0040000;

/// Bytes that are no UTF-8 as `\xNN`; everything else, control bytes too, as it is.
std::string path_of(std::string_view name) {
  if (is_utf8(name)) return std::string(name);
  std::string path;
  while (!name.empty()) {
    const CodePoint point = decode_utf8(name);
    if (point.valid) {
      path += name.substr(0, point.length);
    } else {
      path += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(name.front()));
    }
    name.remove_prefix(point.length);
  }
  return path;
}

/// The fixed part of an entry, and the lengths of the parts that follow it.
struct Entry {
  ArchiveMember member;
  Zip64Fields fields;
  std::uint16_t name = 0;
  std::uint16_t extra = 0;
  std::uint16_t comment = 0;
  std::uint64_t bytes() const { return kEntryBytes + name + extra + comment; }
};

std::optional<Entry> parse_fixed(ByteView bytes) {
  Cursor cursor(bytes);
  Entry entry;
  cursor.skip(5);
  entry.member.host = cursor.u8();
  entry.member.version_needed = cursor.u8();
  cursor.skip(1);
  entry.member.flags = cursor.u16();
  entry.member.method = cursor.u16();
  cursor.skip(4);
  entry.member.crc32 = cursor.u32();
  entry.fields.compressed = cursor.u32();
  entry.fields.size = cursor.u32();
  entry.name = cursor.u16();
  entry.extra = cursor.u16();
  entry.comment = cursor.u16();
  entry.fields.disk = cursor.u16();
  cursor.skip(2);
  const std::uint32_t attributes = cursor.u32();
  entry.fields.header_offset = cursor.u32();
  if (!cursor) return std::nullopt;
  const bool unix_mode = entry.member.host == kHostUnix || entry.member.host == kHostMacOs;
  entry.member.mode = unix_mode ? attributes >> 16U : 0;
  return entry;
}

/// Fills the member from the parts after the fixed one.
void finish(Entry& entry, std::uint64_t at, std::uint64_t shift, ByteView rest,
            Problems& problems) {
  ArchiveMember& member = entry.member;
  member.raw_name = rest.clamp(0, entry.name).text();
  member.utf8_name = is_utf8(member.raw_name);
  member.path = path_of(member.raw_name);
  member.directory = member.raw_name.ends_with('/') || (member.mode & kTypeMask) == kTypeDirectory;
  const ExtraContext context{false, at, member.method, member.raw_name, &member.path};
  read_extra(rest.clamp(entry.name, entry.extra), context, entry.fields, problems);
  member.size = entry.fields.size;
  member.compressed = entry.fields.compressed;
  // An offset that wraps round is past every end, as it was before.
  member.header_offset =
      entry.fields.header_offset > ~shift ? ~std::uint64_t{0} : entry.fields.header_offset + shift;
  const auto report = [&](std::string message) {
    problems.ambiguous(at, member.path, std::move(message));
  };
  if (entry.comment != 0) {
    report(fmt::format("directory entry at offset {} has a comment of {} bytes, expected none", at,
                       entry.comment));
  }
  if (entry.fields.disk != 0) {
    report(fmt::format("directory entry at offset {} says disk {}, expected 0", at,
                       entry.fields.disk));
  }
  if (member.raw_name.ends_with('/') && (member.size != 0 || member.compressed > 2)) {
    report(
        fmt::format("directory entry at offset {} gives the directory {} {} bytes of data, which "
                    "some readers write and others pass over",
                    at, quoted(member.raw_name), member.size));
  }
  const bool ascii = std::ranges::all_of(
      member.raw_name, [](char c) { return static_cast<std::uint8_t>(c) < 0x80; });
  if (!ascii && (member.flags & kFlagUtf8) == 0) {
    report(
        fmt::format("directory entry at offset {} has bytes of 0x80 and above in its name {} "
                    "without the UTF-8 flag (bit 11)",
                    at, quoted(member.raw_name)));
  }
}

/// Compares what the end record says with what the walk found.
void compare_with_end(const EndOfDirectory& end, std::uint64_t entries, std::uint64_t walked_to,
                      Problems& problems) {
  if (entries != end.entries) {
    problems.ambiguous(end.limit, std::nullopt,
                       fmt::format("end record at offset {} says {} entries, the directory at "
                                   "offset {} has {}",
                                   end.limit, end.entries, end.offset, entries));
  }
  if (walked_to - end.offset != end.size) {
    problems.ambiguous(end.limit, std::nullopt,
                       fmt::format("end record at offset {} says a directory of {} bytes, the "
                                   "directory at offset {} has {}",
                                   end.limit, end.size, end.offset, walked_to - end.offset));
  }
  if (walked_to != end.limit) {
    problems.ambiguous(walked_to, std::nullopt,
                       fmt::format("{} bytes at offset {} between directory and end record belong "
                                   "to no record",
                                   end.limit - walked_to, walked_to));
  }
}

}  // namespace

Result<std::vector<ArchiveMember>> read_directory(const InputFile& file, const EndOfDirectory& end,
                                                  Problems& problems) {
  Window window(file);
  std::vector<ArchiveMember> members;
  std::uint64_t at = end.offset;
  while (at < end.limit) {
    const auto broken = [&](std::string_view what) {
      return Error(fmt::format("the directory breaks off after {} of {} entries: at offset {} {}",
                               members.size(), end.entries, at, what));
    };
    const ByteView fixed = window.at(at, std::min(kEntryBytes, end.limit - at));
    if (!window.state()) return window.state().error();
    const std::uint32_t signature = Cursor(fixed).u32();
    if (signature != kDirectorySignature) {
      if (members.size() >= end.entries) break;
      return broken(
          fmt::format("signature {:#010x}, expected {:#010x}", signature, kDirectorySignature));
    }
    if (members.size() == limits().members) {
      return Error(fmt::format("the directory has more than {} members, the most that are read{}",
                               limits().members, limit_hint(&Limits::members)));
    }
    std::optional<Entry> entry = parse_fixed(fixed);
    if (!entry || entry->bytes() > end.limit - at) {
      return broken(fmt::format("an entry runs past the directory's end at offset {}", end.limit));
    }
    const std::uint64_t length = entry->bytes();
    const ByteView rest = window.at(at + kEntryBytes, length - kEntryBytes);
    if (rest.size() != length - kEntryBytes) return broken("the file ends: it shrank");
    finish(*entry, at, end.shift, rest, problems);
    members.push_back(std::move(entry->member));
    at += length;
  }
  compare_with_end(end, members.size(), at, problems);
  return members;
}

}  // namespace wheel_audit
