#include <csignal>
#include <cstdlib>

#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, answered where it happens
  wheel_audit::cli::end_on_interrupt();
  // libzip turns every member's time into local time, for which the C library looks at the time
  // zone's file each time unless TZ is set. Nothing here depends on the zone.
  ::setenv("TZ", "UTC0", 1);
  return wheel_audit::cli::run(argc, argv);
}
