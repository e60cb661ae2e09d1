// No field says how many dynamic symbols there are. DT_HASH has one chain entry for each;
// DT_GNU_HASH covers the last ones of the table, where it covers any; MIPS has a tag. Where only
// imports exist and nothing else tells: the section header, or the entries up to the next table
// that can be symbols.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"
#include "wheel_audit/limits.hpp"

namespace wheel_audit::elf_reader {

namespace {

using Count = std::optional<std::uint64_t>;

/// What DT_GNU_HASH tells.
struct Covered {
  bool any = false;
  std::uint64_t count = 0;  ///< symbols up to the last covered one; without any, its first index
};

constexpr std::uint64_t kAlpha = 0x9026;
constexpr std::uint64_t kS390 = 22;
constexpr std::uint64_t kGuessLimit = 16ULL << 20U;

// Wants `length` bytes of a table from `skip` on.
Result<std::optional<ByteView>> want_table(Source& source, const Dynamic& dynamic,
                                           std::string_view name, std::uint64_t address,
                                           std::uint64_t skip, std::uint64_t length) {
  const Result<Range> range = dynamic.table(name, address, skip + length);
  if (!range) return range.error();
  return source.want(range->offset + skip, length);
}

Result<Count> count_by_hash(Source& source, const Dynamic& dynamic, std::uint64_t address) {
  const Header& header = dynamic.header;
  const bool wide_entries = header.wide && (header.machine == kAlpha || header.machine == kS390);
  const std::uint64_t entry = wide_entries ? 8 : 4;
  const auto head = want_table(source, dynamic, "DT_HASH", address, 0, 2 * entry);
  if (!head) return head.error();
  if (!*head) return Count();
  Cursor cursor(**head, header.order);
  const std::uint64_t buckets = cursor.word(wide_entries);
  const std::uint64_t chains = cursor.word(wide_entries);
  const std::uint64_t most = limits().elf_table_bytes / entry;
  if (buckets > most || chains > most) {
    return Error(fmt::format("DT_HASH says {} buckets and {} chains, at most {} are read{}",
                             buckets, chains, most, limit_hint(&Limits::elf_table_bytes)));
  }
  const Result<Range> whole = dynamic.table("DT_HASH", address, (2 + buckets + chains) * entry);
  if (!whole) return whole.error();
  return Count(chains);
}

// Walks the chain of the last bucket to its end, the entry with the lowest bit set.
Result<Count> end_of_chain(Source& source, const Dynamic& dynamic, std::uint64_t address,
                           std::uint64_t chain_start, std::uint64_t index) {
  std::uint64_t step = 64;
  const std::optional<Place> place = dynamic.place(address);
  while (true) {
    const std::uint64_t skip = chain_start + index * 4;
    const std::uint64_t left = place->rest > skip ? (place->rest - skip) / 4 : 0;
    step = std::min(step, left);
    if (step == 0) return Error("the last chain of DT_GNU_HASH does not end in its segment");
    const auto bytes = want_table(source, dynamic, "DT_GNU_HASH", address, skip, step * 4);
    if (!bytes) return bytes.error();
    if (!*bytes) return Count();
    Cursor cursor(**bytes, dynamic.header.order);
    for (std::uint64_t i = 0; i < step; ++i) {
      if ((cursor.u32() & 1U) != 0) return Count(index + i + 1);
    }
    index += step;
    step *= 8;
  }
}

Result<std::optional<Covered>> count_by_gnu_hash(Source& source, const Dynamic& dynamic,
                                                 std::uint64_t address) {
  using Answer = std::optional<Covered>;
  const auto head = want_table(source, dynamic, "DT_GNU_HASH", address, 0, 16);
  if (!head) return head.error();
  if (!*head) return Answer();
  Cursor cursor(**head, dynamic.header.order);
  const std::uint64_t buckets = cursor.u32();
  const std::uint64_t first = cursor.u32();
  const std::uint64_t bloom = cursor.u32();
  const std::uint64_t skip = 16 + bloom * (dynamic.header.wide ? 8 : 4);
  const auto table = want_table(source, dynamic, "DT_GNU_HASH", address, skip, buckets * 4);
  if (!table) return table.error();
  if (!*table) return Answer();
  Cursor bucket(**table, dynamic.header.order);
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < buckets; ++i) last = std::max<std::uint64_t>(last, bucket.u32());
  if (last == 0) return Answer(Covered{false, first});
  if (last < first) {
    return Error(
        fmt::format("DT_GNU_HASH has symbol {} in a bucket and starts at {}", last, first));
  }
  const Result<Count> count =
      end_of_chain(source, dynamic, address, skip + buckets * 4, last - first);
  if (!count) return count.error();
  if (!*count) return Answer();
  return Answer(Covered{true, first + **count});
}

// The most symbols that fit before the next table; DT_VERSYM, two bytes each, bounds them too.
std::uint64_t most_symbols(const Dynamic& dynamic, std::uint64_t address, const Place& place) {
  std::uint64_t most = dynamic.distance(address, place) / dynamic.symbol_size();
  const std::optional<std::uint64_t> indexes = dynamic.value(tag::kVersionIndexes);
  const std::optional<Place> beside = indexes ? dynamic.place(*indexes) : std::nullopt;
  if (beside) most = std::min(most, dynamic.distance(*indexes, *beside) / 2);
  return most;
}

// Whether an entry could be a symbol: its name lies in the string table and is not all zero.
// What else can lie between the tables is text of a string table that a tool moved away.
std::uint64_t plausible(ByteView bytes, const Dynamic& dynamic, std::uint64_t strings_size) {
  const std::uint64_t size = dynamic.symbol_size();
  std::uint64_t count = 0;
  std::uint64_t used = 1;  // the null symbol
  for (; (count + 1) * size <= bytes.size(); ++count) {
    const ByteView entry = bytes.clamp(count * size, size);
    if (Cursor(entry, dynamic.header.order).u32() >= strings_size) break;
    const bool zero =
        std::ranges::all_of(entry.span(), [](std::uint8_t byte) { return byte == 0; });
    if (!zero) used = count + 1;
  }
  return std::min(count, used);
}

Result<Count> count_imports(Source& source, const Dynamic& dynamic, std::uint64_t at_least,
                            const std::optional<std::vector<SectionHeader>>& sections) {
  const std::uint64_t address = *dynamic.value(tag::kSymbols);
  const std::optional<Place> place = dynamic.place(address);
  if (!place) return Error(fmt::format("DT_SYMTAB is {:#x}, which no PT_LOAD maps", address));
  const std::uint64_t most = most_symbols(dynamic, address, *place);
  if (sections) {
    for (const SectionHeader& section : *sections) {
      const std::uint64_t count = section.size / dynamic.symbol_size();
      if (section.type != kDynamicSymbols || section.address != address) continue;
      if (count >= at_least && count <= most) return Count(count);
    }
  }
  const std::uint64_t size = std::min(most * dynamic.symbol_size(), kGuessLimit);
  const std::optional<ByteView> bytes = source.want(place->offset, size);
  if (!bytes) return Count();
  const std::uint64_t strings_size =
      dynamic.value(tag::kStringsSize).value_or(limits().elf_table_bytes);
  const std::uint64_t count = plausible(*bytes, dynamic, strings_size);
  if (size == kGuessLimit && count == size / dynamic.symbol_size()) {
    return Error(
        fmt::format("no table tells how many symbols it has, and the {} bytes that are "
                    "looked through end in one",
                    size));
  }
  return Count(std::max(count, std::min(at_least, most)));
}

}  // namespace

Result<Count> count_symbols(Source& source, const Dynamic& dynamic,
                            const std::optional<std::vector<SectionHeader>>& sections) {
  Count chains;
  const std::optional<std::uint64_t> hash = dynamic.value(tag::kHash);
  const std::optional<std::uint64_t> gnu_hash = dynamic.value(tag::kGnuHash);
  if (hash) {
    const Result<Count> count = count_by_hash(source, dynamic, *hash);
    if (!count) return count.error();
    chains = *count;
  }
  std::optional<Covered> covered = Covered{};
  if (gnu_hash) {
    const Result<std::optional<Covered>> result = count_by_gnu_hash(source, dynamic, *gnu_hash);
    if (!result) return result.error();
    covered = *result;
  }
  if ((hash && !chains) || !covered) return Count();
  if (chains && covered->any && *chains != covered->count) {
    return Error(fmt::format("DT_HASH has {} symbols and DT_GNU_HASH {}", *chains, covered->count));
  }
  const std::uint64_t machine = dynamic.header.machine;
  if (!chains && machine == 8) chains = dynamic.value(tag::kMipsSymbolCount);
  if (chains) return chains;
  if (covered->any) return Count(covered->count);
  return count_imports(source, dynamic, covered->count, sections);
}

}  // namespace wheel_audit::elf_reader
