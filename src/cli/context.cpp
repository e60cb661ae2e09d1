// The wheels that others are judged beside.
#include "base/threads.hpp"
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "wheel_audit/sandbox.hpp"

namespace wheel_audit::cli {

Result<std::vector<WheelFacts>> read_context(const std::vector<std::string>& with,
                                             const std::string& env, ReadOptions reading,
                                             const std::string& with_label) {
  if (!env.empty()) {
    Result<std::vector<WheelFacts>> installed = Error("was not read");
    run_apart([&] {
      if (reading.confine) confine_thread();
      installed = read_installed(env);
    });
    if (!installed) return installed.error().in("--env");
    return installed;
  }
  if (with.empty()) return std::vector<WheelFacts>();
  const Result<std::vector<std::string>> paths = wheel_paths(with);
  if (!paths) return paths.error().in(with_label);
  reading.hash = false;  // CRC-32 tells the bytes of two wheels' members apart
  return read_with_progress(*paths, reading);
}

}  // namespace wheel_audit::cli
