// The commands of CMake files, by cmake-language(7).
#include "catch.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text_facts.hpp"

using namespace wheel_audit;

namespace {

using Arguments = std::vector<std::string>;

Arguments arguments_of(std::string_view text) {
  const CMakeFacts facts = parse_cmake("a.cmake", text);
  INFO(facts.problem);
  REQUIRE(facts.commands.size() == 1);
  return facts.commands.front().arguments;
}

}  // namespace

TEST_CASE("arguments lose their quotes and brackets") {
  CHECK(arguments_of("SET(a b \"c d\" \"e\\\"f\\\\\" g\\ h)") ==
        Arguments{"a", "b", "c d", "e\"f\\", "g h"});
  CHECK(arguments_of("f([[a ] b]] [=[c ]] d]=] \"\" \"x\\\ny\")") ==
        Arguments{"a ] b", "c ]] d", "", "xy"});
  CHECK(arguments_of("f(${A}/lib$<1:x> a;b -D\"x y\" $(MAKE))") ==
        Arguments{"${A}/lib$<1:x>", "a;b", "-D\"x y\"", "$(MAKE)"});
  CHECK(arguments_of("if(NOT (A AND B))") == Arguments{"NOT", "(", "A", "AND", "B", ")"});
}

TEST_CASE("comments hold no command") {
  const CMakeFacts facts =
      parse_cmake("a.cmake", "# set(a)\n#[[ set(b)\n) ]] Set(c # d)\n  e)\n#[=[ ]] ]=]\nset(f)\n");
  CHECK(facts.problem.empty());
  REQUIRE(facts.commands.size() == 2);
  CHECK(facts.commands[0] == CMakeCommand{"set", {"c", "e"}, 3, {}});
  CHECK(facts.commands[1].line == 6);
}

TEST_CASE("a command knows the block that it stands in") {
  const CMakeFacts facts = parse_cmake("a.cmake",
                                       "if(A)\n x()\nelseif(B)\n foreach(i 1)\n  y()\n "
                                       "endforeach()\nelse()\n z()\nendif()\nw()\n");
  std::vector<std::pair<std::string, int>> blocks;
  for (const CMakeCommand& command : facts.commands)
    blocks.emplace_back(command.name, command.block ? static_cast<int>(*command.block) : -1);
  CHECK(blocks == std::vector<std::pair<std::string, int>>{{"if", -1},
                                                           {"x", 0},
                                                           {"elseif", -1},
                                                           {"foreach", 2},
                                                           {"y", 3},
                                                           {"endforeach", 2},
                                                           {"else", -1},
                                                           {"z", 6},
                                                           {"endif", -1},
                                                           {"w", -1}});
}

TEST_CASE("placeholders are found wherever they stand, once") {
  CHECK(parse_cmake("a", "# @B@\nset(v \"@A_1@\" @A_1@ a@b.org @ @@ @C-D@)").placeholders ==
        Arguments{"@A_1@", "@B@"});
}

TEST_CASE("a broken file has its line as the problem") {
  CHECK(parse_cmake("a", "set(a)\nset b").problem == "line 2: expected a command with arguments");
  CHECK(parse_cmake("a", "set(a\n").problem == "line 2: a command's arguments do not end");
  CHECK(parse_cmake("a", "set(\"a)\n\n").problem == "line 3: a quoted argument does not end");
  CHECK(parse_cmake("a", "set([==[a]=])").problem == "line 1: a bracket does not end");
  CHECK(parse_cmake("a", "#[[").problem == "line 1: a bracket does not end");
  CHECK(parse_cmake("a", "endif()\nelse()\nendif()").problem.empty());
  CHECK(parse_cmake("a", "\xff").problem == "line 1: expected a command with arguments");
}

TEST_CASE("a file with too many commands has a problem and not more facts") {
  std::string text;
  for (std::size_t i = 0; i <= limits().source_items; ++i) text += "a()\n";
  const CMakeFacts facts = parse_cmake("a", text);
  CHECK(facts.commands.size() == limits().source_items);
  CHECK(facts.problem == "has more than 8192 commands (--limit source-items=N allows more)");
}
