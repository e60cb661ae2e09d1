#include "catch.hpp"
#include "wheel_audit/version.hpp"

using namespace wheel_audit;

namespace {

const Environment kLinux = {{"python_version", "3.11"},
                            {"python_full_version", "3.11.4"},
                            {"os_name", "posix"},
                            {"sys_platform", "linux"},
                            {"platform_machine", "x86_64"},
                            {"platform_system", "Linux"},
                            {"platform_python_implementation", "CPython"},
                            {"platform_release", ""},
                            {"extra", "foo-bar"}};

bool holds(std::string_view text) {
  const Result<Marker> marker = Marker::parse(text);
  INFO(text);
  REQUIRE(marker);
  return marker->evaluate(kLinux);
}

}  // namespace

TEST_CASE("versions compare as versions, text as text") {
  CHECK(holds("python_version >= '3.9'"));
  CHECK_FALSE(holds("python_version < '3.9'"));
  CHECK(holds("'3.9' <= python_version"));
  CHECK(holds("python_version == '3.*'"));
  CHECK(holds("python_version ~= '3.8'"));
  CHECK(holds("python_full_version > '3.11.3'"));
  CHECK(holds("python_version in '3.10 3.11'"));
  CHECK(holds("python_version not  in '3.8,3.9'"));
  CHECK(holds("sys_platform == \"linux\""));
  CHECK_FALSE(holds("sys_platform > 'aaa'"));
  CHECK(holds("'inu' in sys_platform"));
  CHECK_FALSE(holds("platform_release >= '5'"));
  CHECK(holds("python_implementation == 'CPython' and os.name == 'posix'"));
  CHECK(holds("extra == 'Foo.Bar'"));
  CHECK_FALSE(holds("sys_platform ~= 'linux'"));
  CHECK(holds(""));
}

TEST_CASE("and binds tighter than or") {
  CHECK(holds("os_name=='posix' or os_name=='x' and os_name=='y'"));
  CHECK_FALSE(holds("(os_name=='posix' or os_name=='x') and os_name=='y'"));
  CHECK(holds("os_name=='nt' and os_name=='x' or(os_name=='posix')"));
}

TEST_CASE("which extras a marker speaks of") {
  const Result<Marker> marker = Marker::parse("extra == 'A_b' or 'c' == extra or os_name == 'nt'");
  REQUIRE(marker);
  CHECK(marker->uses_extra());
  CHECK(marker->extras() == std::set<std::string>{"a-b", "c"});
  CHECK_FALSE(Marker::parse("os_name == 'extra'")->uses_extra());
}

TEST_CASE("hostile markers are refused, not recursed into") {
  const std::string deep(100'000, '(');
  CHECK(Marker::parse(deep).error().message() == "the marker is nested more than 64 levels deep");
  std::string nested = "os_name=='posix'";
  for (int i = 0; i < 64; ++i) nested = "(" + nested + ")";
  CHECK(Marker::parse(nested));
  CHECK_FALSE(Marker::parse("(" + nested + ")"));
  std::string wide = "os_name=='posix'";
  for (int i = 0; i < 100'000; ++i) wide += " and os_name=='posix'";
  CHECK(Marker::parse(wide).error().message() == "the marker has more than 256 comparisons");
  CHECK_FALSE(Marker::parse("os_name == 'a\\'"));
  CHECK_FALSE(Marker::parse(std::string("os_name == 'a\0'", 15)));
  CHECK(holds("'a\\\\' != os_name"));
}
