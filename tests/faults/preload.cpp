// Preloaded by tests/faults/run.py: from the Nth read of a file on, something goes wrong with it.
//   FAULT_FILE  how the file's path ends      FAULT_AT  which read, from 1
//   FAULT_DO    EIO: reads fail · eof: they end early · truncate, zero, replace: what another
//               process does to the file meanwhile, once
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

std::string watched;  // NOLINT: the path once it was opened
std::atomic<int> watched_descriptor = -1;
std::atomic<int> reads = 0;

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::string_view setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

void note_open(const char* path, int descriptor) {
  const std::string_view end = setting("FAULT_FILE");
  if (descriptor < 0 || end.empty() || !std::string_view(path).ends_with(end)) return;
  watched = path;
  watched_descriptor = descriptor;
}

void change_file(std::string_view what) {
  struct stat status {};
  ::stat(watched.c_str(), &status);
  if (what == "truncate") static_cast<void>(!::truncate(watched.c_str(), status.st_size / 2));
  if (what == "replace") std::rename((watched + ".other").c_str(), watched.c_str());
  if (what == "zero") {
    const int file = real<int(const char*, int, ...)>("open")(watched.c_str(), O_WRONLY);
    const std::string zeros(static_cast<std::size_t>(status.st_size), '\0');
    static_cast<void>(!::write(file, zeros.data(), zeros.size()));
    ::close(file);
  }
}

/// Whether this read is to fail or end early; changes the file when its time has come.
bool goes_wrong(int descriptor) {
  if (descriptor != watched_descriptor) return false;
  const int at = std::atoi(std::string(setting("FAULT_AT")).c_str());
  const int number = ++reads;
  const std::string_view what = setting("FAULT_DO");
  if (what == "EIO" || what == "eof") return number >= at;
  if (number == at) change_file(what);
  return false;
}

ssize_t wrong_result() {
  if (setting("FAULT_DO") == "eof") return 0;
  errno = EIO;
  return -1;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {  // NOLINT
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  const int descriptor = real<int(const char*, int, ...)>("open")(path, flags, mode);
  note_open(path, descriptor);
  return descriptor;
}

int open64(const char* path, int flags, ...) {  // NOLINT
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  const int descriptor = real<int(const char*, int, ...)>("open64")(path, flags, mode);
  note_open(path, descriptor);
  return descriptor;
}

ssize_t pread(int descriptor, void* into, size_t length, off_t offset) {
  if (goes_wrong(descriptor)) return wrong_result();
  return real<ssize_t(int, void*, size_t, off_t)>("pread")(descriptor, into, length, offset);
}

ssize_t pread64(int descriptor, void* into, size_t length, off64_t offset) {
  if (goes_wrong(descriptor)) return wrong_result();
  return real<ssize_t(int, void*, size_t, off64_t)>("pread64")(descriptor, into, length, offset);
}

ssize_t read(int descriptor, void* into, size_t length) {
  if (goes_wrong(descriptor)) return wrong_result();
  return real<ssize_t(int, void*, size_t)>("read")(descriptor, into, length);
}
}
