// Small readers of forged wheels, of the tests' own: the real readers are tested with forged
// wheels, so they must not vouch for the forge.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "wheel_audit/bytes.hpp"
#include "wheel_audit/forge.hpp"

namespace forged_bytes {

using namespace wheel_audit;

inline Json base(const std::string& name) {
  std::ifstream file(std::string(SOURCE_DIR) + "/fixtures/_base/" + name + ".json");
  std::stringstream text;
  text << file.rdbuf();
  const Result<Json> json = Json::parse(text.str());
  REQUIRE(json);
  return *json;
}

inline Json changed(const std::string& name, std::string_view patch) {
  Json recipe = base(name);
  const Result<Json> change = Json::parse(patch);
  REQUIRE(change);
  recipe.merge_patch(*change);
  return recipe;
}

inline ForgedWheel forged(const Json& recipe) {
  Result<ForgedWheel> wheel = forge_wheel(recipe, "");
  if (!wheel) FAIL(wheel.error().message());
  return *wheel;
}

inline std::string refusal(const Json& recipe) {
  const Result<ForgedWheel> wheel = forge_wheel(recipe, "");
  return wheel ? std::string() : wheel.error().message();
}

inline std::uint64_t number(const std::string& bytes, std::size_t at, std::size_t width) {
  Cursor cursor(ByteView(std::string_view(bytes)).clamp(at, width));
  return width == 2 ? cursor.u16() : width == 4 ? cursor.u32() : cursor.u64();
}

struct Entry {
  std::uint64_t method = 0, flags = 0, mode = 0, crc = 0, size = 0, offset = 0;
  std::string content;  ///< of deflated and stored members
};

inline std::string inflate_raw(const std::string& packed, std::size_t size) {
  std::string in = packed;
  std::string out(size + 1, '\0');
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());  // NOLINT
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());  // NOLINT
  stream.avail_out = static_cast<uInt>(out.size());
  const int rc = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return rc == Z_STREAM_END ? out : "(broken)";
}

/// The members of an archive by name, from its directory.
inline std::map<std::string, Entry> unzip(const ForgedWheel& wheel) {
  const std::string bytes(wheel.bytes.begin(), wheel.bytes.end());
  const std::size_t end = bytes.rfind("PK\5\6");
  REQUIRE(end != std::string::npos);
  std::size_t at = number(bytes, end + 16, 4);
  std::map<std::string, Entry> entries;
  for (std::uint64_t left = number(bytes, end + 10, 2); left > 0; --left) {
    REQUIRE(bytes.substr(at, 4) == "PK\1\2");
    Entry entry;
    entry.flags = number(bytes, at + 8, 2);
    entry.method = number(bytes, at + 10, 2);
    entry.crc = number(bytes, at + 16, 4);
    const std::uint64_t packed = number(bytes, at + 20, 4);
    entry.size = number(bytes, at + 24, 4);
    entry.mode = number(bytes, at + 38, 4) >> 16U;
    entry.offset = number(bytes, at + 42, 4);
    const std::size_t local = entry.offset;
    const std::size_t data =
        local + 30 + number(bytes, local + 26, 2) + number(bytes, local + 28, 2);
    entry.content = bytes.substr(data, packed);
    if (entry.method == 8) entry.content = inflate_raw(entry.content, entry.size);
    const std::size_t name = number(bytes, at + 28, 2);
    entries[bytes.substr(at + 46, name)] = entry;
    at += 46 + name + number(bytes, at + 30, 2) + number(bytes, at + 32, 2);
  }
  CHECK(at == end);
  return entries;
}

/// The values of a dynamic tag in a 64-bit little-endian file.
inline std::vector<std::uint64_t> dynamic(const std::string& elf, std::uint64_t tag) {
  std::vector<std::uint64_t> values;
  const std::size_t table = number(elf, 32, 8);
  for (std::size_t i = 0; i < number(elf, 56, 2); ++i) {
    const std::size_t header = table + 56 * i;
    if (number(elf, header, 4) != 2) continue;
    const std::size_t start = number(elf, header + 8, 8);
    for (std::size_t at = start; at < start + number(elf, header + 32, 8); at += 16) {
      if (number(elf, at, 8) == tag) values.push_back(number(elf, at + 8, 8));
    }
  }
  return values;
}

inline std::string dynamic_text(const std::string& elf, std::uint64_t tag) {
  std::string out;
  for (const std::uint64_t value : dynamic(elf, tag)) {
    out += std::string(elf.c_str() + dynamic(elf, 5).at(0) + value) + ";";
  }
  return out;
}

/// Type, flags and offset of the first program header of a type.
inline std::vector<std::uint64_t> program_header(const std::string& elf, std::uint64_t type) {
  const std::size_t table = number(elf, 32, 8);
  for (std::size_t i = 0; i < number(elf, 56, 2); ++i) {
    const std::size_t at = table + 56 * i;
    if (number(elf, at, 4) != type) continue;
    return {number(elf, at + 4, 4), number(elf, at + 8, 8), number(elf, at + 16, 8),
            number(elf, at + 48, 8)};
  }
  return {};
}

inline std::string elf_of(std::string_view spec) {
  const std::string patch = R"({"files": {"demo/x.so": {"elf": )" + std::string(spec) + "}}}";
  return unzip(forged(changed("pure", patch)))["demo/x.so"].content;
}

}  // namespace forged_bytes
