// What rules want readers to keep.
#include <algorithm>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

std::vector<std::string> asked_symbols(const RuleSet& rules) {
  std::vector<std::string> symbols;
  for (const Rule& rule : rules.rules) {
    symbols.insert(symbols.end(), rule.symbols.begin(), rule.symbols.end());
  }
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

TextWishes asked_texts(const RuleSet& rules) {
  TextWishes all;
  for (const Rule& rule : rules.rules) {
    for (const std::string& glob : rule.texts.headers) all.headers.push_back(glob);
    for (const std::string& glob : rule.texts.cmake) all.cmake.push_back(glob);
    for (const PathWish& wish : rule.texts.paths) all.paths.push_back(wish);
  }
  for (std::vector<std::string>* globs : {&all.headers, &all.cmake}) {
    std::ranges::sort(*globs);
    globs->erase(std::unique(globs->begin(), globs->end()), globs->end());
  }
  return all;
}

}  // namespace wheel_audit
