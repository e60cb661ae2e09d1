// The handler does all that there is to do and leaves: nothing has to be asked anywhere whether to
// stop, and no thread is waited for. It only calls what may be called there (signal-safety(7)).
#include "cli/interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <string_view>

#include "cli/commands.hpp"

namespace wheel_audit::cli {

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

std::array<char, PATH_MAX> unfinished{};  ///< its path; changed only while the signals are blocked
std::atomic<bool> line_shown = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void say(std::string_view text) {
  // There is nobody left to tell that it could not be said.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

extern "C" void end_interrupted(int) {
  if (unfinished.front() != 0) ::unlink(unfinished.data());
  if (line_shown) say("\r\033[K");
  say("wheel-audit: interrupted\n");
  ::_exit(kInterrupted);
}

/// Holds the signals back while what the handler reads is changed.
class Blocked {
 public:
  Blocked() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : kSignals) ::sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~Blocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void end_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = end_interrupted;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) ::sigaddset(&action.sa_mask, signal);
  for (const int signal : kSignals) {
    struct sigaction before {};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= unfinished.size()) {
    errno = ENAMETOOLONG;
    return;
  }
  const Blocked blocked;
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return;
  std::ranges::copy(path, unfinished.begin());
  unfinished.at(path.size()) = 0;
}

UnfinishedFile::~UnfinishedFile() {
  const Blocked blocked;
  unfinished.front() = 0;
}

void set_line_shown(bool shown) { line_shown = shown; }

}  // namespace wheel_audit::cli
