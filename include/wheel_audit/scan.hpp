// One pass over one member: every chunk goes to the scanners that want it, and the ELF reader is
// served from what was kept. Memory does not grow with the member.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheel_audit/elf.hpp"
#include "wheel_audit/text_facts.hpp"

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
  /// Starts another pass that wants the misses (merged) besides what is kept, and what was guessed
  /// while it is not known where the tables are.
  void rewind();

  std::uint64_t size() const override;
  std::optional<ByteView> at(std::uint64_t offset, std::uint64_t length) override;
  std::optional<ByteView> peek(std::uint64_t offset, std::uint64_t length) override;
  const std::vector<Range>& misses() const override;
  /// Shares a block of which `bytes` are half or more.
  std::shared_ptr<const std::string> share(ByteView bytes) const override;
  /// Bytes held now.
  std::uint64_t kept() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Hands a member's bytes to a collector so that the cuts between chunks change nothing: each place
/// is looked at once, with `left` bytes before it and `right` bytes after it where there are as
/// many. A collector takes the bytes and the places [from, to) to look at.
class Seam {
 public:
  Seam(std::size_t left, std::size_t right) : left_(left), right_(right) {}

  template <typename Collect>
  void feed(std::string_view text, const Collect& collect) {
    if (text.empty()) return;
    const std::size_t pending = kept_.size() - std::min(kept_.size(), right_);
    const std::size_t tail = kept_.size();
    std::string seam = std::move(kept_);
    seam += text.substr(0, left_ + right_);
    if (text.size() < left_ + right_) {
      collect(std::string_view(seam), pending, seam.size() - std::min(seam.size(), right_));
      kept_ = seam.substr(seam.size() - std::min(seam.size(), left_ + right_));
      return;
    }
    collect(std::string_view(seam), pending, tail + left_);
    collect(text, left_, text.size() - right_);
    kept_ = text.substr(text.size() - left_ - right_);
  }

  /// After the last chunk.
  template <typename Collect>
  void finish(const Collect& collect) {
    collect(std::string_view(kept_), kept_.size() - std::min(kept_.size(), right_), kept_.size());
    kept_.clear();
  }

 private:
  std::size_t left_;
  std::size_t right_;
  /// The last bytes: the places of the last `right_` are yet to be looked at.
  std::string kept_;
};

/// Collects the names that a member's bytes mention: libraries (`libcudart.so.13`, `foo.lib`,
/// `libx.a`), package words (`nvidia-nccl-cu12`, `nvidia.nccl`), and marker strings of a CUDA
/// runtime that was linked in. Bounded in count and length.
class MentionScanner {
 public:
  MentionScanner();
  void feed(ByteView chunk);
  /// Says that bytes are left out before the next chunk: no name goes on from here.
  void leave_gap();
  /// Distinct mentions, sorted.
  std::vector<std::string> finish();

 private:
  Seam seam_;
  std::vector<std::string> found_;
};

/// Collects the absolute paths among a member's strings that rules ask for. Bounded in count and
/// length. A path ends at what paths of build machines do not have (blanks, quotes, colons); where
/// that is a wildcard or a place to fill in (`%s`, `*`, `<`), it is a pattern and not a path.
class PathScanner {
 public:
  /// The wishes are borrowed.
  explicit PathScanner(const std::vector<PathWish>& wishes);
  void feed(ByteView chunk);
  /// Distinct paths in the order of the member without those of `but`, at most kMostPaths.
  std::vector<std::string> finish(const std::vector<std::string>& but = {});
  /// Whether there were more.
  bool more() const { return more_; }

 private:
  void collect(std::string_view bytes, std::size_t from, std::size_t to);

  const std::vector<PathWish>& wishes_;
  std::array<bool, 256> second_{};  ///< whether a root has that byte after its slash
  Seam seam_;
  std::vector<std::string> found_;
  bool more_ = false;
};

}  // namespace wheel_audit
