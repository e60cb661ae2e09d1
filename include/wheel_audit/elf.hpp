// Reads an ELF file through the ranges that it asks for: program headers first, section headers
// as an extra. Follows the System V gABI, the GNU extensions of glibc's elf.h and the psABIs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wheel_audit/bytes.hpp"
#include "wheel_audit/facts.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// A run of bytes of a member.
struct Range {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  bool operator==(const Range&) const = default;
};

/// Random access into a member, part of which may have streamed by without being kept.
class Ranges {
 public:
  virtual ~Ranges() = default;
  /// Bytes of the whole member.
  virtual std::uint64_t size() const = 0;
  /// The bytes, or nothing: outside the member, or not kept (then the miss is noted and a later
  /// pass will have it).
  virtual std::optional<ByteView> at(std::uint64_t offset, std::uint64_t length) = 0;
  /// Like `at`, without noting a miss.
  virtual std::optional<ByteView> peek(std::uint64_t offset, std::uint64_t length) = 0;
  /// The ranges that were asked for, lie inside the member and were not kept.
  virtual const std::vector<Range>& misses() const = 0;
  /// A text that holds the very bytes that `at` gave and outlives these ranges; null where they are
  /// to be copied, since more would be kept than they are worth. Only after the last pass: what
  /// still grows would move.
  virtual std::shared_ptr<const std::string> share(ByteView /*bytes*/) const { return nullptr; }
};

/// Ranges over bytes that are all there: for tests, fuzzing and small members.
class WholeMember final : public Ranges {
 public:
  explicit WholeMember(ByteView bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::optional<ByteView> at(std::uint64_t offset, std::uint64_t length) override {
    return bytes_.slice(offset, length);
  }
  std::optional<ByteView> peek(std::uint64_t offset, std::uint64_t length) override {
    return bytes_.slice(offset, length);
  }
  const std::vector<Range>& misses() const override { return misses_; }

 private:
  ByteView bytes_;
  std::vector<Range> misses_;
};

/// Is shown every dynamic symbol as it is read, and says which ones the facts keep.
class SymbolFilter {
 public:
  virtual ~SymbolFilter() = default;
  /// Before the first symbol: how many there are.
  virtual void expect(std::uint64_t count) = 0;
  /// The symbol's views are good as long as the facts' pool.
  virtual bool keeps(const Symbol& symbol) = 0;
};

/// The facts of an ELF member with every dynamic symbol, or those that the filter keeps; or why its
/// loader tables cannot be read. When `ranges` noted misses the outcome means nothing: provide them
/// and call again.
Result<ElfFacts> read_elf(Ranges& ranges, SymbolFilter* filter = nullptr);

/// The ranges that read_elf will want, as far as `ranges` tells now without noting misses: call
/// again as more is kept. Sorted, merged, inside the member.
std::vector<Range> wanted_ranges(Ranges& ranges);

}  // namespace wheel_audit
