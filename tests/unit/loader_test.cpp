// The loader model over sites of facts made by hand. tests/loader compares it with the loaders.
#include "wheel_audit/loader.hpp"

#include "catch.hpp"

using namespace wheel_audit;

namespace {

using Paths = std::vector<std::string>;

struct Library {
  std::string path;
  Paths needed = {};
  Paths runpath = {};
  Paths rpath = {};
  std::string soname = {};
};

/// A wheel put together by hand; symbol names are literals, so no pool holds them.
struct HandMade {
  WheelFacts facts;

  MemberFacts& file(std::string path, MemberKind kind = MemberKind::other) {
    facts.members.emplace_back();
    facts.members.back().path = std::move(path);
    facts.members.back().kind = kind;
    return facts.members.back();
  }
  ElfFacts& add(const Library& library) {
    file(library.path, MemberKind::elf);
    ElfFacts& elf = facts.elves.emplace_back();
    elf.path = library.path;
    elf.machine = "x86_64";
    elf.type = "dyn";
    elf.dynamic = true;
    elf.needed = library.needed;
    elf.soname = library.soname;
    elf.runpath = library.runpath;
    elf.has_runpath = !library.runpath.empty();
    elf.rpath = library.rpath;
    elf.has_rpath = !library.rpath.empty();
    return elf;
  }
  void add_extension(const Library& library) {
    Symbol entry;
    entry.name = "PyInit__C";
    entry.defined = true;
    add(library).symbols.push_back(entry);
  }
};

Paths shown(const std::vector<const Placed*>& files) {
  Paths paths;
  for (const Placed* file : files) paths.push_back(shown_path(file->path));
  return paths;
}

Closure load_member(const Site& site, const HandMade& wheel, std::string_view member, Libc libc) {
  const Placed* root = site.of(wheel.facts, member);
  REQUIRE(root != nullptr);
  return load(site, *root, libc);
}

}  // namespace

TEST_CASE("a site holds the files of several wheels, the first of a path") {
  HandMade first;
  HandMade second;
  first.add({.path = "demo/libx.so", .soname = "libx.so.1"});
  first.file("demo/empty/", MemberKind::directory);
  second.add({.path = "demo/libx.so", .soname = "libx.so.2"});
  second.add({.path = "other/cubin.so"}).machine = "em_190";
  second.file("other-1.data/data/lib/notes.txt");
  Site site;
  site.add(first.facts);
  site.add(second.facts);
  CHECK(site.files().size() == 3);
  REQUIRE(site.of(first.facts, "demo/libx.so") != nullptr);
  CHECK(site.of(first.facts, "demo/libx.so")->elf->soname == "libx.so.1");
  CHECK(site.of(second.facts, "demo/libx.so") == nullptr);
  CHECK(site.at("lib/notes.txt")->wheel == &second.facts);
  CHECK(site.at("lib/python3/site-packages/other/cubin.so")->elf == nullptr);
  CHECK(site.is_directory(""));
  CHECK(site.is_directory("lib/python3/site-packages"));
  CHECK(site.is_directory("lib"));
  CHECK_FALSE(site.is_directory("lib/python3/site-packages/demo/empty"));
  CHECK_FALSE(site.is_directory("lib/notes.txt"));
  CHECK_FALSE(site.is_directory("li"));
  CHECK(shown(site.libraries_named("libx.so")) == Paths{"demo/libx.so"});
  CHECK(shown(site.libraries_named("libx.so.1")) == Paths{"demo/libx.so"});
  CHECK(site.libraries_named("libx.so.2").empty());
  CHECK(site.libraries_named("cubin.so").empty());
  CHECK_FALSE(Site().is_directory(""));
}

TEST_CASE("an object asks only for the values of its own machine") {
  HandMade wheel;
  wheel.add({.path = "demo/_C.so", .runpath = {"$ORIGIN/$PLATFORM"}}).machine = "aarch64";
  Site site;
  site.add(wheel.facts);
  const auto path = search_path_of(site.files().front(), {}, Libc::glibc);
  REQUIRE(path.size() == 1);
  CHECK(path[0].entry.directories == Paths{"lib/python3/site-packages/demo/aarch64"});
}

TEST_CASE("which entries apply to a need") {
  HandMade wheel;
  wheel.add({.path = "a/root.so", .rpath = {"$ORIGIN/r", "", "$ORIGIN/r"}});
  wheel.add({.path = "b/mid.so", .runpath = {"$ORIGIN/m"}, .rpath = {"$ORIGIN/lost"}});
  wheel.add({.path = "c/leaf.so", .rpath = {"$ORIGIN/l"}});
  wheel.add({.path = "d/odd.so", .rpath = {"$ORIGIN/o", "$LIB"}});
  Site site;
  site.add(wheel.facts);
  const auto at = [&](std::string_view member) { return site.of(wheel.facts, member); };
  const std::vector<const Placed*> chain = {at("b/mid.so"), at("a/root.so")};
  const auto texts = [&](std::string_view member, Libc libc) {
    Paths out;
    for (const AppliedEntry& applied : search_path_of(*at(member), chain, libc)) {
      out.push_back(shown_path(applied.owner->path) + " " + applied.entry.text);
    }
    return out;
  };
  CHECK(texts("c/leaf.so", Libc::glibc) ==
        Paths{"c/leaf.so $ORIGIN/l", "a/root.so $ORIGIN/r", "a/root.so "});
  CHECK(texts("c/leaf.so", Libc::musl) ==
        Paths{"c/leaf.so $ORIGIN/l", "b/mid.so $ORIGIN/m", "a/root.so $ORIGIN/r"});
  CHECK(texts("b/mid.so", Libc::glibc) == Paths{"b/mid.so $ORIGIN/m"});
  CHECK(texts("d/odd.so", Libc::musl) == Paths{"b/mid.so $ORIGIN/m", "a/root.so $ORIGIN/r"});
}

TEST_CASE("edges say how each need was met") {
  HandMade wheel;
  HandMade dependency;
  wheel.add_extension({.path = "demo/_C.so",
                       .needed = {"liba.so", "libc.so.6", "libgone.so", "libgone.so", "liba.so"},
                       .rpath = {"/opt/lib", "$ORIGIN/../demo.libs", "$ORIGIN/../dep/lib"}});
  wheel.add({.path = "demo.libs/liba.so", .needed = {"libdep.so.1"}});
  dependency.add({.path = "dep/lib/libdep.so.1", .needed = {"liba.so"}, .soname = "libdep.so.1"});
  Site site;
  site.add(wheel.facts);
  site.add(dependency.facts);
  const Closure closure = load_member(site, wheel, "demo/_C.so", Libc::glibc);
  CHECK(shown(closure.loaded) == Paths{"demo/_C.so", "demo.libs/liba.so", "dep/lib/libdep.so.1"});
  REQUIRE(closure.edges.size() == 6);
  CHECK(closure.edges[0].met == Met::found);
  CHECK(closure.edges[0].entry == "$ORIGIN/../demo.libs");
  CHECK(closure.edges[0].entry_owner == closure.root);
  CHECK(closure.edges[1].met == Met::absent);
  CHECK(closure.edges[2].need == "libgone.so");
  CHECK(closure.edges[2].met == Met::absent);
  CHECK(closure.edges[2].to == nullptr);
  CHECK(closure.edges[3].met == Met::loaded);
  CHECK(closure.edges[3].entry.empty());
  CHECK(closure.edges[4].from == closure.loaded[1]);
  CHECK(closure.edges[4].entry_owner == closure.root);
  CHECK(closure.edges[5].met == Met::loaded);
  CHECK(closure.edges[5].to == closure.loaded[1]);
  CHECK(shown(Chains(closure).to(closure.loaded[2])) == Paths{"demo.libs/liba.so", "demo/_C.so"});
  CHECK(Chains(closure).to(closure.root).empty());
  CHECK(closure.contains(closure.loaded[2]));
  CHECK_FALSE(closure.contains(nullptr));
}

TEST_CASE("the first known value of a host token that has the library wins") {
  HandMade wheel;
  wheel.add({.path = "demo/_C.so", .needed = {"liba.so"}, .runpath = {"$ORIGIN/$LIB"}});
  wheel.add({.path = "demo/lib/x86_64-linux-gnu/liba.so"});
  Site site;
  site.add(wheel.facts);
  const Closure glibc = load_member(site, wheel, "demo/_C.so", Libc::glibc);
  CHECK(shown(glibc.loaded).back() == "demo/lib/x86_64-linux-gnu/liba.so");
  CHECK(glibc.edges.at(0).entry == "$ORIGIN/$LIB");
  CHECK(load_member(site, wheel, "demo/_C.so", Libc::musl).loaded.size() == 1);
}

TEST_CASE("device code of a library's name is passed over, by glibc alone") {
  HandMade wheel;
  wheel.add({.path = "demo/_C.so", .needed = {"liba.so"}, .runpath = {"$ORIGIN/d", "$ORIGIN/h"}});
  wheel.add({.path = "demo/d/liba.so"}).machine = "em_190";
  wheel.add({.path = "demo/h/liba.so"});
  Site site;
  site.add(wheel.facts);
  CHECK(load_member(site, wheel, "demo/_C.so", Libc::glibc).loaded.size() == 2);
  CHECK(load_member(site, wheel, "demo/_C.so", Libc::musl).loaded.size() == 1);
}

TEST_CASE("the interpreter brings the C library, an executable loads its own") {
  HandMade wheel;
  const Paths needed = {"libc.so.6", "ld-linux-x86-64.so.2"};
  wheel.add({.path = "demo/_C.so", .needed = needed, .runpath = {"$ORIGIN"}});
  wheel.add({.path = "demo/tool", .needed = needed, .runpath = {"$ORIGIN"}}).interpreter =
      "/lib/ld";
  wheel.add({.path = "demo/libc.so.6"});
  wheel.add({.path = "demo/ld-linux-x86-64.so.2"});
  Site site;
  site.add(wheel.facts);
  CHECK(load_member(site, wheel, "demo/_C.so", Libc::glibc).loaded.size() == 1);
  CHECK(shown(load_member(site, wheel, "demo/tool", Libc::glibc).loaded) ==
        Paths{"demo/tool", "demo/libc.so.6"});
  CHECK(shown(load_member(site, wheel, "demo/tool", Libc::musl).loaded) ==
        Paths{"demo/tool", "demo/ld-linux-x86-64.so.2"});
}

TEST_CASE("odd needs and roots are no trouble") {
  HandMade wheel;
  wheel.add({.path = "_C.so",
             .needed = {"", "/", "..", "../_C.so", "$ORIGIN", "$ORIGIN/../x", "$ORIGIN/_C.so"},
             .runpath = {"$ORIGIN", "$ORIGIN/../../../../..", "$", "${", "${}"}});
  wheel.file("notes.txt");
  Site site;
  site.add(wheel.facts);
  const Closure closure = load_member(site, wheel, "_C.so", Libc::glibc);
  REQUIRE(closure.edges.size() == 7);
  for (std::size_t i = 0; i < 6; ++i) CHECK(closure.edges[i].met == Met::absent);
  CHECK(closure.edges[6].met == Met::loaded);
  CHECK(load_member(site, wheel, "notes.txt", Libc::glibc).edges.empty());
}

TEST_CASE("roots are what nothing else of the wheel needs") {
  HandMade wheel;
  wheel.add({.path = "demo/libneeded.so", .needed = {"libdeep.so.1"}});
  wheel.add({.path = "demo/libdeep.so", .soname = "libdeep.so.1"});
  wheel.add_extension({.path = "demo/_C.so", .needed = {"libneeded.so", "_D.so"}});
  wheel.add_extension({.path = "demo/_D.so"});
  wheel.add({.path = "demo/libctypes.so", .needed = {"libctypes.so"}});
  wheel.add({.path = "demo/tool"}).type = "exec";
  wheel.add({.path = "demo/part.o"}).type = "rel";
  wheel.add({.path = "demo/kernel.cubin"}).machine = "em_190";
  Site site;
  site.add(wheel.facts);
  CHECK(shown(roots(site, wheel.facts)) ==
        Paths{"demo/_C.so", "demo/_D.so", "demo/libctypes.so", "demo/tool"});
}

TEST_CASE("a cycle that nothing needs has one root") {
  HandMade wheel;
  wheel.add({.path = "demo/libtail.so"});
  wheel.add({.path = "demo/libhang.so", .needed = {"libtail.so"}});
  wheel.add({.path = "demo/liba.so", .needed = {"libb.so", "libhang.so"}});
  wheel.add({.path = "demo/libb.so", .needed = {"liba.so"}});
  Site site;
  site.add(wheel.facts);
  CHECK(shown(roots(site, wheel.facts)) == Paths{"demo/liba.so"});

  // The same with an extension that loads the cycle.
  wheel.add_extension({.path = "demo/_C.so", .needed = {"libb.so"}});
  Site again;
  again.add(wheel.facts);
  CHECK(shown(roots(again, wheel.facts)) == Paths{"demo/_C.so"});
}

TEST_CASE("a library needed by one extension under two names is no root") {
  HandMade wheel;
  wheel.add({.path = "demo/libx.so", .needed = {"libx.so", "libx.so.1"}, .soname = "libx.so.1"});
  wheel.add_extension({.path = "demo/_A.so", .needed = {"libx.so.1"}});
  wheel.add_extension({.path = "demo/_B.so", .needed = {"libx.so.1"}});
  Site site;
  site.add(wheel.facts);
  CHECK(shown(roots(site, wheel.facts)) == Paths{"demo/_A.so", "demo/_B.so"});
}

TEST_CASE("large sites load in good time") {
  HandMade wheel;
  for (int i = 0; i < 100000; ++i) {
    wheel.file("demo/d" + std::to_string(i % 1000) + "/f" + std::to_string(i));
  }
  // A chain a thousand deep whose objects all inherit, each with needs that nothing meets.
  constexpr int kLibraries = 1000;
  const auto name = [](int i) { return "lib" + std::to_string(i) + ".so"; };
  for (int i = 0; i < kLibraries; ++i) {
    Library library{.path = "demo/l" + std::to_string(i) + "/" + name(i)};
    for (int j = 0; j < 30; ++j) library.needed.push_back("libhost" + std::to_string(j) + ".so");
    for (int j = 0; j <= i; j += 100) library.needed.push_back(name(j));
    if (i + 1 < kLibraries) library.needed.push_back(name(i + 1));
    library.rpath = {"$ORIGIN", "$ORIGIN/../none", "$ORIGIN/../l" + std::to_string(i + 1)};
    wheel.add(library);
  }
  Site site;
  site.add(wheel.facts);
  const Closure closure = load_member(site, wheel, "demo/l0/lib0.so", Libc::glibc);
  CHECK(closure.loaded.size() == kLibraries);
  CHECK(Chains(closure).to(closure.loaded.back()).size() == kLibraries - 1);
  CHECK(load_member(site, wheel, "demo/l0/lib0.so", Libc::musl).loaded.size() == kLibraries);
  CHECK(roots(site, wheel.facts).size() == 1);
}
