#include <csignal>

#include "cli/command_line.hpp"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, answered where it happens
  return wheel_audit::cli::run(argc, argv);
}
