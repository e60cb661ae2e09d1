#include <fmt/format.h>

#include "catch.hpp"
#include "wheel_audit/audit.hpp"
#include "wheel_audit/environments.hpp"
#include "wheel_audit/subject.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

using namespace wheel_audit;

namespace {

Requirement requirement(std::string_view text) {
  const Result<Requirement> parsed = parse_requirement(text);
  INFO(text);
  REQUIRE(parsed);
  return *parsed;
}

std::string refusal(std::string_view text) {
  const Result<Requirement> parsed = parse_requirement(text);
  return parsed ? "" : parsed.error().message();
}

WheelFacts wheel_named(const char* name, const char* requires_python = nullptr) {
  WheelFacts wheel;
  const Result<NameFacts> parsed = parse_wheel_name(name);
  REQUIRE(parsed);
  wheel.name = *parsed;
  if (requires_python != nullptr) {
    wheel.metadata = MetadataFacts();
    wheel.metadata->fields = {{"Requires-Python", requires_python}};
  }
  return wheel;
}

Applies applies(const char* text, const WheelFacts& wheel, std::set<std::string> extras = {}) {
  return applies_in(requirement(text), environments_of(wheel), extras);
}

}  // namespace

TEST_CASE("requirements are taken apart") {
  const Requirement full =
      requirement(" Nvidia_CUDA.Runtime [ B , a,b ] >=13, <14 , ; platform_system == 'Linux' ");
  CHECK(full.name == "nvidia-cuda-runtime");
  CHECK(full.extras == std::vector<std::string>{"a", "b"});
  CHECK(full.specifiers.clauses() == std::vector<Clause>{{">=", "13"}, {"<", "14"}});
  CHECK(full.marker_text == "platform_system == 'Linux'");
  CHECK(full.url.empty());
  CHECK(requirement("a(==1.0)").specifiers.clauses().size() == 1);
  CHECK(requirement("a[]").extras.empty());
  const Requirement url = requirement("a @ https://x/y.whl;z ; os_name=='nt'");
  CHECK(url.url == "https://x/y.whl;z");
  CHECK_FALSE(url.marker.empty());
  CHECK(url.specifiers.clauses().empty());
  const auto pinned = [](const std::string& text) {
    const Requirement one = requirement(text);
    return one.specifiers.clauses().empty() ? "" : one.specifiers.clauses()[0].version;
  };
  CHECK(pinned("torch @ https://x/torch-2.9.0%2Bcu130-cp312-cp312-linux_x86_64.whl#sha256=00") ==
        "2.9.0+cu130");
  CHECK(pinned("a-b @ https://x/a-b-1.5.tar.gz") == "1.5");
  CHECK(pinned("a @ git+https://x/a-b@1.0") == "");
  CHECK(pinned("a @ https://x/a-latest.zip") == "");
  CHECK(requirement("torch==2.9.0+cu130").specifiers.clauses()[0].version == "2.9.0+cu130");
}

TEST_CASE("requirements that pip refuses are refused") {
  CHECK(refusal("numpy >== 1.0 or so").find("\"numpy >== 1.0 or so\" is not a requirement: ") == 0);
  CHECK(refusal("a;") ==
        "\"a;\" is not a requirement: expected a marker after the semicolon at "
        "the end");
  for (const char* text : {"",
                           "-a",
                           "a-",
                           "a b",
                           "a[b",
                           "a[b,]",
                           "a[,b]",
                           "a >=1 >2",
                           "a (>=1",
                           "a @",
                           "a @ u; x",
                           "a,>=1",
                           "a,",
                           "a >=1,,<2",
                           "a ; foo == 'x'",
                           "a ; os_name = 'nt'",
                           "a ; os_name == nt",
                           "a ; os_name == 'nt' and",
                           "a ; (os_name == 'nt'",
                           "a ; os_name == 'nt')",
                           "a ; 'x'",
                           "a ; os_name not 'x'",
                           "a ; os_name notin 'x'",
                           "a ; os_name == 'x\ny'",
                           "a>=1; ; os_name",
                           "a~=1",
                           "a>=1.*"}) {
    CAPTURE(text);
    CHECK_FALSE(refusal(text).empty());
  }
  CHECK_FALSE(refusal("a\xff").empty());
}

TEST_CASE("environments follow tags and Requires-Python") {
  const auto exact = environments_of(wheel_named("x-1-cp312-cp312-manylinux_2_28_aarch64.whl"));
  REQUIRE(exact.size() == 1);
  CHECK(exact[0].at("python_version") == "3.12");
  CHECK(exact[0].at("python_full_version") == "3.12.0");
  CHECK(exact[0].at("platform_machine") == "aarch64");
  CHECK(exact[0].at("sys_platform") == "linux");
  CHECK(exact[0].at("platform_system") == "Linux");
  CHECK(exact[0].at("implementation_name") == "cpython");

  CHECK(environments_of(wheel_named("x-1-cp39-abi3-win_amd64.whl")).size() == 12);
  CHECK(environments_of(wheel_named("x-1-cp39-abi3-win_amd64.whl", ">=3.10,<3.12")).size() == 2);
  CHECK(environments_of(wheel_named("x-1-py3-none-any.whl", ">=3.19")).size() == 2 * 5);
  CHECK(environments_of(wheel_named("x-1-py2.py3-none-win32.whl")).size() == 16);
  CHECK(environments_of(wheel_named("x-1-py312-none-win32.whl")).size() == 9);
  const auto late = environments_of(wheel_named("x-1-cp38-cp38-win32.whl", ">=3.8.1"));
  REQUIRE(late.size() == 1);
  CHECK(late[0].at("python_full_version") == "3.8.1");
  CHECK(late[0].at("platform_machine") == "x86");
  const auto mac =
      environments_of(wheel_named("x-1-pp310-pypy310_pp73-macosx_11_0_universal2.whl"));
  REQUIRE(mac.size() == 2);
  CHECK(mac[0].at("platform_machine") == "arm64");
  CHECK(mac[0].at("platform_python_implementation") == "PyPy");
  CHECK(mac[1].at("sys_platform") == "darwin");
  CHECK(environments_of(wheel_named("x-1-cp38-cp38-win32.whl", ">=3.9")).size() == 1);
  CHECK(environments_of(wheel_named("x-1-cp38-cp38-plan9.whl")).size() == 1);
  CHECK(environments_of(wheel_named("x-1-cp38-cp38-manylinux1_x86_64.manylinux_2_5_x86_64.whl"))
            .size() == 1);
  CHECK(environments_of(WheelFacts()).empty());
}

TEST_CASE("environments are told apart up to a number") {
  // 30 implementations with 15 minors each, on 10 systems: 4500.
  std::string python;
  for (char c = 'a'; c < 'a' + 15; ++c) {
    python += fmt::format("{0}x3.{0}y3.", c);
  }
  python.pop_back();
  std::string platform;
  for (char c = 'a'; c < 'a' + 10; ++c) platform += fmt::format("{}_1.", c);
  platform.pop_back();
  const std::string name = "x-1-" + python + "-none-" + platform + ".whl";
  WheelFacts wheel = wheel_named(name.c_str());
  CHECK(environments_of(wheel).size() == kMostEnvironments);
  wheel.metadata = MetadataFacts();
  wheel.metadata->fields = {{"Requires-Dist", "a; sys_platform == 'linux'"}};
  const Expectations expect;
  const Context context;
  const auto unread_of = [&] { return audit(Subject(wheel, expect, context), RuleSet()).unread; };
  REQUIRE(unread_of().size() == 1);
  CHECK(unread_of()[0].reason ==
        "the tags of its file name stand for 4096 environments or more, so that markers such as "
        "that of \"a; sys_platform == 'linux'\" are not evaluated in all of them");
  wheel.metadata->fields = {{"Requires-Dist", "a"}};
  CHECK(unread_of().empty());
}

TEST_CASE("when a requirement applies") {
  const WheelFacts any = wheel_named("x-1-py3-none-any.whl", ">=3.9");
  const WheelFacts linux_only = wheel_named("x-1-cp311-cp311-manylinux_2_28_x86_64.whl");
  CHECK(applies("a", any) == Applies::always);
  CHECK(applies("a; sys_platform == 'linux'", any) == Applies::sometimes);
  CHECK(applies("a; sys_platform == 'linux'", linux_only) == Applies::always);
  CHECK(applies("a; sys_platform == 'win32'", linux_only) == Applies::never);
  CHECK(applies("a; python_version < '3.9'", any) == Applies::never);
  CHECK(applies("a; python_version >= '3.9'", any) == Applies::always);
  CHECK(applies("a; platform_machine == 'x86_64' and platform_system == 'Linux'", linux_only) ==
        Applies::always);
  CHECK(applies("a; extra == 'Gpu_x'", any, {"gpu-x"}) == Applies::under_extra);
  CHECK(applies("a; extra == 'gpu'", any, {"other"}) == Applies::never);
  CHECK(applies("a; extra == 'gpu' and sys_platform == 'win32'", linux_only, {"gpu"}) ==
        Applies::never);
  CHECK(applies("a; extra == 'gpu' or os_name == 'posix'", linux_only, {"gpu"}) == Applies::always);
}

TEST_CASE("what an extra of the wheel itself brings applies as strongly as the extra is asked for",
          "[requirement]") {
  WheelFacts wheel = wheel_named("demo-1.0-py3-none-any.whl");
  wheel.metadata = MetadataFacts();
  wheel.metadata->fields = {{"Provides-Extra", "cuda"},
                            {"Provides-Extra", "more"},
                            {"Requires-Dist", "demo[cuda]; python_version < '3.9'"},
                            {"Requires-Dist", "demo[Cuda]"},
                            {"Requires-Dist", "runtime; extra == 'cuda'"},
                            {"Requires-Dist", "demo[more]; extra == 'cuda'"},
                            {"Requires-Dist", "linux-only; extra == 'more' and os_name == 'posix'"},
                            {"Requires-Dist", "other; extra == 'other'"}};
  const Expectations expect;
  const Context context;
  const Subject subject(wheel, expect, context);
  CHECK(subject.declared("runtime") == Applies::always);
  CHECK(subject.declared("linux-only") == Applies::sometimes);
  CHECK(subject.declared("other") == Applies::never);
  CHECK_FALSE(subject.extras_cut());
}
