// The forge's bytes: what recipes say is in the wheels, and sound where they do not lie.
#include "wheel_audit/forge.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "catch.hpp"
#include "forged_bytes.hpp"

using namespace forged_bytes;

namespace {

const char* const kBases[] = {"pure",   "native", "native_aarch64", "musl", "abi3", "cuda12",
                              "cuda13", "cpu",    "ctypes"};

}  // namespace

TEST_CASE("every base is sound: CRCs, RECORD rows, the same bytes twice") {
  for (const std::string name : kBases) {
    INFO(name);
    const ForgedWheel wheel = forged(base(name));
    CHECK(forged(base(name)).bytes == wheel.bytes);
    const std::map<std::string, Entry> entries = unzip(wheel);
    std::string record;
    for (const auto& [path, entry] : entries) {
      CHECK(entry.content.size() == entry.size);
      CHECK(crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),  // NOLINT
                  static_cast<uInt>(entry.size)) == entry.crc);
      CHECK(entry.flags == 0);
      if (path.ends_with("/RECORD")) record = entry.content;
    }
    for (const auto& [path, entry] : entries) {
      CHECK(record.find(path + ",") != std::string::npos);
      CHECK(path.find('{') == std::string::npos);
    }
    CHECK(std::count(record.begin(), record.end(), '\n') ==
          static_cast<std::ptrdiff_t>(entries.size()));
  }
}

TEST_CASE("texts of a wheel") {
  const ForgedWheel wheel = forged(changed("pure", R"({
    "name": {"python": "py2.py3", "build": "1"},
    "metadata": {"omit": ["Summary"], "fields": [["Author", "x"]], "requires_dist": ["a>=1"]},
    "record": {"extra": [["ghost.py", "sha256=x", "1"]], "replace": {"demo/core.py": [null, "7"]},
               "omit": ["demo/__init__.py"]},
    "entry_points": "[console_scripts]\nx = demo:main\n"})"));
  CHECK(wheel.file_name == "demo-1.0-1-py2.py3-none-any.whl");
  std::map<std::string, Entry> entries = unzip(wheel);
  CHECK(entries["demo-1.0.dist-info/WHEEL"].content ==
        "Wheel-Version: 1.0\nGenerator: wheel-audit-forge (1)\nRoot-Is-Purelib: true\n"
        "Tag: py2-none-any\nTag: py3-none-any\nBuild: 1\n");
  const std::string& metadata = entries["demo-1.0.dist-info/METADATA"].content;
  CHECK(metadata.find("Summary") == std::string::npos);
  CHECK(metadata.find("Requires-Dist: a>=1\n") != std::string::npos);
  CHECK(metadata.find("Author: x\n\n# demo") != std::string::npos);
  const std::string& record = entries["demo-1.0.dist-info/RECORD"].content;
  CHECK(record.find("demo/core.py,sha256=14n1gToY0bGGycddf3xPu92PDmPsQop7TUlghUx59B0,7\n") !=
        std::string::npos);
  CHECK(record.find("demo/__init__.py") == std::string::npos);
  CHECK(record.find("ghost.py,sha256=x,1\n") != std::string::npos);
  CHECK(entries.count("demo-1.0.dist-info/entry_points.txt") == 1);
}

TEST_CASE("a text that is not in the recipe is not in the wheel") {
  const std::map<std::string, Entry> entries =
      unzip(forged(changed("pure", R"({"metadata": null, "wheel": null, "record": null})")));
  CHECK(entries.size() == 3);
  CHECK(entries.count("demo-1.0.dist-info/licenses/LICENSE") == 1);
}

TEST_CASE("members: modes, links, methods, names") {
  std::map<std::string, Entry> entries = unzip(forged(changed("pure", R"({"files": {
    "a": {"text": "x", "mode": "04755"}, "b": {"text": "core.py", "link": true, "mode": "0777"},
    "c": {"hex": "00 ff", "method": "stored"}, "d": {"base64": "AAEC", "method": 99},
    "naïve": {"lines": ["one", "two"]}, "e": {"text": "abc", "truncate": 2,
    "patch": [{"offset": 1, "hex": "58"}]}, "f": {"repeat": {"byte": 7, "size": 3}}}})")));
  CHECK(entries["a"].mode == 0104755);
  CHECK(entries["b"].mode == 0120777);
  CHECK(entries["c"].method == 0);
  CHECK(entries["c"].content == std::string("\0\xff", 2));
  CHECK(entries["d"].method == 99);
  CHECK(entries["d"].content == std::string("\0\1\2", 3));
  CHECK(entries["naïve"].flags == 0x800);
  CHECK(entries["naïve"].content == "one\ntwo\n");
  CHECK(entries["e"].content == "aX");
  CHECK(entries["f"].content == "\7\7\7");
}

TEST_CASE("operations on the archive") {
  const auto with = [](std::string_view operations) {
    const ForgedWheel wheel =
        forged(changed("pure", "{\"archive\": [" + std::string(operations) + "]}"));
    return std::string(wheel.bytes.begin(), wheel.bytes.end());
  };
  const auto count = [](const std::string& bytes, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = bytes.find(what); at != std::string::npos;
         at = bytes.find(what, at + 1)) {
      ++found;
    }
    return found;
  };
  const std::string sound = with("");
  CHECK(count(sound, "PK\3\4") == 6);
  CHECK(number(with(R"({"op": "count", "value": 3})"), sound.size() - 12, 2) == 3);
  CHECK(with(R"({"op": "append", "hex": "4142"})") == sound + "AB");
  CHECK(with(R"({"op": "prepend", "hex": "41", "adjust": false})") == "A" + sound);
  CHECK(with(R"({"op": "truncate", "size": -1})") == sound.substr(0, sound.size() - 1));
  CHECK(with(R"({"op": "patch", "offset": 0, "hex": "5858"})") == "XX" + sound.substr(2));
  const std::string hidden = with(R"({"op": "hide", "path": "demo/core.py"})");
  CHECK(count(hidden, "PK\3\4") == 6);
  CHECK(count(hidden, "PK\1\2") == 5);
  CHECK(count(with(R"({"op": "data-descriptor", "path": "demo/core.py"})"), "PK\7\b") == 1);
  CHECK(count(with(R"({"op": "duplicate", "path": "demo/core.py", "text": "x"})"), "PK\3\4") == 7);
  CHECK(count(with(R"({"op": "zip64-end"})"), "PK\6\6") == 1);
  CHECK(count(with(R"({"op": "zip64", "path": "demo/core.py"})"),
              std::string_view("\1\0\x10\0", 4)) == 2);
  const std::string lied =
      with(R"({"op": "local-field", "path": "demo/__init__.py", "field": "method", "value": 0})");
  CHECK(number(lied, 8, 2) == 0);
  CHECK(number(sound, 8, 2) == 8);
  CHECK(count(with(R"({"op": "many", "prefix": "m", "count": 66000})"), "PK\6\7") == 1);
}

TEST_CASE("overlapping members are sound one by one") {
  const std::map<std::string, Entry> entries = unzip(forged(changed("pure", R"({"archive": [
    {"op": "overlap", "path": "demo/core.py", "with": "demo/__init__.py"}]})")));
  const Entry& outer = entries.at("demo/core.py");
  const Entry& inner = entries.at("demo/__init__.py");
  CHECK(outer.offset < inner.offset);
  CHECK(inner.offset < outer.offset + 30 + 12 + outer.size);
  CHECK(inner.content.find("__version__") != std::string::npos);
}

TEST_CASE("a library's dynamic section") {
  const std::string elf = elf_of(R"({"soname": "libx.so.1", "needed": ["libc.so.6", "liby.so"],
    "rpath": "/a", "runpath": "$ORIGIN/../b::", "imports": ["memcpy@GLIBC_2.14"],
    "exports": ["f@@V1", "PyInit_x"], "text_relocations": true, "static_tls": true})");
  CHECK(elf.substr(0, 4) ==
        "\x7f"
        "ELF");
  CHECK(number(elf, 18, 2) == 62);
  CHECK(dynamic_text(elf, 1) == "libc.so.6;liby.so;");
  CHECK(dynamic_text(elf, 14) == "libx.so.1;");
  CHECK(dynamic_text(elf, 15) == "/a;");
  CHECK(dynamic_text(elf, 29) == "$ORIGIN/../b::;");
  CHECK(dynamic(elf, 22).size() == 1);
  CHECK(dynamic(elf, 30) == std::vector<std::uint64_t>{4 | 8 | 16});
  CHECK(dynamic(elf, 0x6fffffff) == std::vector<std::uint64_t>{1});
  CHECK(dynamic(elf, 0x6ffffffd) == std::vector<std::uint64_t>{2});
  CHECK(program_header(elf, 0x6474e551).at(0) == 6);
}

TEST_CASE("machines, byte orders, habits") {
  CHECK(number(elf_of(R"({"machine": "aarch64"})"), 18, 2) == 183);
  CHECK(program_header(elf_of(R"({"machine": "aarch64"})"), 1).at(3) == 0x10000);
  const std::string z = elf_of(R"({"machine": "s390x"})");
  CHECK(z.substr(4, 2) == "\2\2");
  CHECK(z.substr(18, 2) == std::string("\0\x16", 2));
  CHECK(elf_of(R"({"machine": "i686"})").substr(4, 2) == "\1\1");
  CHECK(program_header(elf_of(R"({"stack": "rwx"})"), 0x6474e551).at(0) == 7);
  CHECK(program_header(elf_of(R"({"stack": "none"})"), 0x6474e551).empty());
  CHECK(program_header(elf_of(R"({"relro": false})"), 0x6474e552).empty());
  CHECK(number(elf_of(R"({"section_headers": false})"), 40, 8) == 0);
  const std::string end = elf_of(R"({"program_headers_at": "end"})");
  CHECK(number(end, 32, 8) > number(end, 40, 8));
  CHECK(number(elf_of(R"({"corrupt": {"phnum": 65535}})"), 56, 2) == 65535);
  CHECK(dynamic(elf_of(R"({"corrupt": {"strsz": 9}})"), 10).at(0) == 9);
  const std::string relr = elf_of(R"({"relr": true, "needed": ["libc.so.6"]})");
  CHECK(dynamic(relr, 36).size() == 1);
  CHECK(relr.find("GLIBC_ABI_DT_RELR") != std::string::npos);
  CHECK(elf_of(R"({"relr": true, "relr_marker": false, "needed": ["libc.so.6"]})")
            .find("GLIBC_ABI_DT_RELR") == std::string::npos);
  CHECK(elf_of(R"({"debug_bytes": 70000})").size() > 70000);
  CHECK(elf_of(R"({"debug_bytes": 70000, "debug_compressed": true})").size() < 20000);
  const std::vector<std::uint64_t> first = program_header(elf_of(R"({"misalign": 16})"), 1);
  CHECK(first.at(1) == first.at(2));  // only the code segment lies
}

TEST_CASE("fat binaries") {
  std::map<std::string, Entry> entries =
      unzip(forged(changed("pure", R"({"files": {"f": {"fatbin": [
    "sass 8.0", "ptx 9.0", "sass 9.0a", "ptx 12.0f", "lto 9.0", {"form": "sass", "arch": "10.0",
    "debug": true, "compressed": "zstd", "bytes": 100, "toolkit": "12.8"}]}}})")));
  const std::string& bytes = entries["f"].content;
  CHECK(number(bytes, 0, 4) == 0xba55ed50);
  CHECK(number(bytes, 8, 8) == bytes.size() - 16);
  const std::uint64_t expected[][3] = {{2, 80, 0x11},      {1, 90, 0x11},    {2, 90, 0x100011},
                                       {1, 120, 0x200011}, {8, 90, 0x12011}, {2, 100, 0x1008013}};
  std::size_t at = 16;
  for (const auto& entry : expected) {
    CHECK(number(bytes, at, 2) == entry[0]);
    CHECK(number(bytes, at + 28, 4) == entry[1]);
    CHECK(number(bytes, at + 40, 8) == entry[2]);
    at += number(bytes, at + 4, 4) + number(bytes, at + 8, 8);
  }
  CHECK(at == bytes.size());
  const std::string elf = elf_of(R"({"gpu": ["sass 9.0"]})");
  const std::size_t container = elf.find("\x50\xed\x55\xba");
  REQUIRE(container != std::string::npos);
  CHECK(container % 8 == 0);
  const std::size_t wrapper = elf.find("\xb1\x43\x62\x46");
  REQUIRE(wrapper != std::string::npos);
}

TEST_CASE("recipes are read strictly") {
  const auto why = [](std::string_view patch) { return refusal(changed("pure", patch)); };
  CHECK(why(R"({"fils": {}})") == "unknown key \"fils\" (did you mean \"files\"?)");
  CHECK(why(R"({"files": {"x": {"txt": ""}}})") ==
        "files.x: unknown key \"txt\" (did you mean \"text\"?)");
  CHECK(why(R"({"files": {"x": {"text": "", "hex": ""}}})") ==
        "files.x: has two contents, \"text\" and \"hex\" (null removes one)");
  CHECK(why(R"({"files": {"x.so": {"elf": {"needd": []}}}})") ==
        "files.x.so.elf: unknown key \"needd\" (did you mean \"needed\"?)");
  CHECK(why(R"({"files": {"x.so": {"elf": {"corrupt": {"phnun": 1}}}}})") ==
        "files.x.so.elf.corrupt: no field \"phnun\" (did you mean \"phnum\"?) in this file");
  CHECK(
      why(R"({"files": {"x": {"fatbin": ["sas 9.0"]}}})") ==
      "files.x.fatbin.containers[0].code[0].form: unknown form \"sas\", expected sass, ptx or lto");
  CHECK(why(R"({"archive": [{"op": "flup"}]})") ==
        "archive[0].op: unknown operation \"flup\" (did you mean \"flip\"?)");
  CHECK(why(R"({"archive": [{"op": "hide", "path": "demo/cor.py"}]})") ==
        "archive[0].path: no member \"demo/cor.py\" (did you mean \"demo/core.py\"?)");
  CHECK(why(R"({"files": {"x": {"file": "/etc/passwd"}}})") ==
        "files.x.file: files outside the recipe are not allowed here");
  CHECK(why(R"({"files": []})") == "files: is array, expected object");
}

TEST_CASE("no recipe takes the machine's memory") {
  const auto why = [](std::string_view patch) { return refusal(changed("pure", patch)); };
  CHECK(why(R"({"files": {"x": {"repeat": {"size": 1073741825}}}})").find("1073741824 bytes") !=
        std::string::npos);
  CHECK_FALSE(why(R"({"files": {"x.so": {"elf": {"pad_bytes": 18446744073709551615}}}})").empty());
  CHECK_FALSE(why(R"({"archive": [{"op": "many", "count": 4000000000}]})").empty());
  CHECK_FALSE(why(R"({"files": {"x.so": {"elf": {"align": 1099511627776}}}})").empty());
}
