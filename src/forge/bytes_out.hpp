// Growing bytes, with numbers in the byte order of the file that is written. Only the forge uses
// this; the readers have their own cursor, so that neither can hide a mistake of the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace wheel_audit::forge {

using Bytes = std::vector<std::uint8_t>;

/// Appends numbers, text and padding to bytes.
class Out {
 public:
  explicit Out(bool big = false, bool wide = true) : big_(big), wide_(wide) {}

  void number(std::uint64_t value, std::size_t width) {
    bytes.resize(bytes.size() + width);
    set(bytes.size() - width, value, width);
  }
  void u8(std::uint64_t value) { number(value, 1); }
  void u16(std::uint64_t value) { number(value, 2); }
  void u32(std::uint64_t value) { number(value, 4); }
  void u64(std::uint64_t value) { number(value, 8); }
  /// An address-sized number.
  void word(std::uint64_t value) { number(value, wide_ ? 8 : 4); }
  // Element by element: g++ 12 takes a range insertion here for an overflow.
  void raw(const Bytes& more) {
    bytes.reserve(room_for(more.size()));
    for (const std::uint8_t byte : more) bytes.push_back(byte);
  }
  void text(std::string_view more) {
    for (const char c : more) bytes.push_back(static_cast<std::uint8_t>(c));
  }
  void zeros(std::uint64_t count) { bytes.resize(bytes.size() + static_cast<std::size_t>(count)); }
  void pad(std::uint64_t align) {
    if (align > 1) zeros((align - bytes.size() % align) % align);
  }
  /// Overwrites a number; a place past the end is left alone.
  void set(std::uint64_t offset, std::uint64_t value, std::size_t width) {
    if (offset > bytes.size() || width > bytes.size() - offset) return;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t shift = 8 * (big_ ? width - 1 - i : i);
      bytes[static_cast<std::size_t>(offset) + i] = static_cast<std::uint8_t>(value >> shift);
    }
  }
  std::uint64_t size() const { return bytes.size(); }

  Bytes bytes;

 private:
  /// Capacity for more bytes that keeps growth geometric.
  std::size_t room_for(std::size_t more) const {
    const std::size_t wanted = bytes.size() + more;
    return wanted <= bytes.capacity() ? bytes.capacity() : std::max(wanted, 2 * bytes.capacity());
  }

  bool big_;
  bool wide_;
};

/// Text as bytes.
inline Bytes to_bytes(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace wheel_audit::forge
