// Where members are installed, and what search entries mean.
#include <algorithm>

#include "catch.hpp"
#include "wheel_audit/search_entry.hpp"

using namespace wheel_audit;

namespace {
using Paths = std::vector<std::string>;
}  // namespace

TEST_CASE("paths become normal") {
  CHECK(normal_path("a//b/./c/../d/") == "a/b/d");
  CHECK(normal_path("a/../../b") == "../b");
  CHECK(normal_path("../../a/..") == "../..");
  CHECK(normal_path("/../a") == "/a");
  CHECK(normal_path("a/..").empty());
  CHECK(normal_path("/a/b") == "/a/b");
  CHECK(install_path("-1.data/headers/x.h") == "include/site/python3/x.h");
  CHECK(normal_path("a\\..\\b") == "a\\..\\b");
  CHECK(normal_path(std::string(60000, '/')) == "/");
}

TEST_CASE("members are installed by scheme") {
  const std::string site(kSitePackages);
  CHECK(install_path("demo/_C.so") == site + "/demo/_C.so");
  CHECK(install_path("demo-1.0.data/platlib/demo/_C.so") == site + "/demo/_C.so");
  CHECK(install_path("demo-1.0.data/purelib/demo.py") == site + "/demo.py");
  CHECK(install_path("demo-1.0.data/data/lib/libx.so") == "lib/libx.so");
  CHECK(install_path("demo-1.0.data/data/lib/python3.11/site-packages/demo/x.so") ==
        site + "/demo/x.so");
  CHECK(install_path("demo-1.0.data/data/lib64/python3.13t/site-packages/x.so") == site + "/x.so");
  CHECK(install_path("demo-1.0.data/data/lib/python3.11/config/x") == "lib/python3.11/config/x");
  CHECK(install_path("demo-1.0.data/scripts/demo") == "bin/demo");
  CHECK(install_path("demo-1.0.data/headers/a/b.h") == "include/site/python3/demo/a/b.h");
  CHECK(install_path("demo-1.0.data/other/x") == site + "/demo-1.0.data/other/x");
  CHECK(install_path("demo-1.0.data/data") == site + "/demo-1.0.data/data");
  CHECK(install_path("demo/x.data/data/y") == site + "/demo/x.data/data/y");
}

TEST_CASE("hostile names are installed somewhere normal") {
  CHECK(install_path("/etc/passwd") == std::string(kSitePackages) + "/etc/passwd");
  CHECK(install_path("../../../bin/x") == "bin/x");
  CHECK(install_path("../../../../x") == "../x");
  CHECK(install_path("d-1.data/data/../../x") == std::string(kSitePackages) + "/x");
  CHECK(install_path("./d-1.data//scripts/x") == "bin/x");
  CHECK(install_path("") == kSitePackages);
  CHECK(install_path("..\\x") == std::string(kSitePackages) + "/..\\x");
}

TEST_CASE("paths are shown as people know them") {
  CHECK(shown_path("lib/python3/site-packages/demo/_C.so") == "demo/_C.so");
  CHECK(shown_path("lib/libx.so") == "<prefix>/lib/libx.so");
  CHECK(shown_path("lib/python3/site-packages-x/a") == "<prefix>/lib/python3/site-packages-x/a");
  CHECK(shown_path(kSitePackages) == ".");
  CHECK(shown_path("../x") == "<prefix>/../x");
}

TEST_CASE("search entries are taken apart") {
  using Type = SearchEntry::Type;
  const std::string demo = "lib/python3/site-packages/demo";
  const auto directories = [&](std::string_view text) {
    return search_entry(text, demo).directories;
  };
  CHECK(directories("$ORIGIN") == Paths{demo});
  CHECK(directories("${ORIGIN}/../demo.libs/") == Paths{"lib/python3/site-packages/demo.libs"});
  CHECK(directories("$ORIGIN-libs") == Paths{demo + "-libs"});
  CHECK(directories("$ORIGIN/$FOO") == Paths{demo + "/$FOO"});
  CHECK(directories("$ORIGIN/../../../..").at(0).empty());
  CHECK(directories("$ORIGIN/../../../../../../x") == Paths{"../../x"});
  CHECK(directories("$ORIGIN/$ORIGIN").at(0).starts_with("../"));
  CHECK(search_entry("$ORIGIN-x", "").directories == Paths{"../-x"});
  CHECK(search_entry("$ORIGIN/x", "").directories == Paths{"x"});

  CHECK(search_entry("", demo).type == Type::empty);
  CHECK(search_entry("/usr/lib", demo).type == Type::absolute);
  CHECK(search_entry("lib/$ORIGIN", demo).type == Type::relative);
  CHECK(search_entry("$ORIGINS/x", demo).type == Type::relative);
  CHECK(search_entry("$ORIGIN_/x", demo).type == Type::relative);
  CHECK(search_entry("${ORIGIN/x", demo).type == Type::relative);
  CHECK(search_entry("$origin/x", demo).type == Type::relative);
  CHECK(search_entry("$", demo).type == Type::relative);
  CHECK(search_entry("lib", demo).directories.empty());
  CHECK(search_entry("$ORIGIN/x", demo).type == Type::origin);
  CHECK_FALSE(search_entry("$ORIGIN/$LIBS", demo).host_token);
}

TEST_CASE("host tokens stand for each of their values") {
  const SearchEntry lib = search_entry("$ORIGIN/${LIB}", "a");
  CHECK(lib.host_token);
  const auto has = [](const SearchEntry& entry, std::string_view directory) {
    return std::ranges::find(entry.directories, directory) != entry.directories.end();
  };
  for (const char* value :
       {"a/lib64", "a/lib", "a/lib32", "a/lib/x86_64-linux-gnu", "a/lib/aarch64-linux-gnu"}) {
    CHECK(has(lib, value));
  }
  const SearchEntry platform = search_entry("$ORIGIN/$PLATFORM", "a");
  for (const char* value : {"a/x86_64", "a/haswell", "a/xeon_phi", "a/aarch64", "a/i686"}) {
    CHECK(has(platform, value));
  }
  const SearchEntry both = search_entry("$ORIGIN/$LIB/$PLATFORM", "a");
  CHECK(both.directories.size() == lib.directories.size() * platform.directories.size());
  CHECK(search_entry("$LIB/x", "a").host_token);
  const std::string huge = "$ORIGIN/" + std::string(5000, 'x') + "$LIB";
  CHECK(search_entry(huge, "a").directories.size() == 1);
}

TEST_CASE("the site-packages of the only Python that the tags allow is site-packages") {
  WheelFacts wheel;
  const auto python_of = [&](const std::string& python, const std::string& abi) {
    wheel.name = NameFacts{};
    wheel.name->python = {python};
    wheel.name->abi = {abi};
    return only_python(wheel);
  };
  CHECK(python_of("cp313", "cp313t") == "python3.13t");
  CHECK(python_of("pp310", "pypy310_pp73") == "pypy3.10");
  CHECK(python_of("cp39", "abi3").empty());
  CHECK(python_of("py3", "none").empty());
  CHECK(python_of("cp311", "cp311") == "python3.11");
  Placed tool;
  tool.path = "bin/tool";
  tool.wheel = &wheel;
  const std::string entry = "$ORIGIN/../lib/python3.11/site-packages";
  CHECK(search_entry(entry + "/demo.libs", tool).directories ==
        Paths{"lib/python3/site-packages/demo.libs"});
  CHECK(search_entry(entry, tool).directories == Paths{"lib/python3/site-packages"});
  CHECK(search_entry(entry + "-x", tool).directories == Paths{"lib/python3.11/site-packages-x"});
  wheel.name->python = {"cp312"};
  CHECK(search_entry(entry, tool).directories == Paths{"lib/python3.11/site-packages"});
}
