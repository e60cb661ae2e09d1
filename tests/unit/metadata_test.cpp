#include "catch.hpp"
#include "wheel_audit/wheel.hpp"

using namespace wheel_audit;

TEST_CASE("METADATA's headers end at the first empty line") {
  const MetadataFacts facts = parse_metadata(
      "x.dist-info/METADATA",
      "Metadata-Version: 2.1\r\nname:  x \r\nLicense: first\r\n    second\r\nSummary:\r\n\r\n"
      "Version: 9\r\n");
  CHECK(facts.path == "x.dist-info/METADATA");
  CHECK(facts.problems.empty());
  CHECK(facts.has_body);
  CHECK(facts.fields == std::vector<Field>{{"Metadata-Version", "2.1"},
                                           {"name", "x"},
                                           {"License", "first\n    second"},
                                           {"Summary", ""}});
  CHECK(*facts.first("NAME") == "x");
  CHECK(facts.first("Version") == nullptr);
  CHECK_FALSE(parse_metadata("", "Name: x\n\n \n\n").has_body);
}

TEST_CASE("a line that is no header ends the headers, as it does for installers") {
  const MetadataFacts facts = parse_metadata("", "Name: x\nno colon here\nVersion: 1\n");
  CHECK(facts.fields.size() == 1);
  CHECK(facts.has_body);
  CHECK(facts.problems ==
        std::vector<std::string>{"line 2 is no header, and parsers take it for the start of the "
                                 "body: \"no colon here\""});
  CHECK(parse_metadata("", " folded: x\nName: x\n").problems ==
        std::vector<std::string>{"line 1 continues no header: \" folded: x\""});
  CHECK(parse_metadata("", "bad name: x\n").problems.size() == 1);
}

TEST_CASE("text that is not plain UTF-8 is a problem") {
  const MetadataFacts mark = parse_metadata("", "\xef\xbb\xbfName: x\n");
  CHECK(mark.problems == std::vector<std::string>{"line 1 starts with a byte order mark"});
  CHECK(*mark.first("Name") == "x");
  CHECK(parse_metadata("", "Name: x\nAuthor: M\xfcller\n").problems ==
        std::vector<std::string>{"line 2 is not UTF-8: byte 0xfc"});
  const MetadataFacts zero = parse_metadata("", std::string_view("Name: a\0b\n", 10));
  CHECK(*zero.first("Name") == std::string("a\0b", 3));
  CHECK(parse_metadata("", "").fields.empty());
}

TEST_CASE("the WHEEL file") {
  const WheelFileFacts facts = parse_wheel_file(
      "w", "Wheel-Version: 1.0\nRoot-Is-Purelib: False\nTag: py3-none-any\nTag: py2-none-any\n\n");
  CHECK(facts.root_is_purelib() == false);
  CHECK(facts.all("tag") == std::vector<std::string>{"py3-none-any", "py2-none-any"});
  CHECK(facts.problems.empty());
}

TEST_CASE("entry points") {
  std::vector<std::string> problems;
  const std::vector<EntryPoint> points = parse_entry_points(
      "; comment\r\nlost = a:b\r\n[console_scripts]\r\n  tool = pkg.cli:main [x]\r\n# "
      "c\r\nbroken\r\n"
      "empty =\r\n\r\n[ gui ]\r\na=b\r\n",
      problems);
  CHECK(points == std::vector<EntryPoint>{{"console_scripts", "tool", "pkg.cli:main [x]"},
                                          {"gui", "a", "b"}});
  CHECK(problems ==
        std::vector<std::string>{"line 2 stands in no group: \"lost = a:b\"",
                                 "line 6 is neither [group] nor name = target: \"broken\"",
                                 "line 7 is neither [group] nor name = target: \"empty =\""});
}
