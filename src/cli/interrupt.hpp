// Ctrl-C and the like: the process ends at once, with exit code 130 and nothing half-written.
#pragma once

#include <string>

namespace wheel_audit::cli {

/// From now on SIGINT, SIGTERM and SIGHUP end the process: the line on the terminal is cleared, the
/// unfinished file removed, one line says so, and the exit code is 130. A signal that the caller
/// ignores (`nohup`, a script's background jobs) stays ignored.
void end_on_interrupt();

/// A file that goes when the process is interrupted: from its creation until it has its name. One
/// at a time.
class UnfinishedFile {
 public:
  /// Creates it; never opens what is there already. On failure `descriptor()` is -1 and errno says
  /// why.
  explicit UnfinishedFile(const std::string& path);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
};

/// A line stands on the terminal that must be cleared before anything else is printed, or none.
void set_line_shown(bool shown);

}  // namespace wheel_audit::cli
