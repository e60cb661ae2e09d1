// Which dynamic symbols are kept when nobody asks for all of them.
#include "wheel_audit/trim.hpp"

#include "catch.hpp"
#include "wheel_audit/text.hpp"

using namespace wheel_audit;

namespace {

Symbol definition(std::string_view name, Binding binding = Binding::global) {
  Symbol symbol;
  symbol.name = name;
  symbol.binding = binding;
  symbol.defined = true;
  return symbol;
}

Symbol need(std::string_view name, std::string_view version = {}) {
  Symbol symbol;
  symbol.name = name;
  symbol.version = version;
  return symbol;
}

ElfFacts library(std::vector<Symbol> symbols) {
  ElfFacts elf;
  elf.symbols = std::move(symbols);
  return elf;
}

/// The names that are kept of each library: `a b|c`.
std::string trimmed(std::vector<ElfFacts> elves, const std::vector<std::string>& wanted = {}) {
  const SymbolTrim trim(wanted);
  std::vector<std::vector<DefinedName>> defined;
  for (ElfFacts& elf : elves) {
    std::vector<DefinedName>& names = defined.emplace_back();
    std::erase_if(elf.symbols, [&](const Symbol& symbol) { return !trim.keeps(symbol, names); });
  }
  trim.drop_met_needs(elves, defined);
  std::vector<std::string> libraries;
  for (const ElfFacts& elf : elves) {
    std::vector<std::string> names;
    for (const Symbol& symbol : elf.symbols) names.emplace_back(symbol.name);
    libraries.push_back(join(names, " "));
  }
  return join(libraries, "|");
}

}  // namespace

TEST_CASE("needs that another library meets go, and definitions that no rule names") {
  CHECK(trimmed({library({need("a"), need("b")}), library({definition("a"), definition("c")})}) ==
        "b|");
  CHECK(trimmed({library({need("a")}), library({definition("a", Binding::weak)})}) == "|");
  CHECK(trimmed({library({need("a")}), library({definition("a", Binding::unique)})}) == "|");
  // The loader looks at no local definition.
  CHECK(trimmed({library({need("a")}), library({definition("a", Binding::local)})}) == "a|");
  // Its own definition meets a library's need, where there is another library.
  CHECK(trimmed({library({need("a"), definition("a")}), library({})}) == "|");
  CHECK(trimmed({library({need("a"), definition("a")})}) == "a");
  CHECK(trimmed({library({need("")}), library({definition("")})}) == "|");
}

TEST_CASE("versioned needs, Python's names and what rules name stay") {
  CHECK(trimmed({library({need("memcpy", "GLIBC_2.14")}), library({definition("memcpy")})}) ==
        "memcpy|");
  CHECK(trimmed({library({need("PyList_New"), need("_Py_Dealloc")}),
                 library({definition("PyList_New"), definition("PyInit_x")})}) ==
        "PyList_New _Py_Dealloc|PyList_New PyInit_x");
  const std::vector<std::string> wanted = {"deflate", "inf*", "*_end"};
  CHECK(trimmed({library({need("deflate"), need("inflate"), need("x")}),
                 library({definition("deflate"), definition("inflate"), definition("x"),
                          definition("the_end"), definition("the_end_")})},
                wanted) == "deflate inflate|deflate inflate the_end");
}

TEST_CASE("names that differ where the marks do not look are told apart") {
  const std::string long_name(64, 'n');
  std::vector<Symbol> definitions;
  std::vector<std::string> names;
  for (char c = 'a'; c <= 'z'; ++c) {
    names.push_back(long_name);
    names.back()[1] = c;
  }
  for (const std::string& name : names) definitions.push_back(definition(name));
  std::string other = long_name;
  other[1] = '_';
  CHECK(trimmed({library({need(other), need(names.front()), need(names.back())}),
                 library(definitions)}) == other + "|");
}
