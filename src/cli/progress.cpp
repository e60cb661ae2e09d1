// The line on a terminal while wheels are read, and the reading itself. Logs get none.
#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <thread>

#include "cli/interrupt.hpp"
#include "wheel_audit/quantity.hpp"
#include "wheel_audit/read_progress.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Whether somebody watches: pseudo-terminals of CI systems end in logs.
bool is_watched() {
  const char* terminal = std::getenv("TERM");
  const char* ci = std::getenv("CI");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && *terminal != 0 &&
         std::string_view(terminal) != "dumb" && (ci == nullptr || *ci == 0);
}

std::size_t terminal_columns() {
  constexpr std::size_t kUsual = 80;
  winsize size{};
  const bool told = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return told ? size.ws_col : kUsual;
}

/// At most so many code points of a text.
std::string shortened(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t shown = 0;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues && ++shown > columns) break;
    out += c;
  }
  return out;
}

/// The line, redrawn by a thread of its own from the numbers that the readers keep.
class ProgressLine {
 public:
  ProgressLine(const std::vector<std::string>& paths, const ReadProgress& progress)
      : paths_(paths), progress_(progress), thread_([this] { run(); }) {
    for (const std::string& path : paths) {
      std::error_code failed;
      const std::uintmax_t size = std::filesystem::file_size(path, failed);
      if (!failed) total_ += size;
    }
  }
  ~ProgressLine() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void run() {
    using namespace std::chrono_literals;
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, 1s, [this] { return ended_; })) return;
    set_line_shown(true);
    do {
      draw();
    } while (!changed_.wait_for(lock, 200ms, [this] { return ended_; }));
    std::fputs("\r\033[K", stderr);
    set_line_shown(false);
  }

  void draw() const {
    const std::uint64_t done = std::min(progress_.bytes.load(), total_.load());
    const std::chrono::duration<double> took = Clock::now() - begun_;
    const auto rate = static_cast<std::uint64_t>(static_cast<double>(done) / took.count());
    const std::size_t at = std::min<std::size_t>(progress_.current, paths_.size() - 1);
    const std::string which =
        paths_.size() > 1 ? fmt::format(", {} of {} wheels", progress_.wheels.load(), paths_.size())
                          : "";
    const std::string line =
        fmt::format("read {} of {}, {}/s{}: {}", size_text(done), size_text(total_),
                    size_text(rate), which, printable(base_name(paths_[at])));
    // Never the last column: a terminal that wraps there could not be cleared.
    fmt::print(stderr, "\r{}\033[K", shortened(line, terminal_columns() - 1));
    std::fflush(stderr);
  }

  const std::vector<std::string>& paths_;
  const ReadProgress& progress_;
  std::atomic<std::uint64_t> total_ = 0;
  const Clock::time_point begun_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;  ///< the last member: it begins when the others are there
};

}  // namespace

std::vector<WheelFacts> read_with_progress(const std::vector<std::string>& paths,
                                           const ReadOptions& options, ReadStats* stats) {
  if (!is_watched()) return read_wheels(paths, options, stats);
  ReadProgress progress;
  const ProgressLine line(paths, progress);
  return read_wheels_watched(paths, options, stats, progress);
}

}  // namespace wheel_audit::cli
