// The dynamic symbols. Names are views into the pool; a symbol allocates nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>

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
// are waited for side by side: one at a time, that was most of what symbols cost.
class NamesInRuns {
 public:
  explicit NamesInRuns(const Image& image)
      : strings_(image.tables.strings),
        offsets_(image.tables.symbols, image.header.order),
        rest_of_symbol_(image.dynamic->symbol_size() - sizeof(std::uint32_t)) {}

  /// The name of the next symbol, where it ends in the table.
  std::optional<std::string_view> next() {
    if (at_ == kRun) find_run();
    return names_.at(at_++);
  }

 private:
  static constexpr std::size_t kRun = 64;

  void find_run() {
    std::array<std::uint32_t, kRun> run{};
    for (std::uint32_t& offset : run) {
      offset = offsets_.u32();
      offsets_.skip(rest_of_symbol_);
      prefetch(strings_.clamp(offset, kMostNames).text());
    }
    for (std::size_t i = 0; i < kRun; ++i) names_.at(i) = string_at(strings_, run.at(i));
    at_ = 0;
  }

  static constexpr std::uint64_t kMostNames = 128;  ///< bytes that few names exceed
  ByteView strings_;
  Cursor offsets_;
  std::uint64_t rest_of_symbol_;
  std::array<std::optional<std::string_view>, kRun> names_;
  std::size_t at_ = kRun;
};

Error no_such_string(std::string_view what, std::uint64_t offset, ByteView strings) {
  return Error(fmt::format("{} names string {:#x}, which does not end in DT_STRTAB's {} bytes",
                           what, offset, strings.size()));
}

}  // namespace

Result<std::string_view> dynamic_string(ByteView strings, std::string_view what,
                                        std::uint64_t offset) {
  const std::optional<std::string_view> text = string_at(strings, offset);
  if (text) return *text;
  return no_such_string(what, offset, strings);
}

Result<void> read_symbols(const Image& image, const std::vector<IndexedVersion>& versions,
                          ElfFacts& facts) {
  const std::uint64_t size = image.dynamic->symbol_size();
  const std::uint64_t count = image.tables.symbols.size() / size;
  const ByteView strings = image.tables.strings;
  // Names may share their ends; a sum far beyond the table is made up to exhaust its reader.
  std::uint64_t budget = strings.size() * 16 + (1ULL << 20U);
  NamesInRuns names(image);
  Cursor cursor(image.tables.symbols, image.header.order);
  Cursor indexes(image.tables.version_indexes, image.header.order);
  if (count > 1) facts.symbols.reserve(static_cast<std::size_t>(count - 1));
  for (std::uint64_t i = 0; i < count; ++i) {
    const RawSymbol raw = parse_symbol(cursor, image.header.wide);
    const std::optional<std::string_view> name = names.next();
    const std::uint16_t index = image.tables.version_indexes.empty() ? 1 : indexes.u16();
    if (i == 0) continue;
    if (!name) return no_such_string("a dynamic symbol", raw.name, strings);
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
