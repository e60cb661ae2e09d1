// Threads beside the one that asks for them.
#pragma once

#include <system_error>
#include <thread>
#include <vector>

namespace wheel_audit {

/// Runs `work` in up to `most` further threads, fewer where the system gives no more; they are
/// joined when the result goes.
template <typename Work>
std::vector<std::jthread> further_threads(std::size_t most, Work work) {
  std::vector<std::jthread> threads;
  try {
    while (threads.size() < most) threads.emplace_back(work);
  } catch (const std::system_error&) {
    // A limit on processes or memory: those that run do the work.
  }
  return threads;
}

/// Runs `work` in a thread that does nothing else, and waits; in the caller's where the system
/// gives none.
template <typename Work>
void run_apart(Work work) {
  if (further_threads(1, work).empty()) work();
}

}  // namespace wheel_audit
