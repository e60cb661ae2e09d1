#include <string>

#include "fuzz/targets.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/text_facts.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::fuzz {

namespace {

void record(std::string_view text) {
  for (const RecordRow& row : parse_record("RECORD", text).rows) {
    require(row.path.size() <= text.size(), "a path is part of the text");
  }
}

void headers(std::string_view text) {
  const MetadataFacts facts = parse_metadata("METADATA", text);
  parse_wheel_file("WHEEL", text);
  for (const std::string& value : facts.all("Requires-Dist")) {
    const Result<Requirement> requirement = parse_requirement(value);
    static_cast<void>(requirement);
  }
}

void names(std::string_view text) {
  const Result<NameFacts> name = parse_wheel_name(text);
  if (name) {
    expand_tags(*name);
    linux_tags(name->platform);
  }
  claim_of_local_version(text);
  const Result<Version> version = Version::parse(text);
  const Result<Specifiers> specifiers = Specifiers::parse(text);
  if (version && specifiers) static_cast<void>(specifiers->allow(*version));
  require(printable(printable(text)) == printable(text), "printable text prints as itself");
  require(is_utf8(printable(text)), "printable text is UTF-8");
}

}  // namespace

// The first byte chooses the parser.
void metadata(ByteView input) {
  if (input.empty()) return;
  const std::string_view text = input.text().substr(1);
  std::vector<std::string> problems;
  switch (input[0] % 6) {
    case 0:
      return headers(text);
    case 1:
      return record(text);
    case 2:
      parse_entry_points(text, problems);
      return;
    case 3:
      parse_header("x.h", text);
      parse_cmake("x.cmake", text);
      return;
    case 4:
      static_cast<void>(parse_variant(text, "label"));  // may refuse any text
      return;
    default:
      return names(text);
  }
}

}  // namespace wheel_audit::fuzz
