#include "wheel_audit/trim.hpp"

#include <algorithm>
#include <unordered_set>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

using Names = std::unordered_set<std::string_view>;

/// What rules name: whole names are looked up, globs tried one by one.
class Wanted {
 public:
  explicit Wanted(const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns) {
      if (pattern.find_first_of("*?[") == std::string::npos) {
        names_.insert(pattern);
      } else {
        globs_.push_back(pattern);
      }
    }
  }
  bool holds(std::string_view name) const {
    return names_.contains(name) || std::ranges::any_of(globs_, [&](const std::string& glob) {
             return glob_match(glob, name);
           });
  }

 private:
  Names names_;
  std::vector<std::string> globs_;
};

bool is_asked_for(const Symbol& symbol, const Names& defined, const Wanted& wanted) {
  // Definitions with Python's prefixes too: they tell an own name from one of the interpreter.
  if (symbol.name.starts_with("Py") || symbol.name.starts_with("_Py")) return true;
  if (symbol.defined) return wanted.holds(symbol.name);
  if (!symbol.version.empty()) return true;
  return !defined.contains(symbol.name) || wanted.holds(symbol.name);
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
  Names defined;
  if (wheel.elves.size() > 1) {
    for (const ElfFacts& elf : wheel.elves) {
      for (const Symbol& symbol : elf.symbols) {
        if (symbol.defined && symbol.binding != Binding::local) defined.insert(symbol.name);
      }
    }
  }
  // Decided for all before any pool goes: `defined` views into them.
  for (ElfFacts& elf : wheel.elves) {
    std::erase_if(elf.symbols,
                  [&](const Symbol& symbol) { return !is_asked_for(symbol, defined, wanted); });
    elf.all_symbols = false;
  }
  for (ElfFacts& elf : wheel.elves) shrink_pool(elf);
}

}  // namespace wheel_audit
