// Reads the command line and runs the subcommand that it names.
#pragma once

namespace wheel_audit::cli {

/// Returns the process's exit code.
int run(int argc, char** argv);

}  // namespace wheel_audit::cli
