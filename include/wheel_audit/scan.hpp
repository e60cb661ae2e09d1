// One pass over one member: every chunk goes to the scanners that want it, and the ELF reader is
// served from what was kept. Memory does not grow with the member.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wheel_audit/elf.hpp"

namespace wheel_audit {

/// Keeps the ranges of a streaming member that a reader is likely to ask for, answers from them,
/// and notes what it could not answer.
class RangeKeeper final : public Ranges {
 public:
  /// A member of `size` bytes, nothing kept yet.
  explicit RangeKeeper(std::uint64_t size);
  ~RangeKeeper() override;

  /// The next bytes of the pass, in order from offset 0.
  void feed(ByteView chunk);
  /// Starts another pass that wants exactly the misses (merged) besides what is kept.
  void rewind();

  std::uint64_t size() const override;
  std::optional<ByteView> at(std::uint64_t offset, std::uint64_t length) override;
  std::optional<ByteView> peek(std::uint64_t offset, std::uint64_t length) override;
  const std::vector<Range>& misses() const override;
  /// Bytes held now.
  std::uint64_t kept() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Collects the names that a member's bytes mention: libraries (`libcudart.so.13`, `foo.lib`,
/// `libx.a`), package words (`nvidia-nccl-cu12`, `nvidia.nccl`), and marker strings of a CUDA
/// runtime that was linked in. Bounded in count and length.
class MentionScanner {
 public:
  void feed(ByteView chunk);
  /// Distinct mentions, sorted.
  std::vector<std::string> finish();

 private:
  std::string word_;  ///< the run of name characters that the last chunk ended in
  std::vector<std::string> found_;
};

}  // namespace wheel_audit
