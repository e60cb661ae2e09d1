// What counts as a path of a build machine among strings, and that chunk boundaries change nothing.
#include <fmt/format.h>

#include "catch.hpp"
#include "wheel_audit/scan.hpp"
#include "wheel_audit/text.hpp"

using namespace wheel_audit;

namespace {

const std::vector<PathWish> kWishes = {
    {{"/home/", "/root/", "/tmp/"}, {"?*/?*", "?*.c"}, {"/tmp/.X11-unix/*"}}};

struct Found {
  std::string paths;
  bool more = false;
};

Found scan(std::string_view text, std::size_t chunk = 1 << 16) {
  PathScanner scanner(kWishes);
  for (std::size_t at = 0; at < text.size(); at += chunk) {
    scanner.feed(ByteView(text.substr(at, chunk)));
  }
  const std::string paths = join(scanner.finish(), " ");
  return {paths, scanner.more()};
}

}  // namespace

TEST_CASE("paths are found whole, from their root to what paths do not have") {
  CHECK(scan("/home/me/x/a.cpp").paths == "/home/me/x/a.cpp");
  CHECK(scan("\"/root/a.c\":12").paths == "/root/a.c");
  CHECK(scan("gcc -I/home/me/inc -L/root/x/lib -DX=/tmp/b/c").paths ==
        "/home/me/inc /root/x/lib /tmp/b/c");
  CHECK(scan("in /home/me/x.").paths == "/home/me/x");
  CHECK(scan("-ffile-prefix-map=/root/a/b=.").paths == "/root/a/b");
  CHECK(scan("/home/a/b:/home/a/c:/home/a/b").paths == "/home/a/b /home/a/c");
  CHECK(scan("value/root/x/lib.rs").paths.empty());
  CHECK(scan("/root/x/lib.rs/root/y/mod.rs/home/z/w.rs").paths ==
        "/root/x/lib.rs /root/y/mod.rs /home/z/w.rs");
}

TEST_CASE("what is no path of a build machine") {
  for (const char* other :
       {"/home/", "/home/me", "/home/me/", "/tmp/", "/tmp/x.sock", "/usr/home/me/x.c",
        "/homes/a/b.c", "http://root/a/b", "lib/root/a/b.c", "/tmp/.X11-unix/X0", "/tmp/a/%s",
        "/home/<you>/x", "/home/*/x", "/home/$USER/x", "/tmp/a/${n}", "x-I/home/a/b", "~/home/a/b",
        "../root/a.c"}) {
    INFO(other);
    CHECK(scan(other).paths.empty());
  }
}

TEST_CASE("paths are bounded in length and count") {
  const std::string longest = "/home/a/" + std::string(504, 'x');
  CHECK(scan(longest).paths == longest);
  CHECK(scan(longest + "x").paths.empty());
  std::string many;
  for (std::size_t i = 0; i < kMostPaths; ++i) many += fmt::format("/home/a/{} ", i);
  CHECK_FALSE(scan(many + many).more);
  CHECK(scan(many).paths.ends_with("/home/a/15"));
  const Found more = scan(many + "/home/a/16");
  CHECK(more.more);
  CHECK(more.paths.ends_with("/home/a/15"));
}

TEST_CASE("what the loader reads takes no place of the paths that are kept") {
  const auto scan_but = [](std::size_t count) {
    std::string text;
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < count; ++i) {
      entries.push_back(fmt::format("/home/b/lib{}", i));
      text += entries.back() + ":";
    }
    text += " /home/me/x/a.cpp";
    PathScanner scanner(kWishes);
    scanner.feed(ByteView(std::string_view(text)));
    const std::string paths = join(scanner.finish(entries), " ");
    return Found{paths, scanner.more()};
  };
  const Found left = scan_but(kMostPaths);
  CHECK(left.paths == "/home/me/x/a.cpp");
  CHECK_FALSE(left.more);
  CHECK(scan_but(255).paths == "/home/me/x/a.cpp");
  // So many entries that the path after them is not reached: it is told that there is more.
  CHECK(scan_but(256).paths.empty());
  CHECK(scan_but(256).more);
}

TEST_CASE("chunk boundaries do not change paths") {
  std::string text;
  for (int i = 0; i < 15; ++i) {
    text += fmt::format("-I/home/me/dir{}{}s.rs/root/x{}/y.rs /tmp/q{}/%d ", i, '\0', i / 3, i);
    text += std::string(static_cast<std::size_t>(40 * (i % 7)), 'n') + ' ';
  }
  const Found whole = scan(text);
  CHECK(whole.paths.find("/home/me/dir7 ") != std::string::npos);
  CHECK(whole.paths.find("/root/x3/y.rs") != std::string::npos);
  for (std::size_t chunk = 1; chunk < 1100; chunk += chunk < 40 ? 1 : 13) {
    const Found cut = scan(text, chunk);
    REQUIRE(cut.paths == whole.paths);
    REQUIRE(cut.more == whole.more);
  }
}
