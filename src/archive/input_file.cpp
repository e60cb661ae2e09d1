// Opens regular files and bytes in memory; reads them by offset (see the header).
#include "archive/input_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

namespace wheel_audit {

namespace {

Error system_error(int number) { return Error(std::generic_category().message(number)); }

constexpr std::size_t kNear = 4096;
constexpr std::size_t kProbe = 512;
constexpr std::size_t kAhead = std::size_t{128} * 1024;

}  // namespace

Result<InputFile> InputFile::open(const std::string& path) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const int descriptor =
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // NOLINT(*-vararg)
  if (descriptor < 0) return system_error(errno);
  InputFile file(descriptor, 0);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return system_error(errno);
  if (S_ISDIR(status.st_mode)) return system_error(EISDIR);
  if (!S_ISREG(status.st_mode)) return Error("not a regular file");
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Result<InputFile> InputFile::of_bytes(ByteView bytes) {
  const int descriptor = ::memfd_create("wheel-audit", MFD_CLOEXEC);
  if (descriptor < 0) return system_error(errno);
  InputFile file(descriptor, bytes.size());
  std::span<const std::uint8_t> rest = bytes.span();
  while (!rest.empty()) {
    const ssize_t count = ::write(descriptor, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno);
    rest = rest.subspan(static_cast<std::size_t>(count));
  }
  return file;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

InputFile::InputFile(InputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

Result<std::size_t> InputFile::read(std::uint64_t offset, std::span<std::uint8_t> into) const {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const std::uint64_t at = offset + filled;
    if (at < offset || at > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) break;
    const std::span<std::uint8_t> rest = into.subspan(filled);
    const ssize_t count = ::pread(descriptor_, rest.data(), rest.size(), static_cast<off_t>(at));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

ByteView Window::at(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t end = start_ + filled_;
  const bool inside = offset >= start_ && offset <= end;
  if (!inside || length > end - offset) {
    if (!state_ || offset >= file_->size()) return {};
    const bool near = inside || (offset > end && offset - end <= kNear);
    const std::uint64_t wanted =
        std::min(std::max<std::uint64_t>(length, near ? kAhead : kProbe), file_->size() - offset);
    if (buffer_.size() < wanted) buffer_.resize(static_cast<std::size_t>(wanted));
    const Result<std::size_t> count =
        file_->read(offset, std::span(buffer_).first(static_cast<std::size_t>(wanted)));
    if (!count) state_ = count.error();
    start_ = offset;
    filled_ = count ? *count : 0;
  }
  return ByteView(std::span<const std::uint8_t>(buffer_).first(filled_))
      .clamp(offset - start_, length);
}

}  // namespace wheel_audit
