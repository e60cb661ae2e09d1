// Extra fields (APPNOTE 4.5): the ZIP64 numbers and Info-ZIP's Unicode path, the two that can make
// readers see different archives. Others (times, owners) may differ freely.
#include <fmt/format.h>

#include <array>

#include "archive/structure.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::uint16_t kZip64 = 0x0001;
constexpr std::uint16_t kUnicodePath = 0x7075;

/// One header's extra field while it is read.
struct ExtraReader {
  const ExtraContext& context;
  Problems& problems;

  void report(std::string_view what) const {
    const std::string_view header = context.local ? "local header" : "directory entry";
    problems.ambiguous(context.offset, *context.where,
                       fmt::format("{} at offset {} {}", header, context.offset, what));
  }

  void zip64(ByteView data, Zip64Fields& fields) const {
    const bool disk = !context.local && fields.disk == kPlaceholder16;
    const std::array<std::uint64_t*, 3> numbers = {&fields.size, &fields.compressed,
                                                   &fields.header_offset};
    std::uint64_t expected = disk ? 4 : 0;
    for (const std::uint64_t* number : numbers) expected += *number == kPlaceholder32 ? 8U : 0U;
    const bool known_length = data.size() % 8 == 0 ? data.size() <= 24 : data.size() == 28;
    if (!known_length) {
      report(
          fmt::format("has a ZIP64 extra of {} bytes, expected 0, 8, 16, 24 or 28", data.size()));
    } else if (data.size() != expected) {
      report(fmt::format("has a ZIP64 extra of {} bytes, its placeholders call for {}", data.size(),
                         expected));
    } else if (context.local && data.size() == 8 && context.method != kStored) {
      // Indexes take the one number for both sizes.
      report("has a ZIP64 extra with one size, and is compressed: expected both sizes");
    }
    Cursor cursor(data);
    for (std::uint64_t* number : numbers) {
      if (*number == kPlaceholder32 && cursor.left() >= 8) *number = cursor.u64();
    }
    if (disk && cursor.left() >= 4) fields.disk = cursor.u32();
  }

  void unicode_path(ByteView data) const {
    if (data.size() < 5) {
      report(fmt::format("has a Unicode path extra of {} bytes, expected 5 or more", data.size()));
      return;
    }
    const std::string_view name = data.clamp(5, data.size()).text();
    if (!is_utf8(name)) {
      report(fmt::format("has a Unicode path extra that is not UTF-8: {}", quoted(name)));
    } else if (name != context.name) {
      report(fmt::format("says {}, its Unicode path extra says {}", quoted(context.name),
                         quoted(name)));
    }
  }
};

}  // namespace

void read_extra(ByteView extra, const ExtraContext& context, Zip64Fields& fields,
                Problems& problems) {
  const ExtraReader reader{context, problems};
  // In a local header only the sizes can be placeholders.
  if (context.local) fields.header_offset = 0;
  std::uint64_t zip64s = 0;
  std::uint64_t paths = 0;
  const bool placeholder = fields.size == kPlaceholder32 || fields.compressed == kPlaceholder32 ||
                           fields.header_offset == kPlaceholder32;
  Cursor cursor(extra);
  while (cursor.left() > 0) {
    const std::uint16_t id = cursor.u16();
    const std::uint16_t length = cursor.u16();
    const ByteView data = cursor.take(length);
    if (!cursor) {
      reader.report(fmt::format("has an extra field of {} bytes whose last part runs past its end",
                                extra.size()));
      break;
    }
    // Of several, the first counts here; that another reader takes the last is the problem.
    if (id == kZip64 && ++zip64s == 1) reader.zip64(data, fields);
    if (id == kUnicodePath && ++paths == 1) reader.unicode_path(data);
  }
  if (zip64s > 1) reader.report(fmt::format("has {} ZIP64 extras, expected one", zip64s));
  if (paths > 1) reader.report(fmt::format("has {} Unicode path extras, expected one", paths));
  if (placeholder && zip64s == 0) reader.report("has a 0xffffffff placeholder, and no ZIP64 extra");
}

}  // namespace wheel_audit
