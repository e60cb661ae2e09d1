// The include lines of headers, as a preprocessor would meet them.
#include "catch.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text_facts.hpp"

using namespace wheel_audit;

namespace {

std::vector<Include> includes_of(std::string_view text) {
  return parse_header("a.h", text).includes;
}

}  // namespace

TEST_CASE("an include has its name, line and delimiter") {
  const std::vector<Include> found = includes_of("#include <a/b.h>\n\n  #  include \"c.h\" // x\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0] == Include{"a/b.h", 1, false, false});
  CHECK(found[1] == Include{"c.h", 3, true, false});
}

TEST_CASE("comments, literals and macros hold no include") {
  CHECK(includes_of("// #include <a.h>\n/*\n#include <b.h>\n*/\n").empty());
  CHECK(includes_of("// continued \\\n#include <a.h>\n").empty());
  CHECK(includes_of("const char* s = \"\\\n#include <a.h>\\\n\";\n").empty());
  CHECK(includes_of("#include MACRO\n#include <unterminated.h\n#define include <a.h>\n").empty());
  const std::vector<Include> found =
      includes_of("const char* s = \"/*\"; // \"\n#inc\\\nlude <a.h>\n/**/ #include <b.h>\r\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0] == Include{"a.h", 2, false, false});
  CHECK(found[1] == Include{"b.h", 4, false, false});
}

TEST_CASE("a condition makes an include conditional, the header's own guard does not") {
  CHECK_FALSE(includes_of("#ifndef A_H\n#define A_H\n#include <a.h>\n#endif\n")[0].conditional);
  CHECK_FALSE(
      includes_of("// x\n#pragma once\n#ifndef A_H\n#define A_H 1\n#include <a.h>\n#endif\n")[0]
          .conditional);
  CHECK(includes_of("#ifndef A\n#include <a.h>\n#endif\n")[0].conditional);
  CHECK(includes_of("#ifndef A\n#define B\n#include <a.h>\n#endif\n")[0].conditional);
  CHECK(includes_of("int x;\n#ifndef A\n#define A\n#include <a.h>\n#endif\n")[0].conditional);
  const std::vector<Include> found = includes_of(
      "#ifndef A_H\n#define A_H\n#if X\n#include <a.h>\n#else\n#include <b.h>\n#endif\n"
      "#include <c.h>\n#endif\n");
  REQUIRE(found.size() == 3);
  CHECK(found[0].conditional);
  CHECK(found[1].conditional);
  CHECK_FALSE(found[2].conditional);
}

TEST_CASE("a header with too many includes has a problem and not more facts") {
  std::string text;
  for (std::size_t i = 0; i <= limits().source_items; ++i) text += "#include <a.h>\n";
  const HeaderFacts facts = parse_header("a.h", text);
  CHECK(facts.includes.size() == limits().source_items);
  CHECK(facts.problem == "has more than 8192 includes (--limit source-items=N allows more)");
}

TEST_CASE("broken headers end the reading and nothing else") {
  for (const char* text : {"", "/*", "\"", "'", "#", "#include", "#include <", "\\", "#if\n#if\n",
                           "#endif\n#endif\n", "R\"(", "\xff\xfe"}) {
    CHECK(parse_header("a.h", text).includes.empty());
  }
}
