// Finds the directory from the end of the file: the last end record that leads to one, with its
// ZIP64 record where there is a locator (APPNOTE 4.3.14 to 4.3.16).
#include <fmt/format.h>

#include <algorithm>

#include "archive/structure.hpp"

namespace wheel_audit {

namespace {

constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kEnd64Bytes = 56;
constexpr std::uint64_t kLocatorBytes = 20;
constexpr std::string_view kEndMark = "PK\5\6";
constexpr std::string_view kNoEnd = "not a zip archive: no end-of-directory record found";

/// The fields of an end record, of either width.
struct EndRecord {
  std::uint64_t at = 0;
  std::uint32_t disk = 0;
  std::uint32_t directory_disk = 0;
  std::uint64_t entries_here = 0;
  std::uint64_t entries = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;
  std::uint64_t rest = 0;  ///< bytes of comment; of a ZIP64 record: its own size field
};

EndRecord parse_end(ByteView bytes, std::uint64_t at) {
  Cursor cursor(bytes);
  cursor.skip(4);
  EndRecord record{.at = at};
  record.disk = cursor.u16();
  record.directory_disk = cursor.u16();
  record.entries_here = cursor.u16();
  record.entries = cursor.u16();
  record.size = cursor.u32();
  record.offset = cursor.u32();
  record.rest = cursor.u16();
  return record;
}

/// The ZIP64 end record at an offset, or nothing when there is none.
std::optional<EndRecord> parse_end64(Window& window, std::uint64_t at) {
  Cursor cursor(window.at(at, kEnd64Bytes));
  EndRecord record{.at = at};
  if (cursor.u32() != kEnd64Signature) return std::nullopt;
  record.rest = cursor.u64();
  cursor.skip(4);
  record.disk = cursor.u32();
  record.directory_disk = cursor.u32();
  record.entries_here = cursor.u64();
  record.entries = cursor.u64();
  record.size = cursor.u64();
  record.offset = cursor.u64();
  if (!cursor) return std::nullopt;
  return record;
}

bool has_signature(Window& window, std::uint64_t at, std::uint32_t signature) {
  return Cursor(window.at(at, 4)).u32() == signature;
}

/// Compares the 16 and 32-bit fields with the ZIP64 record that they should point to.
void compare_ends(const EndRecord& end, const EndRecord& end64, Problems& problems) {
  const auto differ = [&](std::string_view what, std::uint64_t narrow, std::uint64_t wide,
                          std::uint64_t placeholder) {
    if (narrow == wide || narrow == placeholder) return;
    problems.ambiguous(end.at, std::nullopt,
                       fmt::format("end record at offset {} says {} {}, the ZIP64 end record says "
                                   "{}",
                                   end.at, what, narrow, wide));
  };
  differ("entries", end.entries, end64.entries, kPlaceholder16);
  differ("directory size", end.size, end64.size, kPlaceholder32);
  differ("directory offset", end.offset, end64.offset, kPlaceholder32);
}

/// The ZIP64 record of an end record, or nothing when it has none.
std::optional<EndRecord> find_end64(Window& window, const EndRecord& end, Problems& problems) {
  const std::uint64_t locator_at = end.at - kLocatorBytes;
  if (end.at >= kLocatorBytes && has_signature(window, locator_at, kLocatorSignature)) {
    Cursor cursor(window.at(locator_at, kLocatorBytes));
    cursor.skip(8);
    const std::uint64_t said = cursor.u64();
    const std::uint32_t disks = cursor.u32();
    std::optional<EndRecord> found;
    if (said < locator_at) found = parse_end64(window, said);
    if (!found && locator_at >= kEnd64Bytes) found = parse_end64(window, locator_at - kEnd64Bytes);
    if (!found || found->at != said || disks > 1) {
      problems.ambiguous(
          locator_at, std::nullopt,
          fmt::format("ZIP64 locator at offset {} says offset {} of {} disks, {}", locator_at, said,
                      disks,
                      found ? fmt::format("the record is at {} of one disk", found->at)
                            : "where there is no ZIP64 end record"));
    }
    if (found && (found->rest != kEnd64Bytes - 12 || found->at + kEnd64Bytes != locator_at)) {
      problems.ambiguous(found->at, std::nullopt,
                         fmt::format("ZIP64 end record at offset {} says {} bytes, expected {} and "
                                     "the locator right after",
                                     found->at, found->rest, kEnd64Bytes - 12));
    }
    return found;
  }
  const bool placeholder =
      end.entries == kPlaceholder16 || end.size == kPlaceholder32 || end.offset == kPlaceholder32;
  if (!placeholder || end.at < kEnd64Bytes) return std::nullopt;
  const std::optional<EndRecord> found = parse_end64(window, end.at - kEnd64Bytes);
  if (found) {
    problems.ambiguous(found->at, std::nullopt,
                       fmt::format("ZIP64 end record at offset {} has no locator", found->at));
  }
  return found;
}

/// Follows an end record to its directory; an error when it leads to none.
Result<EndOfDirectory> follow(const InputFile& file, const EndRecord& end, Problems& problems) {
  Window window(file);
  const std::optional<EndRecord> end64 = find_end64(window, end, problems);
  if (end64) compare_ends(end, *end64, problems);
  const EndRecord& record = end64 ? *end64 : end;
  EndOfDirectory found{record.at, record.entries, record.offset, record.size, 0};
  const bool one_disk = record.disk == 0 && record.directory_disk == 0;
  if (!one_disk || record.entries_here != record.entries) {
    problems.ambiguous(
        record.at, std::nullopt,
        fmt::format("end record at offset {} says {} of {} entries on disk {}, directory on disk "
                    "{}, expected one disk",
                    record.at, record.entries_here, record.entries, record.disk,
                    record.directory_disk));
  }
  if (record.entries == 0 && record.size == 0) {
    if (record.offset == record.at) return found;
    problems.ambiguous(record.at, std::nullopt,
                       fmt::format("end record at offset {} says directory offset {}, expected {}",
                                   record.at, record.offset, record.at));
    found.offset = record.at;
    return found;
  }
  if (record.offset < record.at && has_signature(window, record.offset, kDirectorySignature)) {
    return found;
  }
  // Bytes put before an archive shift it; most readers then trust the directory's size instead.
  const bool fits = record.size <= record.at && record.offset <= record.at - record.size;
  const std::uint64_t behind = fits ? record.at - record.size : 0;
  if (fits && has_signature(window, behind, kDirectorySignature)) {
    problems.ambiguous(record.at, std::nullopt,
                       fmt::format("end record at offset {} says directory offset {}, it is at {}",
                                   record.at, record.offset, behind));
    found.shift = behind - record.offset;
    found.offset = behind;
    // Where the first entry's header lies at the offset as written, nothing is shifted: the end
    // record alone is wrong.
    constexpr std::uint64_t kOffsetInEntry = 42;
    const std::uint64_t first = Cursor(window.at(behind + kOffsetInEntry, 4)).u32();
    if (has_signature(window, first, kLocalSignature) &&
        !has_signature(window, first + found.shift, kLocalSignature)) {
      found.shift = 0;
    }
    return found;
  }
  if (!window.state()) return window.state().error();
  return Error(
      fmt::format("no directory at offset {}, where the end record at offset {} says it is",
                  record.offset, record.at));
}

/// What follows an end record, and which other end record could be taken for it.
void check_tail(ByteView tail, std::uint64_t base, std::uint64_t file_size, const EndRecord& end,
                Problems& problems) {
  const std::uint64_t comment_at = end.at + kEndBytes;
  const std::uint64_t left = file_size - comment_at;
  if (end.rest > left) {
    problems.ambiguous(end.at, std::nullopt,
                       fmt::format("end record at offset {} says a comment of {} bytes, {} follow",
                                   end.at, end.rest, left));
  } else if (end.rest < left) {
    problems.ambiguous(comment_at + end.rest, std::nullopt,
                       fmt::format("{} bytes after the archive's end at offset {}", left - end.rest,
                                   comment_at + end.rest));
  }
  const std::string_view text = tail.text();
  for (std::size_t at = text.find(kEndMark); at != std::string_view::npos;
       at = text.find(kEndMark, at + 1)) {
    const std::uint64_t offset = base + at;
    if (offset == end.at) continue;
    const std::optional<ByteView> bytes = tail.slice(at, kEndBytes);
    // Before the end record, an embedded archive may have its own; it counts when its comment
    // would reach to the end of the file.
    const bool rival =
        offset > end.at || (bytes && offset + kEndBytes + parse_end(*bytes, 0).rest == file_size);
    if (!rival) continue;
    problems.ambiguous(
        offset, std::nullopt,
        fmt::format("a second end record at offset {}, the one taken is at {}", offset, end.at));
    return;
  }
}

}  // namespace

Result<EndOfDirectory> find_end(const InputFile& file, Problems& problems) {
  if (file.size() == 0) return Error("not a zip archive: the file is empty");
  std::vector<std::uint8_t> buffer(
      static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), kEndBytes + kPlaceholder16)));
  const std::uint64_t base = file.size() - buffer.size();
  const Result<std::size_t> count = file.read(base, buffer);
  if (!count) return count.error();
  if (*count != buffer.size()) return Error("the file shrank while it was read");
  const ByteView tail{std::span<const std::uint8_t>(buffer)};
  const std::string_view text = tail.text();
  std::optional<Error> first_error;
  for (std::size_t at = text.rfind(kEndMark); at != std::string_view::npos;
       at = at == 0 ? std::string_view::npos : text.rfind(kEndMark, at - 1)) {
    const std::optional<ByteView> bytes = tail.slice(at, kEndBytes);
    if (!bytes) continue;
    const EndRecord record = parse_end(*bytes, base + at);
    Problems found;
    Result<EndOfDirectory> end = follow(file, record, found);
    if (!end) {
      if (!first_error) first_error = end.error();
      continue;
    }
    for (ArchiveProblem& problem : found.take()) {
      problems.add(problem.code, problem.offset, std::nullopt, std::move(problem.message));
    }
    check_tail(tail, base, file.size(), record, problems);
    return end;
  }
  return first_error ? *first_error : Error(std::string(kNoEnd));
}

}  // namespace wheel_audit
