#include <fcntl.h>
#include <unistd.h>

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
  for (const std::string_view part : {std::string_view("wheel-audit: "), std::string_view(message),
                                      std::string_view("; nothing is reported\n")})
    static_cast<void>(!::write(STDERR_FILENO, part.data(), part.size()));
  ::_exit(wheel_audit::cli::kIncomplete);
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
  std::set_terminate(end_incomplete);
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
