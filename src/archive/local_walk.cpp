// Walks the archive from byte 0: each local header (APPNOTE 4.3.7), its data and its descriptor
// must follow the one before without a gap, and say what the directory says. A member that starts
// inside another is not streamed: members that share bytes are how small archives unpack to
// petabytes.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "archive/structure.hpp"

namespace wheel_audit {

namespace {

constexpr std::uint64_t kHeaderBytes = 30;

struct LocalHeader {
  std::uint64_t at = 0;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t crc32 = 0;
  Zip64Fields sizes;
  std::string name;
  std::vector<std::uint8_t> extra;
  std::uint64_t data = 0;  ///< offset of the member's bytes
};

/// The header at an offset, or nothing when it is none or runs past the end of the file.
std::optional<LocalHeader> parse_local(Window& window, std::uint64_t at) {
  Cursor cursor(window.at(at, kHeaderBytes));
  if (cursor.u32() != kLocalSignature) return std::nullopt;
  LocalHeader header;
  header.at = at;
  cursor.skip(2);
  header.flags = cursor.u16();
  header.method = cursor.u16();
  cursor.skip(4);
  header.crc32 = cursor.u32();
  header.sizes.compressed = cursor.u32();
  header.sizes.size = cursor.u32();
  const std::uint16_t name = cursor.u16();
  const std::uint16_t extra = cursor.u16();
  if (!cursor) return std::nullopt;
  const std::uint64_t rest_bytes = std::uint64_t{name} + extra;
  const ByteView rest = window.at(at + kHeaderBytes, rest_bytes);
  if (rest.size() != rest_bytes) return std::nullopt;
  header.name = rest.clamp(0, name).text();
  const ByteView field = rest.clamp(name, extra);
  header.extra.assign(field.span().begin(), field.span().end());
  header.data = at + kHeaderBytes + rest_bytes;
  return header;
}

/// The state of one walk.
class Walk {
 public:
  Walk(const InputFile& file, const EndOfDirectory& end, std::vector<ArchiveMember>& members,
       Problems& problems)
      : end_(end), members_(members), problems_(problems), window_(file) {}

  Result<Unstreamable> run() {
    std::vector<std::size_t> order(members_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t index) { return members_[index].header_offset; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::uint64_t next =
          i + 1 < order.size() ? members_[order[i + 1]].header_offset : end_.offset;
      visit(order[i], std::min(next, end_.offset));
    }
    walk_unlisted(end_.offset);
    if (!window_.state()) return window_.state().error();
    return std::move(unstreamable_);
  }

 private:
  void visit(std::size_t index, std::uint64_t next) {
    ArchiveMember& member = members_[index];
    const std::uint64_t at = member.header_offset;
    walk_unlisted(std::min(at, end_.offset));
    std::optional<LocalHeader> header;
    if (at < end_.offset) header = parse_local(window_, at);
    if (!header) {
      refuse(index, at,
             fmt::format("no whole local header at offset {}, where the directory says {} starts",
                         at, quoted(member.raw_name)));
      return;
    }
    compare(*header, member);
    member.data_offset = header->data;
    if (at < position_) {
      refuse(index, at,
             fmt::format("local header at offset {} lies inside {}, which ends at {}", at,
                         quoted(previous_), position_));
    }
    if (header->data > end_.offset || member.compressed > end_.offset - header->data) {
      refuse(index, at,
             fmt::format("{} bytes of data at offset {} run past the directory's start at offset "
                         "{}",
                         member.compressed, header->data, end_.offset));
      // Where it really ends is not known: the next member is taken to be right.
      position_ = std::max(position_, next);
      return;
    }
    const std::uint64_t end = end_of(*header, member, next);
    if (end > position_) {
      position_ = end;
      previous_ = member.raw_name;
    }
  }

  /// Records a problem that makes a member's bytes unusable.
  void refuse(std::size_t index, std::uint64_t offset, const std::string& message) {
    problems_.ambiguous(offset, members_[index].path, message);
    unstreamable_.try_emplace(index, message);
    members_[index].data_offset = 0;
  }

  /// Says where the local header and the directory differ.
  void compare(LocalHeader& header, const ArchiveMember& member) {
    const ExtraContext context{true, header.at, header.method, header.name, &member.path};
    read_extra(ByteView(header.extra), context, header.sizes, problems_);
    const auto report = [&](std::string_view what, std::string_view local,
                            std::string_view listed) {
      problems_.ambiguous(header.at, member.path,
                          fmt::format("local header at offset {} says {}{}, the directory says {}",
                                      header.at, what, local, listed));
    };
    const auto number = [&](std::string_view what, std::uint64_t local, std::uint64_t listed) {
      if (local != listed) report(what, std::to_string(local), std::to_string(listed));
    };
    const auto hex = [&](std::string_view what, unsigned width, std::uint32_t local,
                         std::uint32_t listed) {
      if (local == listed) return;
      report(what, fmt::format("{:#0{}x}", local, width), fmt::format("{:#0{}x}", listed, width));
    };
    if (header.name != member.raw_name) report("", quoted(header.name), quoted(member.raw_name));
    hex("flags ", 6, header.flags, member.flags);
    number("method ", header.method, member.method);
    const bool descriptor = ((header.flags | member.flags) & kFlagDescriptor) != 0;
    if (descriptor) {
      problems_.add("data-descriptor", header.at, member.path,
                    fmt::format("local header at offset {} leaves size and CRC to a data "
                                "descriptor (flag bit 3), which indexes refuse",
                                header.at));
    }
    // A descriptor's member may leave these zero.
    if (!descriptor || header.crc32 != 0) hex("CRC ", 10, header.crc32, member.crc32);
    if (!descriptor || header.sizes.size != 0) number("size ", header.sizes.size, member.size);
    if (!descriptor || header.sizes.compressed != 0) {
      number("compressed size ", header.sizes.compressed, member.compressed);
    }
  }

  /// Where a member ends, its descriptor included.
  std::uint64_t end_of(const LocalHeader& header, const ArchiveMember& member, std::uint64_t next) {
    const std::uint64_t end = header.data + member.compressed;
    if (((header.flags | member.flags) & kFlagDescriptor) == 0) return end;
    const std::uint64_t length = descriptor_length(end, member, next);
    if (length == 0) {
      problems_.ambiguous(end, member.path,
                          fmt::format("no data descriptor with CRC {:#010x} and sizes {} and {} at "
                                      "offset {}, where the data ends",
                                      member.crc32, member.compressed, member.size, end));
    }
    return end + length;
  }

  /// Bytes of the descriptor at an offset (APPNOTE 4.3.9: the signature is optional, the sizes are
  /// 4 or 8 bytes wide), or 0. Of several readings the one that ends where the next record starts.
  std::uint64_t descriptor_length(std::uint64_t at, const ArchiveMember& member,
                                  std::uint64_t next) {
    const ByteView bytes = window_.at(at, 24);
    std::uint64_t first = 0;
    for (const bool wide : {false, true}) {
      for (const bool sign : {true, false}) {
        Cursor cursor(bytes);
        if (sign && cursor.u32() != kDescriptorSignature) continue;
        const bool same = cursor.u32() == member.crc32 && cursor.word(wide) == member.compressed &&
                          cursor.word(wide) == member.size;
        if (!cursor || !same) continue;
        if (at + cursor.position() == next) return cursor.position();
        if (first == 0) first = cursor.position();
      }
    }
    return first;
  }

  /// Records what lies between the walk's position and the next member: nothing should.
  void walk_unlisted(std::uint64_t until) {
    while (position_ < until) {
      std::optional<LocalHeader> header = parse_local(window_, position_);
      if (!header || header->data > until) {
        report_gap(until);
        position_ = until;
        return;
      }
      problems_.ambiguous(position_, std::nullopt,
                          fmt::format("local header at offset {} names {}, which the directory "
                                      "does not list there",
                                      position_, quoted(header->name)));
      const bool unknown_end =
          (header->flags & kFlagDescriptor) != 0 || header->sizes.compressed == kPlaceholder32;
      const std::uint64_t room = until - header->data;
      position_ = unknown_end ? until : header->data + std::min(header->sizes.compressed, room);
    }
  }

  void report_gap(std::uint64_t until) {
    const std::uint64_t length = until - position_;
    const std::string_view place = position_ == 0 ? "before the first header" : "between members";
    std::string message =
        fmt::format("{} bytes at offset {} {} belong to no record", length, position_, place);
    if (length >= 4) {
      const std::uint32_t signature = Cursor(window_.at(position_, 4)).u32();
      message += fmt::format(" (signature {:#010x})", signature);
    }
    problems_.ambiguous(position_, std::nullopt, std::move(message));
  }

  const EndOfDirectory& end_;
  std::vector<ArchiveMember>& members_;
  Problems& problems_;
  Window window_;
  Unstreamable unstreamable_;
  std::uint64_t position_ = 0;
  std::string previous_;  ///< name of the member that ends at the position
};

}  // namespace

Result<Unstreamable> walk_local_headers(const InputFile& file, const EndOfDirectory& end,
                                        std::vector<ArchiveMember>& members, Problems& problems) {
  return Walk(file, end, members, problems).run();
}

}  // namespace wheel_audit
