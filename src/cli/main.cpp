// The process around a command: standard streams that are there, signals, and a last sentence for
// what nobody caught.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "wheel_audit/text.hpp"

namespace {

/// Leaves with a sentence of one line, by what may be called in a handler (signal-safety(7)).
[[noreturn]] void leave(std::string_view message) {
  // Memory ends for several threads at once: the first one speaks.
  static std::atomic_flag spoken;
  while (spoken.test_and_set()) ::pause();
  for (const std::string_view part :
       {std::string_view("wheel-audit: "), message, std::string_view("; nothing is reported\n")})
    static_cast<void>(!::write(STDERR_FILENO, part.data(), part.size()));
  ::_exit(wheel_audit::cli::kIncomplete);
}

/// The last word, whatever thread it comes from: no report is written any more, so nothing passes.
[[noreturn]] void end_incomplete() {
  std::string message = "ended without a result";
  try {
    if (const std::exception_ptr fault = std::current_exception()) std::rethrow_exception(fault);
  } catch (const std::bad_alloc&) {
    message = "out of memory";  // short enough to need none
  } catch (const std::exception& fault) {
    message += ": " + wheel_audit::printable(fault.what());
  } catch (...) {
  }
  leave(message);
}

extern "C" void end_aborted(int) { leave("ended without a result"); }

/// Before any static object is made: memory may end there too, and the C++ runtime aborts where it
/// has none left to throw with.
[[gnu::constructor(101)]] void end_with_a_sentence() {
  std::set_terminate(end_incomplete);
  std::signal(SIGABRT, end_aborted);
}

/// A file that is opened must not become a standard stream that was closed: what is printed would
/// go into it. What is printed fails instead, but for messages, which have no reader then.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_WRONLY));
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  // A closed pipe and a limit on files are failed writes, answered where they happen.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  wheel_audit::cli::end_on_interrupt();
  // libzip turns every member's time into local time, for which the C library looks at the time
  // zone's file each time unless TZ is set. Nothing here depends on the zone.
  ::setenv("TZ", "UTC0", 1);
  return wheel_audit::cli::run(argc, argv);
}
