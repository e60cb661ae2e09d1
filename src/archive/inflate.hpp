// Raw deflate streams and CRC-32: by ISA-L where it is built in, else by zlib.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "wheel_audit/bytes.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// CRC-32 as ZIP has it, continued from `crc` (0 at first).
std::uint32_t crc32_of(std::uint32_t crc, ByteView bytes);

/// Inflates one stream at a time; its tables are large, so it is kept and restarted.
class Inflater {
 public:
  /// What one step took and gave.
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    bool ended = false;  ///< the stream's last block is complete and handed out
  };

  Inflater();
  ~Inflater();
  void restart();
  /// Inflates from `in` into `out` until one of them is used up or the stream ends. `consumed` is
  /// exact once the stream has ended.
  Result<Step> step(ByteView in, std::span<std::uint8_t> out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wheel_audit
