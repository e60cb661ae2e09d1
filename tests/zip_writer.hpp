// Archives for the tests, written byte by byte: sound ones, and any field of any record wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "wheel_audit/archive.hpp"

namespace wheel_audit::zip_writer {

using Bytes = std::vector<std::uint8_t>;

inline void put(Bytes& out, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

inline void put(Bytes& out, std::string_view text) {
  for (const char c : text) out.push_back(static_cast<std::uint8_t>(c));
}

inline Bytes bytes_of(std::string_view text) {
  Bytes out;
  put(out, text);
  return out;
}

inline std::uint32_t slow_crc(const Bytes& bytes) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

/// One header's fields; the local one and the directory's may differ.
struct Header {
  std::string name = {};
  unsigned flags = 0;
  unsigned method = 0;
  std::uint32_t crc = 0;
  std::uint64_t compressed = 0;
  std::uint64_t size = 0;
  Bytes extra = {};
  std::string comment = {};  // directory only
  unsigned made_by = 0x314;  // Unix
  std::uint32_t attributes = 0100644U << 16U;
};

struct Member {
  Header local;
  Header listed;
  Bytes data;
  Bytes after;  // a descriptor, or a gap
  bool has_local = true;
  bool has_entry = true;
  std::uint64_t at = 0;
};

inline Member stored(const std::string& name, const std::string& text) {
  Member member;
  member.data = bytes_of(text);
  member.local = {.name = name, .crc = slow_crc(member.data)};
  member.local.compressed = member.local.size = member.data.size();
  member.listed = member.local;
  return member;
}

/// A member whose stream is given, with the bytes that it decodes to.
inline Member packed(const std::string& name, unsigned method, Bytes stream,
                     const std::string& text) {
  Member member = stored(name, text);
  member.data = std::move(stream);
  for (Header* header : {&member.local, &member.listed}) {
    header->method = method;
    header->compressed = member.data.size();
  }
  return member;
}

/// The end records; unset numbers are the true ones.
struct Ending {
  std::int64_t count_error = 0;
  std::int64_t size_error = 0;
  bool zip64 = false;
  bool locator = true;
  std::uint64_t record_size = 44;
  std::optional<std::uint64_t> count64 = {};
  std::string comment = {};
  std::string trailing = {};
};

inline void put_fields(Bytes& out, const Header& header) {
  put(out, header.flags, 2);
  put(out, header.method, 2);
  put(out, 0x5a21'0000, 4);
  put(out, header.crc, 4);
  put(out, header.compressed, 4);
  put(out, header.size, 4);
  put(out, header.name.size(), 2);
  put(out, header.extra.size(), 2);
}

inline Bytes zip(std::vector<Member> members, const Ending& ending = {}) {
  Bytes out;
  for (Member& member : members) {
    if (!member.has_local) continue;
    member.at = out.size();
    put(out, "PK\3\4");
    put(out, 20, 2);
    put_fields(out, member.local);
    put(out, member.local.name);
    for (const Bytes* part : {&member.local.extra, &member.data, &member.after}) {
      out.insert(out.end(), part->begin(), part->end());
    }
  }
  const std::uint64_t directory = out.size();
  std::uint64_t count = 0;
  for (const Member& member : members) {
    if (!member.has_entry) continue;
    ++count;
    put(out, "PK\1\2");
    put(out, member.listed.made_by, 2);
    put(out, 20, 2);
    put_fields(out, member.listed);
    put(out, member.listed.comment.size(), 2);
    put(out, 0, 4);
    put(out, member.listed.attributes, 4);
    put(out, member.at, 4);
    put(out, member.listed.name);
    out.insert(out.end(), member.listed.extra.begin(), member.listed.extra.end());
    put(out, member.listed.comment);
  }
  const std::uint64_t size = out.size() - directory;
  const std::uint64_t end64 = out.size();
  if (ending.zip64) {
    put(out, "PK\6\6");
    put(out, ending.record_size, 8);
    put(out, 45, 2);
    put(out, 45, 2);
    put(out, 0, 8);
    put(out, ending.count64.value_or(count), 8);
    put(out, ending.count64.value_or(count), 8);
    put(out, size, 8);
    put(out, directory, 8);
    if (ending.locator) {
      put(out, "PK\6\7");
      put(out, 0, 4);
      put(out, end64, 8);
      put(out, 1, 4);
    }
  }
  put(out, "PK\5\6");
  put(out, 0, 4);
  const std::uint64_t said = count + static_cast<std::uint64_t>(ending.count_error);
  put(out, ending.zip64 ? 0xffff : said, 2);
  put(out, ending.zip64 ? 0xffff : said, 2);
  put(out, size + static_cast<std::uint64_t>(ending.size_error), 4);
  put(out, ending.zip64 ? 0xffff'ffff : directory, 4);
  put(out, ending.comment.size(), 2);
  put(out, ending.comment);
  put(out, ending.trailing);
  return out;
}

inline Archive open(Bytes bytes) {
  Result<Archive> archive = Archive::open_bytes(std::move(bytes));
  INFO((archive ? "" : archive.error().message()));
  REQUIRE(archive);
  return std::move(*archive);
}

inline std::string open_error(Bytes bytes) {
  const Result<Archive> archive = Archive::open_bytes(std::move(bytes));
  return archive ? "opened" : archive.error().message();
}

/// The bytes of a member, or `error: …`.
inline std::string content(const Archive& archive, std::size_t index) {
  std::string text;
  const Result<void> done = archive.stream(index, [&](ByteView bytes) {
    text += bytes.text();
    return true;
  });
  return done ? text : "error: " + done.error().message();
}

inline std::string problems_of(const Archive& archive) {
  std::string text;
  for (const ArchiveProblem& problem : archive.problems()) {
    text += problem.code + " " + problem.where.value_or("-") + ": " + problem.message + "\n";
  }
  return text;
}

inline std::string problems_of(std::vector<Member> members, const Ending& ending = {}) {
  return problems_of(open(zip(std::move(members), ending)));
}

inline Bytes extra_of(unsigned id, const Bytes& data) {
  Bytes extra = {};
  put(extra, id, 2);
  put(extra, data.size(), 2);
  extra.insert(extra.end(), data.begin(), data.end());
  return extra;
}

inline Bytes zip64_extra(const std::vector<std::uint64_t>& numbers) {
  Bytes data;
  for (const std::uint64_t number : numbers) put(data, number, 8);
  return extra_of(1, data);
}

inline std::string wheels() {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "wheel ";
  return text;
}

/// `wheel ` 200 times, by zlib at level 9.
inline const Bytes kWheels = {0x2b, 0xcf, 0x48, 0x4d, 0xcd, 0x51, 0x28, 0x1f, 0x25,
                              0x47, 0xc9, 0x51, 0x72, 0x94, 0x1c, 0xf4, 0x24, 0x00};
inline const Bytes kBzip2 = {0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, 0x55,
                             0x5a, 0x44, 0xf7, 0x00, 0x00, 0x02, 0x19, 0x80, 0x40, 0x00, 0x10,
                             0x00, 0x12, 0x64, 0xc0, 0x10, 0x20, 0x00, 0x22, 0x00, 0x69, 0xea,
                             0x10, 0x03, 0x05, 0xd3, 0xb6, 0x21, 0x83, 0xc5, 0xdc, 0x91, 0x4e,
                             0x14, 0x24, 0x15, 0x56, 0x91, 0x3d, 0xc0};

}  // namespace wheel_audit::zip_writer
