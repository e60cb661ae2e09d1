// Names as people write them against names as linkers do; each mangled name is g++'s or clang's.
#include "kinds/written_name.hpp"

#include "catch.hpp"
#include "wheel_audit/text.hpp"

using namespace wheel_audit;

namespace {

/// Whether a name stands for a symbol; what matches must be asked for too, or facts lack it.
bool stands_for(std::string_view written, std::string_view symbol) {
  const WrittenName name(written);
  bool asked = false;
  for (const std::string& glob : name.globs()) asked = asked || glob_match(glob, symbol);
  if (name.matches(symbol)) CHECK(asked);
  return name.matches(symbol);
}

}  // namespace

TEST_CASE("a function is found whatever its parameters") {
  CHECK(stands_for("demo::rt::reg", "_ZN4demo2rt3regERKNS0_1BE"));
  CHECK(stands_for("demo::rt::reg", "_ZN4demo2rt3regEv"));
  CHECK(stands_for("demo::X::size", "_ZNK4demo1X4sizeEv"));
  CHECK(stands_for("demo::count", "_ZN4demo5countE"));        // a variable
  CHECK(stands_for("demo::pool", "_ZZN4demo4poolEvE4pool"));  // a static within it
}

TEST_CASE("a name that begins alike, or stands elsewhere, is another") {
  CHECK_FALSE(stands_for("demo::rt::reg", "_ZN4demo2rt8registryEv"));
  CHECK_FALSE(stands_for("demo::rt::reg", "_ZN4demo2rt4reg2Ev"));
  CHECK_FALSE(stands_for("demo::rt::reg", "_ZN5outer4demo2rt3regEv"));
  CHECK_FALSE(stands_for("demo::rt::reg", "_ZN1a1bERKN4demo2rt3regE"));
  CHECK_FALSE(stands_for("demo::rt::reg", "_ZTVN4demo2rt3regE"));
  CHECK_FALSE(stands_for("demo::rt::reg", "reg"));
  CHECK_FALSE(stands_for("demo::rt::reg", "_ZN4demo2rt3regIiEEvv"));  // reg<int>
  CHECK_FALSE(stands_for("demo::rt::reg", "_ZN4demo2rt3reg"));
}

TEST_CASE("a class stands for its members") {
  CHECK(stands_for("demo::X", "_ZN4demo1X4initEv"));
  CHECK(stands_for("demo::X", "_ZN4demo1XC2Ev"));
  CHECK(stands_for("demo::X", "_ZN4demo1XD0Ev"));
  CHECK(stands_for("demo::X", "_ZN4demo1XaSERKS0_"));
  CHECK_FALSE(stands_for("demo::X", "_ZTIN4demo1XE"));
}

TEST_CASE("a constructor is written as its class twice") {
  CHECK(stands_for("demo::X::X", "_ZN4demo1XC1Ev"));
  CHECK(stands_for("demo::X::X", "_ZN4demo1XC2ERKNS_1YE"));
  CHECK_FALSE(stands_for("demo::X::X", "_ZN4demo1XD1Ev"));
  CHECK_FALSE(stands_for("demo::X::X", "_ZN4demo1X5ClearEv"));
}

TEST_CASE("a name without scopes is a C name, and a C++ function of no namespace") {
  CHECK(stands_for("pool_create", "pool_create"));
  CHECK(stands_for("pool_create", "_Z11pool_createm"));
  CHECK_FALSE(stands_for("pool_create", "pool_create_v2"));
  CHECK_FALSE(stands_for("pool_create", "_Z14pool_create_v2m"));
}

TEST_CASE("anonymous namespaces and std have their own spelling") {
  CHECK(stands_for("demo::(anonymous namespace)::f", "_ZN4demo12_GLOBAL__N_11fEv"));
  CHECK(stands_for("std::pmr::f", "_ZNSt3pmr1fEv"));
}
