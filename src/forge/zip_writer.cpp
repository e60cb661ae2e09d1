// Zip archives (APPNOTE.TXT 6.3.10) in which every field may lie. Shares no code with the readers.
#include "forge/zip_writer.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <algorithm>

namespace wheel_audit::forge {

namespace {

constexpr std::uint64_t kFull16 = 0xffff;
constexpr std::uint64_t kFull32 = 0xffffffff;
constexpr std::uint16_t kDate = 0x5021;  // 2020-01-01
constexpr std::uint16_t kTime = 0;
constexpr std::uint16_t kDescriptorFlag = 8;

Bytes deflate_raw(const Bytes& content) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return content;
  }
  Bytes out(deflateBound(&stream, static_cast<uLong>(content.size())));
  Bytes in = content;  // zlib's input pointer is not const
  stream.next_in = in.data();
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Bytes bzip2(const Bytes& content) {
  std::string in(content.begin(), content.end());
  std::string out(content.size() + content.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  if (BZ2_bzBuffToBuffCompress(out.data(), &size, in.data(), static_cast<unsigned>(in.size()), 9, 0,
                               0) != BZ_OK) {
    return content;
  }
  out.resize(size);
  return to_bytes(out);
}

std::uint32_t crc_of(const Bytes& content) {
  return static_cast<std::uint32_t>(
      crc32_z(crc32_z(0, nullptr, 0), content.data(), content.size()));
}

std::uint64_t field(const Lies& lies, std::string_view name, std::uint64_t truth) {
  const auto lie = lies.find(name);
  return lie == lies.end() ? truth : lie->second;
}

/// What both headers of a member say, before lies.
struct Written {
  const ZipMember* member = nullptr;
  std::uint64_t offset = 0;  ///< of the local header
  std::uint64_t size = 0;
  std::uint64_t compressed = 0;
  std::uint32_t crc = 0;
};

std::uint16_t flags_of(const ZipMember& member) {
  return static_cast<std::uint16_t>(member.flags |
                                    (member.descriptor == Descriptor::none ? 0 : kDescriptorFlag));
}

Bytes with_zip64(const Written& entry, const Bytes& extra, bool wide) {
  Out out;
  if (wide) {
    out.u16(1);
    out.u16(16);
    out.u64(entry.size);
    out.u64(entry.compressed);
  }
  out.raw(extra);
  return out.bytes;
}

/// The fields that local header and directory share, from "version needed" to the lengths.
void common_fields(Out& out, const Written& entry, const Lies& lies, std::uint64_t name_length,
                   std::uint64_t extra_length, bool blank) {
  const ZipMember& member = *entry.member;
  const bool wide = member.zip64;
  const std::uint64_t version = wide ? 45 : member.method == kBzip2 ? 46 : 20;
  out.u16(field(lies, "version", version));
  out.u16(field(lies, "flags", flags_of(member)));
  out.u16(field(lies, "method", member.method));
  out.u16(field(lies, "time", kTime));
  out.u16(field(lies, "date", kDate));
  out.u32(field(lies, "crc", blank ? 0 : entry.crc));
  out.u32(field(lies, "compressed", wide ? kFull32 : blank ? 0 : entry.compressed));
  out.u32(field(lies, "size", wide ? kFull32 : blank ? 0 : entry.size));
  out.u16(field(lies, "name_length", name_length));
  out.u16(field(lies, "extra_length", extra_length));
}

/// Appends a member's local header, stored bytes and descriptor, and says what the directory has
/// to say. The offset is left to the caller.
Written write_local(Out& out, const ZipMember& member) {
  Bytes stored = compress(member.content, member.method);
  Written entry{&member, 0, member.content.size(), stored.size(), crc_of(member.content)};
  for (const auto& [at, mask] : member.flips) {
    if (at < stored.size()) stored[static_cast<std::size_t>(at)] ^= mask;
  }
  const std::string& name = member.local_name ? *member.local_name : member.name;
  const Bytes extra = with_zip64(entry, member.local_extra, member.zip64);
  out.u32(field(member.local, "signature", 0x04034b50));
  const bool blank = member.descriptor != Descriptor::none;
  common_fields(out, entry, member.local, name.size(), extra.size(), blank);
  out.text(name);
  out.raw(extra);
  out.raw(stored);
  if (blank) {
    if (member.descriptor == Descriptor::with_signature) out.u32(0x08074b50);
    out.u32(entry.crc);
    out.number(entry.compressed, member.zip64 ? 8 : 4);
    out.number(entry.size, member.zip64 ? 8 : 4);
  }
  return entry;
}

void write_central(Out& out, const Written& entry) {
  const ZipMember& member = *entry.member;
  const Lies& lies = member.central;
  const Bytes extra = with_zip64(entry, member.central_extra, member.zip64);
  const std::uint64_t version = member.zip64 ? 45 : 20;
  out.u32(field(lies, "signature", 0x02014b50));
  out.u16(field(lies, "made_by", std::uint64_t{member.host} << 8U | version));
  common_fields(out, entry, lies, member.name.size(), extra.size(), false);
  out.u16(field(lies, "comment_length", member.comment.size()));
  out.u16(field(lies, "disk", 0));
  out.u16(field(lies, "internal", 0));
  const std::uint32_t dos = member.directory ? 0x10 : 0;
  out.u32(field(lies, "external", std::uint64_t{member.mode} << 16U | dos));
  out.u32(field(lies, "offset", entry.offset));
  out.text(member.name);
  out.raw(extra);
  out.text(member.comment);
}

void write_end(Out& out, const ZipPlan& plan, std::uint64_t found, std::uint64_t at,
               std::uint64_t size) {
  const std::uint64_t count = plan.count.value_or(found);
  const std::uint64_t offset = plan.directory_offset.value_or(at);
  const std::uint64_t length = plan.directory_size.value_or(size);
  const bool wide = plan.zip64_end || found >= kFull16;
  if (wide) {
    const std::uint64_t start = at + size;
    out.u32(0x06064b50);
    out.u64(plan.zip64_record_size);
    out.u16(std::uint64_t{3} << 8U | 45U);
    out.u16(45);
    out.u32(0);
    out.u32(0);
    out.u64(count);
    out.u64(count);
    out.u64(length);
    out.u64(offset);
    if (plan.zip64_locator) {
      out.u32(0x07064b50);
      out.u32(0);
      out.u64(start);
      out.u32(1);
    }
  }
  out.u32(0x06054b50);
  out.u16(0);
  out.u16(0);
  out.u16(wide ? kFull16 : count);
  out.u16(wide ? kFull16 : count);
  out.u32(wide ? kFull32 : length);
  out.u32(wide ? kFull32 : offset);
  out.u16(plan.comment_length.value_or(plan.comment.size()));
  out.text(plan.comment);
}

/// Cuts and overwrites the finished archive.
void damage(Bytes& bytes, const ZipPlan& plan) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  for (const auto& [at, with] : plan.patches) {
    const std::int64_t start = at < 0 ? size + at : at;
    if (start < 0 || start + static_cast<std::int64_t>(with.size()) > size) continue;
    std::copy(with.begin(), with.end(), bytes.begin() + start);
  }
  if (plan.truncate) {
    const std::int64_t left = *plan.truncate < 0 ? size + *plan.truncate : *plan.truncate;
    bytes.resize(static_cast<std::size_t>(std::clamp(left, std::int64_t{0}, size)));
  }
}

}  // namespace

Bytes compress(const Bytes& content, std::uint16_t method) {
  if (method == kDeflate) return deflate_raw(content);
  if (method == kBzip2) return bzip2(content);
  return content;
}

Bytes local_record(const ZipMember& member) {
  Out out;
  write_local(out, member);
  return out.bytes;
}

Bytes write_zip(const ZipPlan& plan) {
  Out out;
  out.raw(plan.before);
  const std::uint64_t shift = plan.adjust_offsets ? 0 : plan.before.size();
  std::vector<Written> entries(plan.members.size());
  std::map<std::string, std::uint64_t> swallowed;  // path: end of the record
  for (const ZipMember& member : plan.members) {
    if (!member.swallows.empty()) swallowed[member.swallows] = 0;
  }
  for (std::size_t i = 0; i < plan.members.size(); ++i) {
    const ZipMember& member = plan.members[i];
    if (swallowed.count(member.path) > 0) continue;
    out.raw(member.gap);
    const std::uint64_t start = out.size();
    entries[i] = write_local(out, member);
    entries[i].offset = start - shift;
    if (!member.swallows.empty()) swallowed[member.swallows] = out.size();
  }
  for (std::size_t i = 0; i < plan.members.size(); ++i) {
    const auto at = swallowed.find(plan.members[i].path);
    if (at == swallowed.end()) continue;
    Out record;
    entries[i] = write_local(record, plan.members[i]);
    entries[i].offset = at->second - record.size() - shift;
  }
  out.raw(plan.gap_before_directory);
  const std::uint64_t directory = out.size();
  std::uint64_t count = 0;
  for (const Written& entry : entries) {
    if (entry.member == nullptr || entry.member->hidden) continue;
    write_central(out, entry);
    ++count;
  }
  write_end(out, plan, count, directory - shift, out.size() - directory);
  out.raw(plan.after);
  damage(out.bytes, plan);
  return out.bytes;
}

}  // namespace wheel_audit::forge
