// Writes a sound archive of stored members, with right checksums and sizes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wheel_audit/bytes.hpp"

namespace wheel_audit::fuzz {

class StoredZip {
 public:
  void add(std::string_view path, ByteView bytes) {
    const std::uint32_t crc = crc32(bytes);
    const auto offset = static_cast<std::uint32_t>(out_.size());
    put(out_, 0x04034b50, 4);
    common(out_, crc, bytes.size(), path.size());
    put(out_, path);
    put(out_, bytes.text());
    put(directory_, 0x02014b50, 4);
    put(directory_, 0x031e, 2);
    common(directory_, crc, bytes.size(), path.size());
    put(directory_, 0, 2);  // comment
    put(directory_, 0, 2);  // disk
    put(directory_, 0, 2);
    put(directory_, 0100644U << 16U, 4);
    put(directory_, offset, 4);
    put(directory_, path);
    ++members_;
  }

  std::vector<std::uint8_t> finish() {
    const std::size_t start = out_.size();
    out_.insert(out_.end(), directory_.begin(), directory_.end());
    put(out_, 0x06054b50, 4);
    put(out_, 0, 4);
    put(out_, members_, 2);
    put(out_, members_, 2);
    put(out_, directory_.size(), 4);
    put(out_, start, 4);
    put(out_, 0, 2);
    return std::move(out_);
  }

 private:
  using Bytes = std::vector<std::uint8_t>;

  static void put(Bytes& out, std::uint64_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  static void put(Bytes& out, std::string_view text) {
    out.insert(out.end(), text.begin(), text.end());
  }

  static void common(Bytes& out, std::uint32_t crc, std::uint64_t size, std::size_t name) {
    put(out, 20, 2);
    put(out, 0, 2);
    put(out, 0, 2);
    put(out, 0x00210000, 4);  // 1980-01-01
    put(out, crc, 4);
    put(out, size, 4);
    put(out, size, 4);
    put(out, name, 2);
    put(out, 0, 2);
  }

  static std::uint32_t crc32(ByteView bytes) {
    std::uint32_t crc = ~0U;
    for (const std::uint8_t byte : bytes.span()) {
      crc ^= byte;
      for (int i = 0; i < 8; ++i) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
  }

  Bytes out_;
  Bytes directory_;
  std::uint64_t members_ = 0;
};

}  // namespace wheel_audit::fuzz
