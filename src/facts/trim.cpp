// Drops the symbols that no rule asks about (see the header).
#include "wheel_audit/trim.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "wheel_audit/names.hpp"

namespace wheel_audit {

namespace {

bool is_python(std::string_view name) {
  // Definitions too: they tell an own name from one of the interpreter.
  return name.starts_with("Py") || name.starts_with("_Py");
}

bool is_open_need(const Symbol& symbol) { return !symbol.defined && symbol.version.empty(); }

/// Of the length and of the bytes at the end and in the middle, in which mangled names differ: in
/// libraries of many symbols most of the trim was the hashing of whole names.
std::uint32_t mark_of(std::string_view name) {
  if (name.empty()) return 0;
  std::uint64_t end = 0;
  std::uint64_t middle = 0;
  const std::size_t part = std::min(name.size(), sizeof end);
  std::memcpy(&end, name.substr(name.size() - part).data(), part);
  std::memcpy(&middle, name.substr((name.size() - part) / 2).data(), part);
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 by the golden ratio
  const std::uint64_t mixed = ((end * kOdd) ^ middle ^ (std::uint64_t{name.size()} << 48U)) * kOdd;
  return static_cast<std::uint32_t>(mixed >> 32U);
}

/// Bits for the marks of some names: of most other names they tell that they are none of these.
class Marks {
 public:
  /// Room for about so many names.
  explicit Marks(std::size_t names)
      : unused_bits_(32U - std::clamp(static_cast<unsigned>(std::bit_width(names)) + 5U, 8U, 24U)),
        bits_(std::size_t{1} << (32U - unused_bits_)) {}

  void set(const DefinedName& name) { bits_[name.mark >> unused_bits_] = true; }
  bool may_hold(const DefinedName& name) const { return bits_[name.mark >> unused_bits_]; }

 private:
  unsigned unused_bits_;
  std::vector<bool> bits_;
};

DefinedName named(std::string_view name) { return {name, mark_of(name)}; }

/// Copies the strings that are still viewed into a pool of their own.
void shrink_pool(ElfFacts& elf) {
  std::size_t bytes = 0;
  for (const Symbol& symbol : elf.symbols) {
    bytes += symbol.name.size() + symbol.version.size() + symbol.library.size();
  }
  auto pool = std::make_shared<std::string>();
  pool->reserve(bytes);  // views into it stay good only because it never grows past this
  const auto moved = [&](std::string_view text) {
    const std::size_t at = pool->size();
    pool->append(text);
    return std::string_view(*pool).substr(at, text.size());
  };
  for (Symbol& symbol : elf.symbols) {
    symbol.name = moved(symbol.name);
    symbol.version = moved(symbol.version);
    symbol.library = moved(symbol.library);
  }
  elf.symbols.shrink_to_fit();
  elf.pool = std::move(pool);
}

}  // namespace

bool SymbolTrim::keeps(const Symbol& symbol, std::vector<DefinedName>& defined) const {
  if (!symbol.defined) return true;
  if (symbol.binding != Binding::local) defined.push_back(named(symbol.name));
  return is_python(symbol.name) || wanted_.match(symbol.name);
}

void SymbolTrim::drop_met_needs(std::vector<ElfFacts>& elves,
                                const std::vector<std::vector<DefinedName>>& defined) const {
  // Needs are few and definitions many, so those are looked for and not kept.
  std::size_t needs = 0;
  for (const ElfFacts& elf : elves)
    needs += static_cast<std::size_t>(std::ranges::count_if(elf.symbols, is_open_need));
  if (needs > 0 && elves.size() > 1) {
    Marks needed(needs);
    for (const ElfFacts& elf : elves) {
      for (const Symbol& symbol : elf.symbols) {
        if (is_open_need(symbol)) needed.set(named(symbol.name));
      }
    }
    NameSet met;
    for (const std::vector<DefinedName>& names : defined) {
      for (const DefinedName& name : names) {
        if (needed.may_hold(name)) met.insert(name.text);
      }
    }
    // Decided for all before any pool goes: `met` views into them.
    for (ElfFacts& elf : elves) {
      std::erase_if(elf.symbols, [&](const Symbol& symbol) {
        return is_open_need(symbol) && !is_python(symbol.name) && met.contains(symbol.name) &&
               !wanted_.match(symbol.name);
      });
    }
  }
  for (ElfFacts& elf : elves) shrink_pool(elf);
}

}  // namespace wheel_audit
