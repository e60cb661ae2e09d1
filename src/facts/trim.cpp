// Drops the symbols that no rule asks about: most of the memory that facts take.
#include "wheel_audit/trim.hpp"

#include <algorithm>
#include <unordered_set>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

using Names = std::unordered_set<std::string_view>;

/// What rules name: whole names and prefixes are looked up, other globs tried one by one.
class Wanted {
 public:
  explicit Wanted(const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
      const std::size_t wild = pattern.find_first_of("*?[");
      if (wild == std::string::npos) {
        names_.insert(pattern);
        longest_ = std::max(longest_, pattern.size());
      } else if (wild + 1 == pattern.size() && pattern.back() == '*') {
        prefixes_.push_back(pattern.substr(0, wild));
      } else {
        globs_.push_back(pattern);
      }
    }
    // Without those that begin with another, the one before a name in order is the only candidate.
    std::ranges::sort(prefixes_);
    std::vector<std::string> shortest;
    for (std::string& prefix : prefixes_) {
      if (shortest.empty() || !prefix.starts_with(shortest.back()))
        shortest.push_back(std::move(prefix));
    }
    prefixes_ = std::move(shortest);
  }
  bool holds(std::string_view name) const {
    // Mangled names are long: most need not be hashed to know that they are none of these.
    if (name.size() <= longest_ && names_.contains(name)) return true;
    if (begins_as_wanted(name)) return true;
    return matches_any(globs_, name);
  }

 private:
  bool begins_as_wanted(std::string_view name) const {
    const auto after = std::ranges::upper_bound(
        prefixes_, name, {}, [](const std::string& p) -> std::string_view { return p; });
    return after != prefixes_.begin() && name.starts_with(*std::prev(after));
  }

  Names names_;
  std::size_t longest_ = 0;  ///< of names_
  std::vector<std::string> prefixes_;
  std::vector<std::string> globs_;
};

bool is_asked_for(const Symbol& symbol, const Names& defined, const Wanted& wanted) {
  // Definitions with Python's prefixes too: they tell an own name from one of the interpreter.
  if (symbol.name.starts_with("Py") || symbol.name.starts_with("_Py")) return true;
  if (symbol.defined) return wanted.holds(symbol.name);
  if (!symbol.version.empty()) return true;
  return !defined.contains(symbol.name) || wanted.holds(symbol.name);
}

bool is_open_need(const Symbol& symbol) { return !symbol.defined && symbol.version.empty(); }

/// Of the names that some library needs without a version, those that another one defines. Needs
/// are few and definitions many, so those are looked for and not kept.
Names defined_elsewhere(const WheelFacts& wheel) {
  Names needed;
  if (wheel.elves.size() > 1) {
    for (const ElfFacts& elf : wheel.elves) {
      for (const Symbol& symbol : elf.symbols) {
        if (is_open_need(symbol)) needed.insert(symbol.name);
      }
    }
  }
  Names defined;
  if (needed.empty()) return defined;
  for (const ElfFacts& elf : wheel.elves) {
    for (const Symbol& symbol : elf.symbols) {
      if (symbol.defined && symbol.binding != Binding::local && needed.contains(symbol.name))
        defined.insert(symbol.name);
    }
  }
  return defined;
}

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

void trim_symbols(WheelFacts& wheel, const std::vector<std::string>& wanted_patterns) {
  const Wanted wanted(wanted_patterns);
  const Names defined = defined_elsewhere(wheel);
  // Decided for all before any pool goes: `defined` views into them.
  for (ElfFacts& elf : wheel.elves) {
    std::erase_if(elf.symbols,
                  [&](const Symbol& symbol) { return !is_asked_for(symbol, defined, wanted); });
    elf.all_symbols = false;
  }
  for (ElfFacts& elf : wheel.elves) shrink_pool(elf);
}

}  // namespace wheel_audit
