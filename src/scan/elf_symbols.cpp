// The dynamic symbols. Names are views into the pool; a symbol allocates nothing.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint16_t kHiddenVersion = 0x8000;
constexpr std::uint16_t kIndexMask = 0x7fff;
constexpr std::uint16_t kFirstVersion = 2;  // 0 is local, 1 global without a version

struct RawSymbol {
  std::uint32_t name = 0;
  std::uint8_t info = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
};

RawSymbol parse_symbol(Cursor& cursor, bool wide) {
  RawSymbol raw;
  raw.name = cursor.u32();
  if (!wide) cursor.skip(8);  // st_value, st_size
  raw.info = cursor.u8();
  raw.other = cursor.u8();
  raw.section = cursor.u16();
  if (wide) cursor.skip(16);
  return raw;
}

Binding binding_of(std::uint8_t info) {
  switch (info >> 4U) {
    case 0:
      return Binding::local;
    case 2:
      return Binding::weak;
    case 10:
      return Binding::unique;
    default:
      return Binding::global;
  }
}

Result<void> set_version(Symbol& symbol, std::uint16_t word,
                         const std::vector<IndexedVersion>& versions) {
  const std::uint16_t index = word & kIndexMask;
  if (symbol.defined && (word & kHiddenVersion) != 0) symbol.hidden = true;
  // Without any version loaders do not look at the indexes; an index between known ones that
  // nothing names means no version.
  if (index < kFirstVersion || versions.empty()) return {};
  if (index >= versions.size()) {
    return Error(fmt::format("a dynamic symbol has version index {}, the highest known is {}",
                             index, versions.size() - 1));
  }
  symbol.version = versions[index].name;
  if (!symbol.defined) symbol.library = versions[index].library;
  return {};
}

}  // namespace

Result<std::string_view> dynamic_string(const ElfFacts& facts, std::string_view what,
                                        std::uint64_t offset) {
  const std::string_view pool = facts.pool ? std::string_view(*facts.pool) : std::string_view();
  const std::optional<std::string_view> text = string_at(ByteView(pool), offset);
  if (text) return *text;
  return Error(fmt::format("{} names string {:#x}, which does not end in DT_STRTAB's {} bytes",
                           what, offset, pool.size()));
}

Result<void> read_symbols(const Image& image, const std::vector<IndexedVersion>& versions,
                          ElfFacts& facts) {
  const std::uint64_t size = image.dynamic->symbol_size();
  const std::uint64_t count = image.tables.symbols.size() / size;
  // Names may share their ends; a sum far beyond the table is made up to exhaust its reader.
  std::uint64_t budget = facts.pool->size() * 16 + (1ULL << 20U);
  Cursor cursor(image.tables.symbols, image.header.order);
  Cursor indexes(image.tables.version_indexes, image.header.order);
  if (count > 1) facts.symbols.reserve(static_cast<std::size_t>(count - 1));
  for (std::uint64_t i = 0; i < count; ++i) {
    const RawSymbol raw = parse_symbol(cursor, image.header.wide);
    const std::uint16_t index = image.tables.version_indexes.empty() ? 1 : indexes.u16();
    if (i == 0) continue;
    const Result<std::string_view> name = dynamic_string(facts, "a dynamic symbol", raw.name);
    if (!name) return name.error();
    if (name->size() >= budget) return Error("the names of dynamic symbols overlap without end");
    budget -= name->size() + 1;
    Symbol symbol;
    symbol.name = *name;
    symbol.binding = binding_of(raw.info);
    symbol.type = raw.info & 0xfU;
    symbol.defined = raw.section != 0;
    const unsigned visibility = raw.other & 3U;
    symbol.hidden = symbol.defined && (visibility == 1 || visibility == 2);
    if (const Result<void> set = set_version(symbol, index, versions); !set) return set.error();
    ++(symbol.defined ? facts.exports : facts.imports);
    facts.symbols.push_back(symbol);
  }
  return {};
}

}  // namespace wheel_audit::elf_reader
