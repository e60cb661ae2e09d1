#include "catch.hpp"
#include "wheel_audit/wheel.hpp"

using namespace wheel_audit;

namespace {

NameFacts name_of(std::string_view text) {
  const Result<NameFacts> name = parse_wheel_name(text);
  INFO(text);
  REQUIRE(name);
  return *name;
}

std::string refusal(std::string_view text) {
  const Result<NameFacts> name = parse_wheel_name(text);
  return name ? "" : name.error().message();
}

}  // namespace

TEST_CASE("wheel names are taken apart") {
  const NameFacts plain = name_of("Pixel.forge-1.0+cu130-py2.py3-none-any.whl");
  CHECK(plain.distribution == "Pixel.forge");
  CHECK(plain.version == "1.0+cu130");
  CHECK(plain.python == std::vector<std::string>{"py2", "py3"});
  CHECK_FALSE(plain.build);
  CHECK_FALSE(plain.variant);

  const NameFacts built = name_of("x-1.0-1_local-cp311-abi3-win_amd64.whl");
  CHECK(built.build == "1_local");
  CHECK_FALSE(built.variant);
  const NameFacts variant = name_of("x-1.0-cp311-cp311-linux_x86_64-cu130.whl");
  CHECK_FALSE(variant.build);
  CHECK(variant.variant == "cu130");
  CHECK(variant.platform == std::vector<std::string>{"linux_x86_64"});
  const NameFacts both = name_of("x-1.0-2-cp311-cp311-linux_x86_64-x86_64_v3.whl");
  CHECK(both.build == "2");
  CHECK(both.variant == "x86_64_v3");
}

TEST_CASE("what is no wheel name says why") {
  CHECK(refusal("pixelforge-1.0-1-py3-none-any-cu130-extra.whl")
            .find("has 8 dash-separated parts, expected 5 to 7: distribution, version, ") !=
        std::string::npos);
  CHECK(refusal("quanta-one.two-py3-none-any.whl") == "\"one.two\" is not a version");
  CHECK(refusal("x-1.0%2Bcu130-py3-none-any.whl") ==
        "\"1.0%2Bcu130\" is not a version (it is escaped as in a URL; the file's own name has "
        "\"+\")");
  CHECK(refusal("x-1.0-py3-none-any.zip") == "\"x-1.0-py3-none-any.zip\" does not end in .whl");
  CHECK(refusal("x-1.0-py3-none.whl").find("has 4 dash-separated parts") != std::string::npos);
  CHECK(refusal("-1.0-py3-none-any.whl") == "the distribution name is empty");
  CHECK(refusal("x-1.0-py3-none-.whl") == "the platform tag \"\" has an empty part");
  CHECK(refusal("x-1.0-py3.-none-any.whl") == "the Python tag \"py3.\" has an empty part");
  CHECK(refusal("x-1.0-a-py3-none-any.whl") ==
        "\"a\" is not a Python tag: expected letters and a number");
  CHECK(refusal("x-1.0-a-py3-none-any-cu130.whl") ==
        "\"a\" is not a build tag: it does not start with a digit");
  CHECK(refusal("x-1.0-py3-none-any-CU130.whl").find("is not a variant label") !=
        std::string::npos);
  CHECK(refusal("x-1.0-py3-none-any-abcdefghijklmnopq.whl").find("is not a variant label") !=
        std::string::npos);
  CHECK(refusal("x-1.0-cp311-cp311-linux-x86_64.whl") ==
        "\"linux\" is not a platform tag: it lacks a system or a machine");
  CHECK(refusal("x-1.0-cp311-cp311-manylinux_2_28-x86_64.whl").find("\"manylinux_2_28\"") == 0);
  for (const char* text :
       {"", ".whl", "x y-1.0-py3-none-any.whl", "a__b-1.0-py3-none-any.whl", "x--py3-none-any.whl",
        "x- 1.0-py3-none-any.whl", "x-1.0-py3-no+ne-any.whl", "d/x-1.0-py3-none-any.whl",
        "n\xc3\xa4h-1.0-py3-none-any.whl", "x-1.0_1-py3-none-any.whl"}) {
    CAPTURE(text);
    CHECK_FALSE(refusal(text).empty());
  }
  CHECK(refusal(std::string(300, 'x') + ".whl") ==
        "the file name has 304 bytes, expected at most 255");
}

TEST_CASE("tags are expanded, sorted and unique") {
  CHECK(
      expand_tags(name_of("x-1-py3.py2-none-win32.any.any.whl")) ==
      std::vector<std::string>{"py2-none-any", "py2-none-win32", "py3-none-any", "py3-none-win32"});
}

TEST_CASE("Linux platform tags") {
  const std::vector<PlatformTag> tags = linux_tags(
      {"manylinux1_i686", "manylinux2010_x86_64", "manylinux2014_aarch64", "manylinux_2_28_x86_64",
       "musllinux_1_2_armv7l", "linux_ppc64le", "any", "win_amd64", "manylinux_2_x86_64",
       "manylinux_2_17_", "manylinux_99999_1_x86_64", "manylinux2014", "linux_"});
  REQUIRE(tags.size() == 6);
  CHECK((tags[0].libc == "glibc" && tags[0].minor == 5 && tags[0].machine == "i686"));
  CHECK((tags[1].major == 2 && tags[1].minor == 12));
  CHECK((tags[2].minor == 17 && tags[2].tag == "manylinux2014_aarch64"));
  CHECK((tags[3].major == 2 && tags[3].minor == 28 && tags[3].machine == "x86_64"));
  CHECK((tags[4].libc == "musl" && tags[4].major == 1 && tags[4].minor == 2));
  CHECK((tags[5].libc.empty() && tags[5].machine == "ppc64le"));
}

TEST_CASE("Python tags") {
  CHECK(parse_python_tag("cp311")->minor == 11);
  CHECK(parse_python_tag("py3")->minor == -1);
  CHECK(parse_python_tag("PP39")->implementation == "pp");
  CHECK(parse_python_tag("py27")->major == 2);
  CHECK_FALSE(parse_python_tag("py"));
  CHECK_FALSE(parse_python_tag("311"));
  CHECK_FALSE(parse_python_tag("cp3x"));
  CHECK_FALSE(parse_python_tag("cp31111111111"));
}
