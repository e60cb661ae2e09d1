// Finds the tables that DT_* point to and asks for their bytes.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"
#include "wheel_audit/limits.hpp"

namespace wheel_audit::elf_reader {

namespace {

Result<ByteView> want_range(Source& source, const Result<Range>& range) {
  if (!range) return range.error();
  return source.want(range->offset, range->length).value_or(ByteView());
}

// A table whose length nothing says ends at the next one.
Result<ByteView> want_to_next(Source& source, const Dynamic& dynamic, std::uint64_t name,
                              std::string_view word, std::uint64_t limit) {
  const std::optional<std::uint64_t> address = dynamic.value(name);
  if (!address) return ByteView();
  const std::optional<Place> place = dynamic.place(*address);
  const std::uint64_t length = place ? std::min(dynamic.distance(*address, *place), limit) : 0;
  return want_range(source, dynamic.table(word, *address, length));
}

Result<ByteView> want_strings(Source& source, const Dynamic& dynamic) {
  const std::optional<std::uint64_t> address = dynamic.value(tag::kStrings);
  if (!address) return ByteView();
  const std::optional<std::uint64_t> size = dynamic.value(tag::kStringsSize);
  if (size) return want_range(source, dynamic.table("DT_STRTAB", *address, *size));
  return want_to_next(source, dynamic, tag::kStrings, "DT_STRTAB", limits().elf_table_bytes);
}

Result<void> want_symbols(Source& source, const Dynamic& dynamic,
                          const std::optional<std::vector<SectionHeader>>& sections,
                          Tables& tables) {
  const std::optional<std::uint64_t> address = dynamic.value(tag::kSymbols);
  if (!address) return {};
  const std::uint64_t size = dynamic.symbol_size();
  const std::uint64_t stated = dynamic.value(tag::kSymbolSize).value_or(size);
  if (stated != size) return Error(fmt::format("DT_SYMENT is {}, expected {}", stated, size));
  const Result<std::optional<std::uint64_t>> count = count_symbols(source, dynamic, sections);
  if (!count) return count.error();
  // The table must be somewhere even while its length is not known.
  const std::uint64_t entries = count->value_or(0);
  if (entries > limits().elf_table_bytes / size) {
    return Error(fmt::format("{} dynamic symbols, at most {} are read{}", entries,
                             limits().elf_table_bytes / size,
                             limit_hint(&Limits::elf_table_bytes)));
  }
  const Result<ByteView> symbols =
      want_range(source, dynamic.table("DT_SYMTAB", *address, entries * size));
  if (!symbols) return symbols.error();
  tables.symbols = *symbols;
  if (const auto indexes = dynamic.value(tag::kVersionIndexes)) {
    const Result<ByteView> versions =
        want_range(source, dynamic.table("DT_VERSYM", *indexes, entries * 2));
    if (!versions) return versions.error();
    tables.version_indexes = *versions;
  }
  return {};
}

}  // namespace

Result<Tables> read_tables(Source& source, const Dynamic& dynamic,
                           const std::optional<std::vector<SectionHeader>>& sections) {
  Tables tables;
  Result<ByteView> part = want_strings(source, dynamic);
  if (!part) return part.error();
  tables.strings = *part;
  part =
      want_to_next(source, dynamic, tag::kVersionNeeds, "DT_VERNEED", limits().elf_dynamic_bytes);
  if (!part) return part.error();
  tables.version_needs = *part;
  part = want_to_next(source, dynamic, tag::kVersionDefinitions, "DT_VERDEF",
                      limits().elf_dynamic_bytes);
  if (!part) return part.error();
  tables.version_definitions = *part;
  const Result<void> symbols = want_symbols(source, dynamic, sections, tables);
  if (!symbols) return symbols.error();
  return tables;
}

}  // namespace wheel_audit::elf_reader
