// The dynamic symbols. Names are views into the pool; a symbol allocates nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/prefetch.hpp"
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

// Names lie in another order than symbols, in a table that no cache holds. Looked for in runs, they
// are waited for side by side.
constexpr std::size_t kRun = 64;
constexpr std::uint64_t kUsualName = 128;  ///< bytes that few names exceed

Symbol symbol_of(const RawSymbol& raw, std::string_view name) {
  Symbol symbol;
  symbol.name = name;
  symbol.binding = binding_of(raw.info);
  symbol.type = raw.info & 0xfU;
  symbol.defined = raw.section != 0;
  const unsigned visibility = raw.other & 3U;
  symbol.hidden = symbol.defined && (visibility == 1 || visibility == 2);
  return symbol;
}

}  // namespace

Result<std::string_view> dynamic_string(ByteView strings, std::string_view what,
                                        std::uint64_t offset) {
  const std::optional<std::string_view> text = string_at(strings, offset);
  if (text) return *text;
  return Error(fmt::format("{} names string {:#x}, which does not end in DT_STRTAB's {} bytes",
                           what, offset, strings.size()));
}

Result<void> read_symbols(const Image& image, const std::vector<IndexedVersion>& versions,
                          SymbolFilter* filter, ElfFacts& facts) {
  const std::uint64_t count = image.tables.symbols.size() / image.dynamic->symbol_size();
  const ByteView strings = image.tables.strings;
  // Names may share their ends; a sum far beyond the table is made up to exhaust its reader.
  std::uint64_t budget = strings.size() * 16 + (1ULL << 20U);
  Cursor cursor(image.tables.symbols, image.header.order);
  Cursor indexes(image.tables.version_indexes, image.header.order);
  const bool versioned = !image.tables.version_indexes.empty();
  if (count > 1) {
    if (filter != nullptr) filter->expect(count - 1);
    if (filter == nullptr) facts.symbols.reserve(static_cast<std::size_t>(count - 1));
  }
  std::array<RawSymbol, kRun> raws;
  std::array<std::string_view, kRun> names;
  if (count > 0) {
    parse_symbol(cursor, image.header.wide);  // the null symbol
    if (versioned) indexes.u16();
  }
  for (std::uint64_t left = count > 0 ? count - 1 : 0; left > 0;) {
    const auto run = static_cast<std::size_t>(std::min<std::uint64_t>(left, kRun));
    for (RawSymbol& raw : std::span(raws).first(run)) {
      raw = parse_symbol(cursor, image.header.wide);
      prefetch(strings.clamp(raw.name, kUsualName).text());
    }
    for (std::size_t i = 0; i < run; ++i) {
      const auto name = dynamic_string(strings, "a dynamic symbol", raws.at(i).name);
      if (!name) return name.error();
      if (name->size() >= budget) return Error("the names of dynamic symbols overlap without end");
      budget -= name->size() + 1;
      names.at(i) = *name;
    }
    for (std::size_t i = 0; i < run; ++i) {
      Symbol symbol = symbol_of(raws.at(i), names.at(i));
      const std::uint16_t index = versioned ? indexes.u16() : 1;
      if (const Result<void> set = set_version(symbol, index, versions); !set) return set.error();
      ++(symbol.defined ? facts.exports : facts.imports);
      if (filter == nullptr || filter->keeps(symbol)) facts.symbols.push_back(symbol);
    }
    left -= run;
  }
  return {};
}

}  // namespace wheel_audit::elf_reader
