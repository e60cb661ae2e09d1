// Members' bytes: what is handed out, and what is refused on the way. Digests.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <thread>

#include "catch.hpp"
#include "wheel_audit/archive.hpp"
#include "zip_writer.hpp"

using namespace wheel_audit;
using namespace wheel_audit::zip_writer;

TEST_CASE("members that overlap are not streamed twice") {
  Member outer = stored("a", "1");
  Member inner = stored("b", "12");
  const Bytes whole = zip({inner});
  outer.data.assign(whole.begin(), whole.begin() + 33);
  outer.local.crc = outer.listed.crc = slow_crc(outer.data);
  outer.local.size = outer.listed.size = outer.local.compressed = outer.listed.compressed = 33;
  inner.has_local = false;
  inner.at = 31;
  const Archive archive = open(zip({outer, inner}));
  const std::string message = "local header at offset 31 lies inside \"a\", which ends at 64";
  CHECK(problems_of(archive) == "ambiguous b: " + message + "\n");
  CHECK(content(archive, 0).size() == 33);
  CHECK(content(archive, 1) == "error: " + message);
}

TEST_CASE("streams are held against the directory") {
  const auto error = [](Member member) { return content(open(zip({std::move(member)})), 0); };
  Member flipped = stored("a", "wheel");
  flipped.data[0] ^= 1U;
  CHECK(error(flipped).starts_with("error: CRC-32 is 0x"));
  Member small = packed("a", 8, kWheels, wheels());
  small.local.size = small.listed.size = 100;
  CHECK(error(small) == "error: decodes to more than 100 bytes, the directory says 100");
  Member large = packed("a", 8, kWheels, wheels());
  large.local.size = large.listed.size = 2000;
  CHECK(error(large) == "error: decodes to 1200 bytes, the directory says 2000");
  Bytes longer = kWheels;
  longer.push_back(0);
  CHECK(error(packed("a", 8, longer, wheels())) ==
        "error: 1 bytes follow the end of the deflate stream");
  for (std::size_t length = 0; length < kWheels.size(); ++length) {
    const Bytes cut(kWheels.begin(), kWheels.begin() + static_cast<std::ptrdiff_t>(length));
    CHECK(error(packed("a", 8, cut, wheels())) ==
          "error: the deflate stream breaks off before its last block ends");
  }
  CHECK(error(packed("a", 8, {7}, "")).starts_with("error: the deflate stream is broken: "));
  CHECK(error(packed("a", 97, {1}, "x")) ==
        "error: is compressed by method 97, which this build cannot decode");
  CHECK(error(packed("a", 12, kBzip2, "hello bzip2")) == "hello bzip2");
  CHECK(error(packed("a", 12, kBzip2, "hello bzip3")).starts_with("error: "));
  Member secret = stored("a", "wheel");
  secret.local.flags = secret.listed.flags = 1;
  CHECK(error(secret) == "error: is encrypted (flag bit 0)");
  secret.local.flags = secret.listed.flags = 0x2001;
  CHECK(error(secret) == "error: is encrypted: its headers are masked (flag bit 13)");
  secret.local.flags = secret.listed.flags = 0x40;
  CHECK(error(secret) == "error: is strongly encrypted (flag bit 6)");
}

TEST_CASE("large members come in chunks, from several threads, and can be stopped") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + ",";
  const Archive archive = open(zip({stored("a", text), packed("b", 8, kWheels, wheels())}));
  std::size_t chunks = 0;
  CHECK(archive.stream(0, [&](ByteView) { return ++chunks < 2; }));
  CHECK(chunks == 2);
  std::vector<std::string> seen(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&, i] { seen[i] = content(archive, i % 2); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK((seen[i] == (i % 2 == 0 ? text : wheels())));
  std::string nested;
  CHECK(archive.stream(1, [&](ByteView) {
    nested = content(archive, 1);
    return true;
  }));
  CHECK(nested == wheels());
}

TEST_CASE("members are decoded to the room that they are given, where there is one") {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + ",";
  const Archive archive = open(zip({stored("a", text), packed("b", 8, kWheels, wheels())}));
  for (const std::size_t index : {std::size_t{0}, std::size_t{1}}) {
    std::vector<std::uint8_t> room(5);
    std::string seen;
    std::size_t elsewhere = 0;
    std::size_t asked = 0;
    CHECK(archive.stream(
        index,
        [&](ByteView chunk) {
          seen += chunk.text();
          if (chunk.data() != room.data()) ++elsewhere;
          return true;
        },
        [&] { return ++asked == 3 ? std::span<std::uint8_t>() : std::span(room); }));
    CHECK(seen == (index == 0 ? text : wheels()));
    CHECK(elsewhere == 1);  // the third time there was none
  }
}

TEST_CASE("a file that shrinks is an error, not a crash") {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("wheel-audit-shrink-" + std::to_string(::getpid())))
                               .string();
  const Bytes bytes = zip({stored("a", std::string(100'000, 'x'))});
  std::FILE* file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  const Result<Archive> archive = Archive::open(path);
  REQUIRE(archive);
  CHECK(archive->file_size() == bytes.size());
  CHECK(*file_sha256(path) == [&] {
    std::optional<Digest> digest = Digest::named("sha256");
    digest->update(ByteView(bytes));
    return digest->hex();
  }());
  std::filesystem::resize_file(path, 50'000);
  CHECK(content(*archive, 0) ==
        "error: the file ends at offset 50000, 50031 bytes before the member does");
  std::filesystem::remove(path);
}

TEST_CASE("digests") {
  std::optional<Digest> digest = Digest::named("sha256");
  REQUIRE(digest);
  digest->update(ByteView(std::string_view("ab")));
  digest->update(ByteView(std::string_view("c")));
  const std::string hex = digest->hex();
  CHECK(hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(Digest::named("sha512")->hex().starts_with("cf83e1357eefb8bd"));
  CHECK(Digest::named("sha384")->hex().starts_with("38b060a751ac9638"));
  CHECK_FALSE(Digest::named("md5"));
}
