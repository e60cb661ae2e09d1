#include "catch.hpp"
#include "wheel_audit/wheel.hpp"

using namespace wheel_audit;

TEST_CASE("RECORD rows, quoted and not") {
  const RecordFacts facts =
      parse_record("x.dist-info/RECORD",
                   "a.py,sha256=xx,1\r\n\"b, "
                   "\"\"c\"\".txt\",sha256=yy,22\r\n\"d\ne\",,\r\nx.dist-info/RECORD,,\r\n");
  CHECK(facts.path == "x.dist-info/RECORD");
  CHECK(facts.problems.empty());
  CHECK(facts.rows == std::vector<RecordRow>{{"a.py", "sha256=xx", "1"},
                                             {"b, \"c\".txt", "sha256=yy", "22"},
                                             {"d\ne", "", ""},
                                             {"x.dist-info/RECORD", "", ""}});
  CHECK(parse_record("", "").rows.empty());
  CHECK(parse_record("", "\n").problems.empty());
  CHECK(parse_record("", "a,,\n\n\r\n").problems.empty());
  CHECK(parse_record("", "a,,").rows.size() == 1);
}

TEST_CASE("rows of another length are problems, and kept where their meaning is plain") {
  const RecordFacts comma = parse_record("", "p/a, b.txt,sha256=xx,1\n");
  CHECK(comma.problems ==
        std::vector<std::string>{"line 1 has 4 fields, expected 3: \"p/a, b.txt,sha256=xx,1\""});
  CHECK(comma.rows == std::vector<RecordRow>{{"p/a, b.txt", "sha256=xx", "1"}});
  const RecordFacts six = parse_record("", "a,,\nb,sha256=xx,1,,,\n");
  CHECK(six.problems ==
        std::vector<std::string>{"line 2 has 6 fields, expected 3: \"b,sha256=xx,1,,,\""});
  CHECK(six.rows[1] == RecordRow{"b", "sha256=xx", "1"});
  const RecordFacts one = parse_record("", "\"x\ny\",,\na\n\nb,,\n");
  CHECK(one.problems ==
        std::vector<std::string>{"line 3 has 1 field, expected 3: \"a\"", "line 4 is empty"});
  CHECK(one.rows.size() == 3);
}

TEST_CASE("broken quotes are problems with line numbers") {
  CHECK(parse_record("", "a,,\n\"b,sha256=x,1\nc,,\n").problems.front() ==
        "line 2 has a quote that is never closed");
  CHECK(parse_record("", "a\"b,,\n").problems ==
        std::vector<std::string>{"line 1 has a quote inside an unquoted field"});
  CHECK(parse_record("", "\"a\"b,,\n").problems ==
        std::vector<std::string>{"line 1 has text after a closing quote"});
  CHECK(parse_record("", "\xff,,\n").problems == std::vector<std::string>{"it is not UTF-8"});
}

TEST_CASE("a row of a million commas is one problem") {
  const RecordFacts facts = parse_record("", std::string(1'000'000, ','));
  REQUIRE(facts.problems.size() == 1);
  CHECK(facts.problems[0].find("line 1 has 1000001 fields, expected 3") == 0);
  CHECK(facts.problems[0].size() < 300);
}

TEST_CASE("a RECORD whose every row is broken lists a hundred of them") {
  std::string text;
  for (int i = 0; i < 66'000; ++i) text += "a,sha256=x,1,,\n";
  const RecordFacts facts = parse_record("", text);
  CHECK(facts.rows.size() == 66'000);
  REQUIRE(facts.problems.size() == 101);
  CHECK(facts.problems.back() == "65900 more problems");
}
