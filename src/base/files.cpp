// By descriptor, because streams take a read error for the end of the file.
#include "base/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace wheel_audit {

namespace {

Error system_error(int number) { return Error(std::generic_category().message(number)); }

Result<std::string> read_all(int descriptor) {
  std::string text;
  std::array<char, std::size_t{64} * 1024> buffer{};
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Result<std::string> read_whole(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);  // NOLINT(*-vararg)
  if (descriptor < 0) return system_error(errno);
  Result<std::string> text = read_all(descriptor);
  ::close(descriptor);
  return text;
}

}  // namespace wheel_audit
