// The buffers of streams, which are made once and lent.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "archive/inflate.hpp"

namespace wheel_audit {

inline constexpr std::size_t kInBytes = std::size_t{128} * 1024;
// Decoded bytes stay in the second-level cache.
inline constexpr std::size_t kOutBytes = std::size_t{256} * 1024;

/// What one stream reads into, inflates with, and decodes to.
struct Buffers {
  Inflater inflater;
  std::array<std::uint8_t, kInBytes> in{};
  std::array<std::uint8_t, kOutBytes> out{};
};

/// Buffers that no stream uses now. Shared by all threads: a thread's own would need a destructor
/// at the thread's end, and glibc ends the process where there is no memory to register one.
class SpareBuffers {
 public:
  std::unique_ptr<Buffers> take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return nullptr;
    std::unique_ptr<Buffers> taken = std::move(spare_.back());
    spare_.pop_back();
    return taken;
  }
  void give(std::unique_ptr<Buffers> buffers) {
    const std::lock_guard lock(mutex_);
    if (spare_.size() < spare_.capacity()) spare_.push_back(std::move(buffers));
  }

 private:
  static constexpr std::size_t kKept = 256;  // more streams than these at once make their own
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffers>> spare_ = [] {
    std::vector<std::unique_ptr<Buffers>> room;
    room.reserve(kKept);
    return room;
  }();
};

/// Buffers for one stream; a sink that streams another member gets others.
class BufferLease {
 public:
  BufferLease() : buffers_(spare().take()) {
    if (!buffers_) buffers_ = std::make_unique<Buffers>();
  }
  ~BufferLease() { spare().give(std::move(buffers_)); }
  BufferLease(const BufferLease&) = delete;
  BufferLease& operator=(const BufferLease&) = delete;
  Buffers& operator*() { return *buffers_; }

 private:
  static SpareBuffers& spare() {
    static SpareBuffers kept;
    return kept;
  }

  std::unique_ptr<Buffers> buffers_;
};

}  // namespace wheel_audit
