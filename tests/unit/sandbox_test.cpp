// What a confined thread may and may not do; the calls are made in threads, for a filter stays.
#include "wheel_audit/sandbox.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "catch.hpp"

using namespace wheel_audit;

namespace {

/// What the system said to the filter; 0 where it took it.
int refused = 0;

/// The errno of a call made in a confined thread; 0 where it worked, -1 without a filter here.
int confined(const std::function<long()>& call) {
  int failed = -1;
  std::thread([&] {
    refused = confine_thread();
    if (refused != 0) return;
    errno = 0;
    const long result = call();
    failed = result < 0 ? errno : 0;
  }).join();
  return failed;
}

std::string scratch(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("sandbox-" + std::to_string(getpid()) + name))
      .string();
}

}  // namespace

TEST_CASE("a confined thread reads, and does nothing else") {
  const std::string path = scratch("there");
  const std::string fresh = scratch("fresh");
  std::ofstream(path) << "x";
  if (confined([] { return 0L; }) == -1) {
    // A filter that is wrong in itself (EINVAL, EFAULT) is a fault of ours.
    CHECK((refused == ENOSYS || refused == EPERM || refused == EACCES));
    std::fputs("sandbox: this system has no filter, or forbids it; nothing was looked at\n",
               stderr);
    return;
  }
  CHECK(confined([&] { return static_cast<long>(open(path.c_str(), O_RDONLY | O_CLOEXEC)); }) == 0);
  CHECK(confined([&] { return static_cast<long>(open(path.c_str(), O_WRONLY)); }) == EPERM);
  CHECK(confined([&] { return static_cast<long>(open(path.c_str(), O_RDWR)); }) == EPERM);
  CHECK(confined([&] { return static_cast<long>(open(fresh.c_str(), O_CREAT, 0600)); }) == EPERM);
  CHECK(confined([&] { return static_cast<long>(unlink(path.c_str())); }) == EPERM);
  CHECK(confined([&] { return static_cast<long>(rename(path.c_str(), fresh.c_str())); }) == EPERM);
  CHECK(confined([&] { return static_cast<long>(truncate(path.c_str(), 0)); }) == EPERM);
  CHECK(confined([&] { return static_cast<long>(chmod(path.c_str(), 0777)); }) == EPERM);
  CHECK(confined([] { return static_cast<long>(socket(AF_INET, SOCK_STREAM, 0)); }) == EPERM);
  CHECK(confined([] { return static_cast<long>(socket(AF_UNIX, SOCK_DGRAM, 0)); }) == EPERM);
  CHECK(confined([] {
          char* const words[] = {nullptr};
          return static_cast<long>(execve("/bin/true", words, words));
        }) == EPERM);
  CHECK(confined([] {
          const pid_t child = fork();
          if (child == 0) _exit(0);
          return static_cast<long>(child);
        }) == EPERM);
  CHECK(confined([] { return static_cast<long>(kill(getpid(), SIGKILL)); }) == EPERM);
  CHECK(confined([] { return syscall(SYS_io_uring_setup, 1, nullptr); }) == EPERM);
  constexpr long kFchmodat2 = 452;
  CHECK(confined([&] { return syscall(kFchmodat2, AT_FDCWD, path.c_str(), 0777, 0); }) == EPERM);
  CHECK(confined([] { return syscall(SYS_mq_open, "x", O_CREAT, 0600, nullptr); }) == EPERM);
  CHECK(confined([] { return syscall(SYS_tgkill, getppid(), getppid(), 0); }) == EPERM);
  CHECK(confined([] { return syscall(SYS_tgkill, getpid(), getpid(), 0); }) == 0);
  // Its own threads are made, and are as confined.
  CHECK(confined([] {
          long result = 0;
          int failed = 0;
          std::thread([&] {
            result = socket(AF_INET, SOCK_STREAM, 0);
            failed = errno;
          }).join();
          errno = failed;
          return result;
        }) == EPERM);
  // Those that were there before are not.
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  CHECK(file >= 0);
  close(file);
  CHECK(std::filesystem::file_size(path) == 1);
  std::filesystem::remove(path);
}
