// The floor that check is held against: decode and checksum every member of a wheel with the same
// threads, and keep nothing. `bench-floor THREADS WHEEL...` prints the bytes that it decoded.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "wheel_audit/archive.hpp"

namespace {

/// Streams the members of an archive, largest first, over a number of threads.
std::uint64_t decode(const wheel_audit::Archive& archive, unsigned threads) {
  std::vector<std::size_t> order(archive.members().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return archive.members()[a].size > archive.members()[b].size;
  });
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> bytes = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < order.size(); i = next++) {
      const auto done = archive.stream(order[i], [&](wheel_audit::ByteView chunk) {
        bytes += chunk.size();
        return true;
      });
      if (!done) fmt::print(stderr, "bench-floor: {}\n", done.error().message());
    }
  };
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);  // NOLINT(*-pointer-arithmetic)
  if (arguments.size() < 3) {
    fmt::print(stderr, "usage: bench-floor THREADS WHEEL...\n");
    return 2;
  }
  const auto threads = static_cast<unsigned>(std::atoi(arguments[1].c_str()));
  std::uint64_t bytes = 0;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const auto archive = wheel_audit::Archive::open(arguments[i]);
    if (archive) bytes += decode(*archive, threads);
  }
  fmt::print("{}\n", bytes);
  return 0;
}
