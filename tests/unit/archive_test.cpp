// The structure of archives: sound ones, and ones with a single deviation.
#include "wheel_audit/archive.hpp"

#include <algorithm>
#include <functional>

#include "catch.hpp"
#include "zip_writer.hpp"

using namespace wheel_audit;
using namespace wheel_audit::zip_writer;

TEST_CASE("a sound archive has members, contents and no problems") {
  Member deflated = packed("pkg/b.txt", 8, kWheels, wheels());
  Member folder = stored("pkg/", "");
  folder.listed.attributes = 0040755U << 16U;
  Member windows = stored("pkg/w", "w");
  windows.listed.made_by = 20;
  Member named = stored("pkg/größe", "g");
  named.local.flags = named.listed.flags = 0x800;
  const Archive archive =
      open(zip({stored("pkg/a.txt", "wheel"), deflated, folder, windows, named}));
  CHECK(problems_of(archive) == "");
  REQUIRE(archive.members().size() == 5);
  const ArchiveMember& first = archive.members()[0];
  CHECK(first.path == "pkg/a.txt");
  CHECK(first.mode == 0100644);
  CHECK(first.host == 3);
  CHECK(first.crc32 == 0x61d0af74);
  CHECK(first.data_offset == 39);
  CHECK(archive.members()[1].size == 1200);
  CHECK(archive.members()[1].compressed == kWheels.size());
  CHECK(archive.members()[2].directory);
  CHECK(archive.members()[3].host == 0);
  CHECK(archive.members()[3].mode == 0);
  CHECK(archive.members()[4].path == "pkg/größe");
  CHECK(content(archive, 0) == "wheel");
  CHECK(content(archive, 1) == wheels());
  CHECK(content(archive, 2).empty());
  CHECK(content(archive, 9) == "error: member 9 of 5");
}

TEST_CASE("what is no archive says why") {
  CHECK(open_error({}) == "not a zip archive: the file is empty");
  CHECK(open_error(bytes_of("PK")) == "not a zip archive: no end-of-directory record found");
  CHECK(open_error(bytes_of("<!DOCTYPE html>")) ==
        "not a zip archive: no end-of-directory record found");
  CHECK(Archive::open("/nonexistent.whl").error().message() == "No such file or directory");
  CHECK(Archive::open("/").error().message() == "Is a directory");
  CHECK(Archive::open("/dev/null").error().message() == "not a regular file");
  CHECK(file_sha256("/").error().message() == "Is a directory");
}

TEST_CASE("a directory that breaks off is an error, not fewer members") {
  Bytes bytes = zip({stored("a", "1"), stored("b", "2")});
  const auto entry =
      std::search(bytes.rbegin(), bytes.rend(), std::rbegin("PK\1\2") + 1, std::rend("PK\1\2"));
  *(entry.base() - 1) = 9;
  CHECK(open_error(bytes) ==
        "the directory breaks off after 1 of 2 entries: at offset 111 signature 0x09014b50, "
        "expected 0x02014b50");
}

TEST_CASE("every truncation is an error or a problem") {
  const Bytes whole = zip({stored("a", "1"), packed("b", 8, kWheels, wheels())}, {.zip64 = true});
  CHECK(problems_of(open(whole)) == "");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    const Result<Archive> archive = Archive::open_bytes(cut);
    CHECK((!archive || !archive->problems().empty()));
  }
}

TEST_CASE("local headers that say other things than the directory") {
  struct Case {
    std::function<void(Member&)> change;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {[](Member& m) { m.local.name = "b"; },
       "ambiguous a: local header at offset 0 says \"b\", the directory says \"a\"\n"},
      {[](Member& m) { m.local.flags = 0x800; },
       "ambiguous a: local header at offset 0 says flags 0x0800, the directory says 0x0000\n"},
      {[](Member& m) { m.local.method = 8; },
       "ambiguous a: local header at offset 0 says method 8, the directory says 0\n"},
      {[](Member& m) { m.local.crc = 1; },
       "ambiguous a: local header at offset 0 says CRC 0x00000001, the directory says "
       "0x61d0af74\n"},
      {[](Member& m) { m.local.size = 6; },
       "ambiguous a: local header at offset 0 says size 6, the directory says 5\n"},
      {[](Member& m) { m.local.compressed = 4; },
       "ambiguous a: local header at offset 0 says compressed size 4, the directory says 5\n"},
      {[](Member& m) { m.listed.comment = "hi"; },
       "ambiguous a: directory entry at offset 36 has a comment of 2 bytes, expected none\n"},
      {[](Member& m) { m.local.name = m.listed.name = "\xc3\xb6"; },
       "ambiguous ö: directory entry at offset 37 has bytes of 0x80 and above in its name \"ö\" "
       "without the UTF-8 flag (bit 11)\n"},
      {[](Member& m) {
         m.local.extra = {1, 2, 3};
       },
       "ambiguous a: local header at offset 0 has an extra field of 3 bytes whose last part runs "
       "past its end\n"},
      {[](Member& m) { m.local.extra = extra_of(0x7075, bytes_of("\1....b")); },
       "ambiguous a: local header at offset 0 says \"a\", its Unicode path extra says \"b\"\n"},
  };
  for (const Case& one : cases) {
    Member member = stored("a", "wheel");
    one.change(member);
    const Archive archive = open(zip({member}));
    CHECK(problems_of(archive) == one.expected);
    CHECK(content(archive, 0) == "wheel");
  }
}

TEST_CASE("ZIP64 extras must match the placeholders") {
  const auto problems = [](const std::function<void(Member&)>& change) {
    Member member = stored("a", "wheel");
    change(member);
    return problems_of({member});
  };
  const auto both = [](Header& header) {
    header.size = header.compressed = 0xffff'ffff;
    header.extra = zip64_extra({5, 5});
  };
  CHECK(problems([&](Member& m) { both(m.local); }) == "");
  CHECK(problems([&](Member& m) { both(m.local), both(m.listed); }) == "");
  CHECK(problems([](Member& m) { m.local.extra = zip64_extra({}); }) == "");
  const std::string local = "ambiguous a: local header at offset 0 has ";
  CHECK(problems([](Member& m) { m.local.extra = zip64_extra({5}); }) ==
        local + "a ZIP64 extra of 8 bytes, its placeholders call for 0\n");
  CHECK(problems([](Member& m) { m.local.extra = extra_of(1, Bytes(12)); }) ==
        local + "a ZIP64 extra of 12 bytes, expected 0, 8, 16, 24 or 28\n");
  CHECK(problems([&](Member& m) {
          both(m.local);
          const Bytes again = zip64_extra({5, 5});
          m.local.extra.insert(m.local.extra.end(), again.begin(), again.end());
        }) == local + "2 ZIP64 extras, expected one\n");
  CHECK(problems([](Member& m) {
          m.local.method = m.listed.method = 8;
          m.local.size = 0xffff'ffff;
          m.local.extra = zip64_extra({5});
        }) == local + "a ZIP64 extra with one size, and is compressed: expected both sizes\n");
  CHECK(problems([](Member& m) {
          m.local.size = 0xffff'ffff;
        }).starts_with(local + "a 0xffffffff placeholder, and no ZIP64 extra\n"));
}

TEST_CASE("extras that may differ are sound") {
  Member member = stored("a", "wheel");
  member.local.extra = extra_of(0x5455, Bytes(9));
  member.listed.extra = extra_of(0x5455, Bytes(5));
  const Bytes owner = extra_of(0x7875, {1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0});
  member.local.extra.insert(member.local.extra.end(), owner.begin(), owner.end());
  CHECK(problems_of({member}) == "");
}

TEST_CASE("data descriptors are a problem of their own") {
  for (const bool sign : {true, false}) {
    for (const unsigned width : {4U, 8U}) {
      Member member = stored("a", "wheel");
      if (sign) put(member.after, "PK\7\10");
      put(member.after, member.listed.crc, 4);
      put(member.after, 5, width);
      put(member.after, 5, width);
      member.local.flags = member.listed.flags = 8;
      member.local.crc = 0;
      member.local.size = member.local.compressed = 0;
      const std::string expected =
          "data-descriptor a: local header at offset 0 leaves size and CRC to a data descriptor "
          "(flag bit 3), which indexes refuse\n";
      CHECK(problems_of({member, stored("b", "")}) == expected);
      member.after[sign ? 4 : 0] ^= 1U;
      CHECK(problems_of({member, stored("b", "")})
                .starts_with(expected + "ambiguous a: no data descriptor with CRC 0x61d0af74 and "
                                        "sizes 5 and 5 at offset 36, where the data ends\n"));
    }
  }
}

TEST_CASE("bytes that belong to no record, and records that the directory does not list") {
  Member gap = stored("a", "1");
  gap.after = {0, 0, 0};
  CHECK(problems_of({gap, stored("b", "2")}) ==
        "ambiguous -: 3 bytes at offset 32 between members belong to no record\n");
  Member hidden = stored("h.py", "1");
  hidden.has_entry = false;
  CHECK(problems_of({stored("a", "1"), hidden}) ==
        "ambiguous -: local header at offset 32 names \"h.py\", which the directory does not list "
        "there\n");
  CHECK(problems_of({stored("a", "1")}, {.trailing = "xyz"}) ==
        "ambiguous -: 3 bytes after the archive's end at offset 101\n");
  CHECK(problems_of({stored("a", "1")}, {.comment = "made by hand"}) == "");
  CHECK(problems_of({stored("a", "1")}, {.comment = "PK\5\6"}) ==
        "ambiguous -: a second end record at offset 101, the one taken is at 79\n");
  CHECK(problems_of({stored("a", "1")}, {.count_error = -1})
            .starts_with("ambiguous -: end record at offset 79 says 0 entries, the directory at "
                         "offset 32 has 1\n"));
  CHECK(problems_of({stored("a", "1")}, {.size_error = 7})
            .starts_with("ambiguous -: end record at offset 79 says a directory of 54 bytes, the "
                         "directory at offset 32 has 47\n"));
  CHECK(problems_of({stored("a", "1")}, {.zip64 = true, .locator = false}) ==
        "ambiguous -: ZIP64 end record at offset 79 has no locator\n");
  CHECK(problems_of({stored("a", "1")}, {.zip64 = true, .record_size = 45}) ==
        "ambiguous -: ZIP64 end record at offset 79 says 45 bytes, expected 44 and the locator "
        "right after\n");
}

TEST_CASE("bytes before an archive shift it") {
  Bytes bytes = bytes_of("#!/bin/sh\n");
  const Bytes inner = zip({stored("a", "1")});
  bytes.insert(bytes.end(), inner.begin(), inner.end());
  const Archive archive = open(bytes);
  CHECK(problems_of(archive) ==
        "ambiguous -: 10 bytes at offset 0 before the first header belong to no record (signature "
        "0x622f2123)\n"
        "ambiguous -: end record at offset 89 says directory offset 32, it is at 42\n");
  CHECK(content(archive, 0) == "1");
}

TEST_CASE("many members by a ZIP64 end record") {
  std::vector<Member> members;
  for (int i = 0; i < 66'000; ++i) members.push_back(stored("m/" + std::to_string(i), ""));
  const Archive archive = open(zip(members, {.zip64 = true}));
  CHECK(archive.members().size() == 66'000);
  CHECK(archive.members().back().path == "m/65999");
  CHECK(problems_of(archive) == "");
  const std::string lie =
      problems_of(std::vector<Member>{members[0]}, {.zip64 = true, .count64 = 1ULL << 60U});
  CHECK(lie ==
        "ambiguous -: end record at offset 82 says 1152921504606846976 entries, the "
        "directory at offset 33 has 1\n");
}
