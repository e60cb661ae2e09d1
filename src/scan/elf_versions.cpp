// DT_VERNEED and DT_VERDEF (GNU symbol versioning, LSB core 10.7). As in glibc, a list ends where
// its next offset is zero; the counts beside it are not what loaders go by. Offsets are unsigned,
// so lists only go forward; records must not outnumber what fits into the table.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"
#include "wheel_audit/limits.hpp"

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint16_t kBase = 1;  // VER_FLG_BASE
constexpr std::uint16_t kWeak = 2;  // VER_FLG_WEAK
constexpr std::uint16_t kIndexMask = 0x7fff;
/// Reads records at offsets of one table, and stops lists that cannot be.
class Records {
 public:
  Records(std::string_view name, ByteView bytes, const Image& image)
      : name_(name),
        bytes_(bytes),
        strings_(image.tables.strings),
        order_(image.header.order),
        budget_(bytes.size() / 8) {}

  /// The record's bytes as a cursor, or why there is none.
  Result<Cursor> at(std::uint64_t offset, std::uint64_t length) {
    const std::optional<ByteView> record = bytes_.slice(offset, length);
    if (!record) {
      return Error(fmt::format("an entry of {} at {} leaves its table of {} bytes", name_, offset,
                               bytes_.size()));
    }
    if (budget_ == 0) {
      return Error(
          fmt::format("{} has more entries than its {} bytes can hold", name_, bytes_.size()));
    }
    --budget_;
    return Cursor(*record, order_);
  }

  /// The string whose offset a record has next.
  Result<std::string_view> string(Cursor& record) const {
    return dynamic_string(strings_, name_, record.u32());
  }

  /// Counts the characters of names: names can share their bytes, copies cannot.
  Result<void> charge(std::string_view text) {
    charged_ += text.size();
    if (charged_ <= limits().elf_name_bytes) return {};
    return Error(fmt::format("the names in {} take more than {} bytes{}", name_,
                             limits().elf_name_bytes, limit_hint(&Limits::elf_name_bytes)));
  }

 private:
  std::string_view name_;
  ByteView bytes_;
  ByteView strings_;
  Endian order_;
  std::uint64_t budget_;
  std::uint64_t charged_ = 0;
};

void put(std::vector<IndexedVersion>& versions, std::uint16_t index, IndexedVersion version) {
  const std::size_t place = index & kIndexMask;
  if (versions.size() <= place) versions.resize(place + 1);
  versions[place] = version;
}

Result<void> read_need(Records& records, std::uint64_t offset, std::string_view library,
                       ElfFacts& facts, std::vector<IndexedVersion>& versions) {
  while (true) {
    Result<Cursor> record = records.at(offset, 16);
    if (!record) return record.error();
    record->skip(4);  // vna_hash
    const std::uint16_t flags = record->u16();
    const std::uint16_t index = record->u16();
    const Result<std::string_view> name = records.string(*record);
    if (!name) return name.error();
    for (const std::string_view text : {library, *name}) {
      if (const Result<void> charged = records.charge(text); !charged) return charged.error();
    }
    facts.version_needs.push_back({std::string(library), std::string(*name), (flags & kWeak) != 0});
    put(versions, index, {*name, library});
    const std::uint32_t next = record->u32();
    if (next == 0) return {};
    offset += next;
  }
}

Result<void> read_needs(const Image& image, ElfFacts& facts,
                        std::vector<IndexedVersion>& versions) {
  Records records("DT_VERNEED", image.tables.version_needs, image);
  std::uint64_t offset = 0;
  while (true) {
    Result<Cursor> record = records.at(offset, 16);
    if (!record) return record.error();
    const std::uint16_t revision = record->u16();
    if (revision != 1) {
      return Error(fmt::format("an entry of DT_VERNEED has revision {}, expected 1", revision));
    }
    const std::uint16_t count = record->u16();
    const Result<std::string_view> library = records.string(*record);
    if (!library) return library.error();
    if (const Result<void> charged = records.charge(*library); !charged) return charged.error();
    const std::uint32_t first = record->u32();
    const std::uint32_t next = record->u32();
    if (count != 0) {
      const Result<void> need = read_need(records, offset + first, *library, facts, versions);
      if (!need) return need.error();
    }
    if (next == 0) return {};
    offset += next;
  }
}

Result<void> read_definitions(const Image& image, ElfFacts& facts,
                              std::vector<IndexedVersion>& versions) {
  Records records("DT_VERDEF", image.tables.version_definitions, image);
  std::uint64_t offset = 0;
  while (true) {
    Result<Cursor> record = records.at(offset, 20);
    if (!record) return record.error();
    const std::uint16_t revision = record->u16();
    if (revision != 1) {
      return Error(fmt::format("an entry of DT_VERDEF has revision {}, expected 1", revision));
    }
    const std::uint16_t flags = record->u16();
    const std::uint16_t index = record->u16();
    record->skip(6);  // vd_cnt, vd_hash; the names after the first are the parents
    const std::uint32_t first = record->u32();
    const std::uint32_t next = record->u32();
    Result<Cursor> name_record = records.at(offset + first, 8);
    if (!name_record) return name_record.error();
    const Result<std::string_view> name = records.string(*name_record);
    if (!name) return name.error();
    if (const Result<void> charged = records.charge(*name); !charged) return charged.error();
    if ((flags & kBase) == 0) {
      facts.defines_versions.emplace_back(*name);
      put(versions, index, {*name, {}});
    } else {
      put(versions, index, {});
    }
    if (next == 0) return {};
    offset += next;
  }
}

}  // namespace

Result<std::vector<IndexedVersion>> read_versions(const Image& image, ElfFacts& facts) {
  std::vector<IndexedVersion> versions;
  // Present and empty is not absent: a record that is not there is an error.
  if (image.dynamic->value(tag::kVersionNeeds)) {
    const Result<void> needs = read_needs(image, facts, versions);
    if (!needs) return needs.error();
  }
  if (image.dynamic->value(tag::kVersionDefinitions)) {
    const Result<void> definitions = read_definitions(image, facts, versions);
    if (!definitions) return definitions.error();
  }
  return versions;
}

}  // namespace wheel_audit::elf_reader
