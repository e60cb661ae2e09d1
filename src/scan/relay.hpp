// Lets a thread that has nothing else to do scan and digest what another one decodes: of a wheel
// with one giant member the other threads run out of work long before that is read.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "wheel_audit/bytes.hpp"

namespace wheel_audit {

/// Carries the chunks of one stream to where they are scanned: in the thread that decodes while
/// nobody helps, else in the one that does. One after the other in either, so that who scans
/// changes nothing.
class Relay {
 public:
  using Scan = std::function<void(ByteView)>;

  /// `wanted` is called, under no lock, when a helper can join: once a room was asked for, and when
  /// a helper was called away.
  explicit Relay(std::function<void()> wanted) : wanted_(std::move(wanted)) {}

  /// The side of the thread that decodes, for as long as it does. `scan` gets each chunk; every one
  /// has been scanned when this goes.
  class Stream {
   public:
    Stream(Relay& relay, Scan scan);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    /// Where to decode the next chunk to, empty where nobody helps; good until the next `give`.
    /// Waits for a helper that lies behind. Who never asks is never helped.
    std::span<std::uint8_t> room();
    /// The next bytes of the stream, in the room or anywhere.
    void give(ByteView bytes);

   private:
    void drain(std::unique_lock<std::mutex>& lock);

    Relay& relay_;
  };

  /// Makes the caller the helper, who then calls `help`; not where there is one, or no stream.
  bool join();
  /// Scans what is decoded until the stream ends or the helper is called away. `called_away` is
  /// asked before each chunk, under a lock: it must not block.
  void help(const std::function<bool()>& called_away);
  /// Has a helper that waits for chunks ask whether it is called away.
  void look_up();

 private:
  static constexpr std::size_t kChunk = std::size_t{256} * 1024;  ///< half a second-level cache
  static constexpr std::size_t kRooms = 4;

  struct Room {
    std::vector<std::uint8_t> bytes;
    std::size_t filled = 0;
  };

  Room& room_of(std::uint64_t chunk) { return rooms_.at(chunk % kRooms); }
  bool all_scanned() const { return scanned_ == given_; }

  const std::function<void()> wanted_;
  std::mutex mutex_;
  std::condition_variable given_more_;
  std::condition_variable scanned_more_;
  std::array<Room, kRooms> rooms_;  ///< made as they are needed
  Scan scan_;                       ///< of the stream
  bool open_ = false;               ///< the stream goes on, and asks for rooms
  bool helped_ = false;             ///< what comes next is for the helper
  std::uint64_t given_ = 0;         ///< chunks handed to helpers
  std::uint64_t scanned_ = 0;       ///< of these, done
};

}  // namespace wheel_audit
