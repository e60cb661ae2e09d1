#include <fmt/format.h>

#include "base/base64.hpp"
#include "catch.hpp"
#include "wheel_audit/bytes.hpp"
#include "wheel_audit/globs.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

using namespace wheel_audit;

TEST_CASE("a cursor that ran past the end yields zero for good") {
  const std::uint8_t raw[] = {1, 0, 2};
  Cursor cursor{ByteView(raw)};
  CHECK(cursor.u16() == 1);
  CHECK(cursor.u16() == 0);
  CHECK_FALSE(cursor);
  CHECK(cursor.u8() == 0);
}

TEST_CASE("slices are checked against the end without overflow") {
  const std::uint8_t raw[] = {1, 2, 3, 4};
  const ByteView view{raw};
  CHECK(view.slice(1, 3)->size() == 3);
  CHECK_FALSE(view.slice(1, 4));
  CHECK_FALSE(view.slice(~0ULL, 2));
  CHECK(view.clamp(3, 10).size() == 1);
}

TEST_CASE("globs") {
  CHECK(glob_match("*.so", "a/b.so"));
  CHECK(glob_match("a/*/c", "a/x/y/c"));
  CHECK_FALSE(glob_match("*.so", "b.so.1"));
  CHECK(glob_match("lib[a-c]?.so", "libb1.so"));
  CHECK_FALSE(glob_match("lib[!a-c].so", "libb.so"));
  CHECK(glob_match("", ""));
  CHECK_FALSE(glob_match("", "a"));
}

TEST_CASE("a list of globs matches what its globs match") {
  const std::vector<std::vector<std::string>> lists = {
      {},
      {""},
      {"*"},
      {"**"},
      {"id_rsa", "*.pem", "lib*", "a?c", "[xy]*.so", "x[!a-c]"},
      {"lib*", "libx*", "li*", "*", ""},
      {"*.tar.gz", "*z", "a*z", "[", "]", "a[", "*]", "*[", "?"},
      {"lib*", "libx*", "l?b", "a*", "tar*", "x*", "id*"},
      {"*a*", "b*b", "*\xff", "\xff*"},
  };
  const std::vector<std::string> texts = {
      "",          "a",    "ac",       "abc",   "id_rsa", "id_rsa.pub", ".pem",     "k.pem",
      "k.pem.txt", "lib",  "libx",     "lib/x", "li",     "l",          "x.so",     "z.so",
      "xd",        "xa",   "x",        "b",     "bb",     "bab",        "]",        "[",
      "a[",        "a]",   "*",        "**",    "?",      "z",          "a.tar.gz", ".tar.gz",
      "tar.gz",    "\xff", "\xff\xff", "id_rs", "xid_rsa"};
  for (const std::vector<std::string>& list : lists) {
    const Globs globs(list);
    const Globs copy = globs;  // a copy holds by itself
    for (const std::string& text : texts) {
      INFO(fmt::format("{} of {}", text, join(list, " ")));
      CHECK(copy.match(text) == matches_any(list, text));
    }
  }
}

TEST_CASE("strange names cannot rewrite a terminal") {
  CHECK(printable("a\x1b[2Jb") == "a\\x1b[2Jb");
  CHECK(printable("\xff") == "\\xff");
  CHECK(printable("\xe2\x80\xae") == "\\u{202e}");
  CHECK(printable("naïve") == "naïve");
}

TEST_CASE("JSON keeps order, refuses duplicates and depth") {
  const auto json = Json::parse(R"({"b": 1, "a": [true, null, -2, 18446744073709551615]})");
  REQUIRE(json);
  CHECK(json->dump() == R"({"b":1,"a":[true,null,-2,18446744073709551615]})");
  CHECK_FALSE(Json::parse(R"({"a": 1, "a": 2})"));
  CHECK_FALSE(Json::parse(std::string(100, '[')));
  const auto bad = Json::parse("{\"a\": }");
  REQUIRE_FALSE(bad);
  CHECK(bad.error().message().find("line 1") != std::string::npos);
}

TEST_CASE("merge patch removes by null and merges objects") {
  Json json = *Json::parse(R"({"a": {"b": 1, "c": 2}, "d": 3})");
  json.merge_patch(*Json::parse(R"({"a": {"b": null, "e": 4}, "d": [1]})"));
  CHECK(json.dump() == R"({"a":{"c":2,"e":4},"d":[1]})");
}

TEST_CASE("did you mean") {
  const std::vector<std::string> known = {"severity", "supersedes"};
  CHECK(did_you_mean("severty", known) == " (did you mean \"severity\"?)");
  CHECK(did_you_mean("zzz", known).empty());
}

TEST_CASE("urlsafe base64 to hex") {
  // SHA-256 of "abc", FIPS 180-2.
  CHECK(hex_of_urlsafe_base64("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0") ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hex_of_urlsafe_base64("_-8=") == "ffef");
  CHECK(hex_of_urlsafe_base64("").value_or("nothing").empty());
  CHECK_FALSE(hex_of_urlsafe_base64("a+b/"));
  CHECK_FALSE(hex_of_urlsafe_base64("a=b"));
}

TEST_CASE("names are hashed by SipHash") {
  // The authors' key and messages: bytes that count up from 0.
  std::string text;
  for (char c = 0; c < 15; ++c) text += c;
  CHECK(sip_hash_2_4(0x0706050403020100, 0x0f0e0d0c0b0a0908, text) == 0xa129ca6149be45e5);
  CHECK(sip_hash_2_4(0x0706050403020100, 0x0f0e0d0c0b0a0908, "") == 0x726fdb47dd0e0e31);
  CHECK(keyed_hash(text) == keyed_hash(std::string(text)));
  CHECK(keyed_hash(text) != keyed_hash(text + "x"));
}
