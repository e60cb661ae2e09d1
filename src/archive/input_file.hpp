// The archive's file, read by offset only. One descriptor serves every thread, since pread has no
// position to share. Never mapped: a file that shrinks under us must be a short read, not a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wheel_audit/bytes.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// A regular file, or bytes in memory behind a descriptor.
class InputFile {
 public:
  static Result<InputFile> open(const std::string& path);
  static Result<InputFile> of_bytes(ByteView bytes);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;

  /// Bytes when it was opened.
  std::uint64_t size() const { return size_; }
  /// Fills `into` from `offset`; the bytes read are fewer only at the end of the file.
  Result<std::size_t> read(std::uint64_t offset, std::span<std::uint8_t> into) const;

 private:
  InputFile(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}

  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Small reads at rising offsets, served from one buffer. A jump far ahead reads little, since it
/// is a header between large members; a near one reads ahead, since members are small here.
class Window {
 public:
  explicit Window(const InputFile& file) : file_(&file) {}

  /// The bytes [offset, offset + length), fewer at the end of the file. Valid until the next call.
  ByteView at(std::uint64_t offset, std::uint64_t length);
  /// The first failure to read; the views are short from then on.
  const Result<void>& state() const { return state_; }

 private:
  const InputFile* file_;
  std::vector<std::uint8_t> buffer_;
  std::size_t filled_ = 0;
  std::uint64_t start_ = 0;
  Result<void> state_;
};

}  // namespace wheel_audit
