#include "wheel_audit/version.hpp"

#include "catch.hpp"

using namespace wheel_audit;

namespace {

Version version(std::string_view text) {
  const Result<Version> parsed = Version::parse(text);
  INFO(text);
  REQUIRE(parsed);
  return *parsed;
}

Specifiers specifiers(std::string_view text) {
  const Result<Specifiers> parsed = Specifiers::parse(text);
  INFO(text);
  REQUIRE(parsed);
  return *parsed;
}

bool allows(std::string_view set, std::string_view text) {
  return specifiers(set).allow(version(text));
}

}  // namespace

TEST_CASE("versions have one normal form") {
  CHECK(version(" v1.0-RC.1 ").normalized() == "1.0rc1");
  CHECK(version("1!01.2.0").normalized() == "1!1.2.0");
  CHECK(version("1.0-1").normalized() == "1.0.post1");
  CHECK(version("1.0_post").normalized() == "1.0.post0");
  CHECK(version("1.0a-").normalized() == "1.0a0");
  CHECK(version("1.0.dev").normalized() == "1.0.dev0");
  CHECK(version("1.0c2.r3.dev4+Ubuntu_01-x").normalized() == "1.0rc2.post3.dev4+ubuntu.1.x");
  CHECK(version("2.9.0+cu130").base().normalized() == "2.9.0");
  CHECK(version("1.0preview3").normalized() == "1.0rc3");
}

TEST_CASE("what is no version is refused") {
  for (const char* text : {"", "one.two", "1.", "1.0.", "1.0+", "1.0+a..b", "1.0+a.", "1.0x", "v",
                           "1!", "1.0 1", "1.0_1", "1.0%2Bcu130", "1.0.*", "!1"}) {
    CAPTURE(text);
    CHECK_FALSE(Version::parse(text));
  }
  CHECK(Version::parse("one.two").error().message() == "\"one.two\" is not a version");
  const Result<Version> large = Version::parse("1.99999999999999999999");
  REQUIRE_FALSE(large);
  CHECK(large.error().message() ==
        "\"1.99999999999999999999\" has a number that 64 bits cannot hold");
  CHECK_FALSE(Version::parse("18446744073709551615"));
  CHECK(Version::parse("18446744073709551613"));
}

TEST_CASE("versions are ordered as PEP 440 says") {
  const std::vector<std::string> ascending = {"1.dev0",
                                              "1.0.dev456",
                                              "1.0a1",
                                              "1.0a2.dev456",
                                              "1.0a12.dev456",
                                              "1.0a12",
                                              "1.0b1.dev4",
                                              "1.0b2",
                                              "1.0b2.post345.dev456",
                                              "1.0b2.post345",
                                              "1.0rc1.dev4",
                                              "1.0rc1",
                                              "1.0",
                                              "1.0+abc.5",
                                              "1.0+abc.7",
                                              "1.0+abc.7.a",
                                              "1.0+5",
                                              "1.0+123456789012345678901234567890",
                                              "1.0.post456.dev34",
                                              "1.0.post456",
                                              "1.0.0.1",
                                              "1.1.dev1",
                                              "1.10",
                                              "1!0.1"};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      CAPTURE(ascending[i], ascending[j]);
      CHECK((version(ascending[i]) <=> version(ascending[j])) == (i <=> j));
    }
  }
  CHECK(version("1.0") == version("1"));
  CHECK(version("1.0+A-1") == version("1.0.0+a.01"));
}

TEST_CASE("specifiers allow what packaging allows, pre-releases like others") {
  CHECK(allows("", "0.0.dev1"));
  CHECK(allows(">=1.0,<2", "1.5a1"));
  CHECK_FALSE(allows("<2", "2.0a1"));
  CHECK(allows("<2.0b1", "2.0a1"));
  CHECK_FALSE(allows("<1.0.post2", "1.0.post2.dev1"));
  CHECK(allows("<1.0.post2", "1.0.post1"));
  CHECK_FALSE(allows(">1.0", "1.0.post1"));
  CHECK_FALSE(allows(">1.0", "1.0+local"));
  CHECK(allows(">1.0.post1", "1.0.post2"));
  CHECK(allows(">1.0", "1.0.0.1"));
  CHECK(allows("~=1.4.5", "1.4.9"));
  CHECK_FALSE(allows("~=1.4.5", "1.5.0"));
  CHECK(allows("~=1.4.5.post1", "1.4.6"));
  CHECK(allows("==1.0", "1.0+cu130"));
  CHECK_FALSE(allows("==1.0+cu130", "1.0"));
  CHECK_FALSE(allows("!=1.0", "1.0+cu130"));
  CHECK(allows("<=1.0", "1.0+cu130"));
  CHECK(allows("==13.*", "13.0.dev1"));
  CHECK(allows("==1.0.*", "1"));
  CHECK_FALSE(allows("==1.1.*", "1.10"));
  CHECK(allows("!=1.1.*", "1.10"));
  CHECK_FALSE(allows("==1.0.*", "1!1.0"));
  CHECK(allows("===1.0", "1.0"));
  CHECK_FALSE(allows("===1.0", "1.0.0"));
}

TEST_CASE("specifier sets that do not parse say why") {
  CHECK(specifiers(" >= 3.8 , ,<4,").clauses() == std::vector<Clause>{{">=", "3.8"}, {"<", "4"}});
  CHECK(Specifiers::parse("three and up").error().message() ==
        "\"three and up\" is not a version specifier: it does not start with one of ==, !=, <=, "
        ">=, <, >, ~=, ===");
  CHECK(Specifiers::parse(">=3.8.*").error().message() ==
        "\">=3.8.*\" is not a version specifier: .* goes with == and != only");
  for (const char* text : {"~=1", "==1.0a1.*", "==1.0+a.*", ">=1.0+a", "=1.0", ">==1.0",
                           "==", "===", "=== a b", ">=1 <2", "1.0"}) {
    CAPTURE(text);
    CHECK_FALSE(Specifiers::parse(text));
  }
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "!=1,";
  CHECK_FALSE(Specifiers::parse(many));
}

TEST_CASE("whether a set allows some release of a major") {
  const auto allows_13 = [](std::string_view set) {
    return specifiers(set).allow_some_of_major(13);
  };
  CHECK(allows_13(""));
  CHECK(allows_13(">=13,<14"));
  CHECK_FALSE(allows_13(">=12,<13"));
  CHECK(allows_13("==13.0.96"));
  CHECK(allows_13("~=13.0"));
  CHECK(allows_13("~=13.0.48"));
  CHECK_FALSE(allows_13("!=13.*"));
  CHECK(allows_13(">13.5,<13.6"));
  CHECK_FALSE(allows_13(">13.5,<=13.5"));
  CHECK(allows_13(">12"));
  CHECK_FALSE(allows_13(">=13.2,<13.1"));
  CHECK(allows_13("!=13.0,!=13.1"));
  CHECK_FALSE(allows_13("==12.*"));
  CHECK_FALSE(allows_13(">=1!13"));
  CHECK_FALSE(allows_13("==13.1.*,!=13.1.*"));
  CHECK(allows_13("===13.0.1"));
  CHECK_FALSE(allows_13("===whatever"));
}

TEST_CASE("bounds of a set") {
  CHECK(specifiers(">=3.8,>3.9,<4").lower_bound()->normalized() == "3.9");
  CHECK(specifiers("==13.0.*").lower_bound()->normalized() == "13.0");
  CHECK_FALSE(specifiers("<4,!=3.5").lower_bound());
  CHECK(specifiers("~=1.4").has_upper_bound());
  CHECK(specifiers("<=2").has_upper_bound());
  CHECK_FALSE(specifiers(">=1,!=2").has_upper_bound());
}

TEST_CASE("names are normalised") {
  CHECK(normalize_name("NVIDIA.CUDA_-Runtime") == "nvidia-cuda-runtime");
  CHECK(normalize_name("x") == "x");
}
