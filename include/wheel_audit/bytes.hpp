// Bytes of a file that nobody vouches for: a view that only hands out checked slices, and a
// cursor that reads numbers and strings out of one. All pointer arithmetic on input is here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace wheel_audit {

/// Byte order of the numbers in a file.
enum class Endian : std::uint8_t { little, big };

/// A view of bytes owned elsewhere; every slice is checked against the end.
class ByteView {
 public:
  ByteView() = default;
  ByteView(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}  // NOLINT(*-explicit-*)
  /// Views text as bytes.
  explicit ByteView(std::string_view text)
      : bytes_(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()) {}  // NOLINT

  std::uint64_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  const std::uint8_t* data() const { return bytes_.data(); }
  std::uint8_t operator[](std::size_t index) const { return bytes_[index]; }
  std::span<const std::uint8_t> span() const { return bytes_; }

  /// The bytes [offset, offset + length), or nothing when they reach past the end.
  std::optional<ByteView> slice(std::uint64_t offset, std::uint64_t length) const {
    if (offset > size() || length > size() - offset) return std::nullopt;
    return ByteView(
        bytes_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)));
  }
  /// At most `length` bytes from `offset`; empty when `offset` is past the end.
  ByteView clamp(std::uint64_t offset, std::uint64_t length) const {
    if (offset >= size()) return {};
    const std::uint64_t rest = size() - offset;
    return ByteView(bytes_.subspan(static_cast<std::size_t>(offset),
                                   static_cast<std::size_t>(length < rest ? length : rest)));
  }
  /// The same bytes as characters.
  std::string_view text() const {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};  // NOLINT
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Reads numbers in sequence. A read past the end yields zero and fails the cursor for good:
/// read a whole record, then test once. Test always before a value sizes a loop or an allocation.
class Cursor {
 public:
  explicit Cursor(ByteView bytes, Endian order = Endian::little) : bytes_(bytes), order_(order) {}

  explicit operator bool() const { return !failed_; }
  std::uint64_t position() const { return position_; }
  std::uint64_t left() const { return bytes_.size() - position_; }
  void skip(std::uint64_t count) { take(count); }

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  /// An address-sized number: 8 bytes when `wide`, else 4.
  std::uint64_t word(bool wide) { return number(wide ? 8 : 4); }

  /// The next `count` bytes; empty and failed when there are fewer.
  ByteView take(std::uint64_t count) {
    const std::optional<ByteView> slice = failed_ ? std::nullopt : bytes_.slice(position_, count);
    if (!slice) {
      failed_ = true;
      return {};
    }
    position_ += count;
    return *slice;
  }

 private:
  std::uint64_t number(std::uint64_t width) {
    const ByteView raw = take(width);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const std::size_t place = order_ == Endian::little ? raw.size() - 1 - i : i;
      value = (value << 8U) | raw[place];
    }
    return value;
  }

  ByteView bytes_;
  std::uint64_t position_ = 0;
  Endian order_;
  bool failed_ = false;
};

/// The NUL-terminated string at `offset` of a string table, or nothing when it has no end there.
inline std::optional<std::string_view> string_at(ByteView table, std::uint64_t offset) {
  if (offset >= table.size()) return std::nullopt;
  const std::string_view rest = table.text().substr(static_cast<std::size_t>(offset));
  const std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  return rest.substr(0, end);
}

}  // namespace wheel_audit
