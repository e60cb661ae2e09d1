// The chunks go round a few rooms: the decoding thread fills one while others wait to be scanned.
#include "scan/relay.hpp"

namespace wheel_audit {

namespace {

// A helper takes a fraction of the time that decoding takes; woken for each chunk, it would cost
// the decoding thread more than it saves.
constexpr std::uint64_t kWorthWaking = 2;

}  // namespace

Relay::Stream::Stream(Relay& relay, Scan scan) : relay_(relay) {
  const std::lock_guard lock(relay_.mutex_);
  relay_.scan_ = std::move(scan);
}

Relay::Stream::~Stream() {
  std::unique_lock lock(relay_.mutex_);
  relay_.open_ = false;
  drain(lock);
}

/// Waits until the helper has scanned what it was given, of which it may not have been told.
void Relay::Stream::drain(std::unique_lock<std::mutex>& lock) {
  relay_.given_more_.notify_one();
  relay_.scanned_more_.wait(lock, [this] { return relay_.all_scanned(); });
}

std::span<std::uint8_t> Relay::Stream::room() {
  std::unique_lock lock(relay_.mutex_);
  if (!relay_.open_) {
    relay_.open_ = true;
    lock.unlock();
    relay_.wanted_();
    return {};
  }
  if (!relay_.helped_) return {};
  relay_.scanned_more_.wait(lock, [this] { return relay_.given_ - relay_.scanned_ < kRooms; });
  Room& room = relay_.room_of(relay_.given_);
  if (room.bytes.empty()) room.bytes.resize(kChunk);
  return room.bytes;
}

void Relay::Stream::give(ByteView bytes) {
  std::unique_lock lock(relay_.mutex_);
  Room& room = relay_.room_of(relay_.given_);
  if (relay_.helped_ && !room.bytes.empty() && bytes.data() == room.bytes.data()) {
    room.filled = static_cast<std::size_t>(bytes.size());
    ++relay_.given_;
    if (relay_.given_ - relay_.scanned_ >= kWorthWaking) relay_.given_more_.notify_one();
    return;
  }
  drain(lock);
  lock.unlock();
  relay_.scan_(bytes);
}

bool Relay::join() {
  const std::lock_guard lock(mutex_);
  if (!open_ || helped_ || !all_scanned()) return false;
  helped_ = true;
  return true;
}

void Relay::look_up() {
  const std::lock_guard lock(mutex_);
  given_more_.notify_one();
}

void Relay::help(const std::function<bool()>& called_away) {
  std::unique_lock lock(mutex_);
  bool leaving = false;
  while (!leaving || !all_scanned()) {
    given_more_.wait(lock, [&] { return !all_scanned() || !open_ || called_away(); });
    if (!leaving && (!open_ || called_away())) {
      leaving = true;
      helped_ = false;  // the decoding thread scans what comes next, another may help
    }
    if (all_scanned()) continue;
    const Room& room = room_of(scanned_);
    lock.unlock();
    scan_(ByteView(std::span(room.bytes).first(room.filled)));
    lock.lock();
    ++scanned_;
    scanned_more_.notify_one();
  }
  const bool wanted = open_;
  lock.unlock();
  if (wanted) wanted_();
}

}  // namespace wheel_audit
