// Keeps of a streaming member what the ELF reader will ask for. Until the program headers are
// there it guesses (the first bytes, the last ones, small segments that tools append); from then
// on it asks the reader itself, again whenever something that the reader waits for has arrived, so
// that only ranges that lie behind need another pass.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <memory>

#include "scan/elf_image.hpp"
#include "scan/range_guess.hpp"
#include "scan/section_names.hpp"
#include "wheel_audit/scan.hpp"

namespace wheel_audit {

namespace {

using elf_reader::merged;
using elf_reader::ProgramHeader;

constexpr std::uint64_t kWhole = 1ULL << 20U;
constexpr std::uint64_t kReserveMost = 32ULL << 20U;
constexpr std::uint64_t kAround = 16U << 10U;  ///< kept on each side of section names

std::uint64_t end_of(const Range& range) { return range.offset + range.length; }

/// Asks for large pages behind an empty block of many megabytes, which else is filled a fault for
/// every 4 KiB. A wish: where the system has none, nothing changes.
void prefer_large_pages([[maybe_unused]] std::string& block) {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t kPage = std::size_t{2} << 20U;
  void* begin = block.data();
  std::size_t space = block.capacity();
  if (std::align(kPage, kPage, begin, space) != nullptr)
    ::madvise(begin, space / kPage * kPage, MADV_HUGEPAGE);
#endif
}

// A block can outlive the keeper, as the pool of the facts that were read of it.
using Blocks = std::map<std::uint64_t, std::shared_ptr<std::string>>;

}  // namespace

/// The kept blocks never touch each other, so a range is held exactly when one block holds it.
struct RangeKeeper::State {
  std::uint64_t size = 0;
  std::uint64_t position = 0;
  int name_hits = 0;
  std::optional<std::vector<Range>> loaded;  ///< the segments, where program headers were met
  Blocks blocks;
  std::vector<Range> keep;                      ///< what to keep in this pass: sorted, merged
  std::vector<Range> guessed;                   ///< kept while the reader cannot ask yet
  std::uint64_t first_end = ~std::uint64_t{0};  ///< of the guess at the beginning
  std::vector<Range> named;                     ///< around what looks like the section names
  std::vector<Range> missed;                    ///< what earlier passes missed
  std::vector<Range> pending;                   ///< what the reader wants, and is not held yet
  std::vector<Range> misses;

  bool inside(std::uint64_t offset, std::uint64_t length) const {
    return offset <= size && length <= size - offset;
  }
  std::optional<ByteView> held(std::uint64_t offset, std::uint64_t length) const;
  void add(std::uint64_t offset, ByteView bytes, std::uint64_t expected);
  void store(std::uint64_t offset, ByteView bytes, const Range& range);
  void store(ByteView chunk);
  bool arrived() const;
  bool meets_relocations(ByteView chunk) const;
  void plan(Ranges& ranges);
  void keep_section_names(ByteView chunk);
  void drop_unwanted();
};

std::optional<ByteView> RangeKeeper::State::held(std::uint64_t offset, std::uint64_t length) const {
  if (!inside(offset, length)) return std::nullopt;
  if (length == 0) return ByteView();
  auto block = blocks.upper_bound(offset);
  if (block == blocks.begin()) return std::nullopt;
  --block;
  return ByteView(std::string_view(*block->second)).slice(offset - block->first, length);
}

// Adds bytes that no block has yet, and joins what they touch.
void RangeKeeper::State::add(std::uint64_t offset, ByteView bytes, std::uint64_t expected) {
  auto next = blocks.upper_bound(offset);
  auto block = next == blocks.begin() ? blocks.end() : std::prev(next);
  if (block == blocks.end() || block->first + block->second->size() != offset) {
    block = blocks.emplace_hint(next, offset, std::make_shared<std::string>());
    // With room for section names that follow: a block that grows is there twice for a while.
    block->second->reserve(
        static_cast<std::size_t>(std::min(expected, kReserveMost) + 2 * kAround));
    prefer_large_pages(*block->second);
  }
  block->second->append(bytes.text());
  if (next != blocks.end() && next->first == offset + bytes.size()) {
    block->second->append(*next->second);
    blocks.erase(next);
  }
}

// Keeps the part of the chunk at `offset` that lies in the range and is not held.
void RangeKeeper::State::store(std::uint64_t offset, ByteView bytes, const Range& range) {
  std::uint64_t at = std::max(offset, range.offset);
  const std::uint64_t end = std::min(offset + bytes.size(), end_of(range));
  while (at < end) {
    auto next = blocks.upper_bound(at);
    if (next != blocks.begin()) {
      const auto before = std::prev(next);
      const std::uint64_t held_to = before->first + before->second->size();
      if (held_to > at) {
        at = held_to;
        continue;
      }
    }
    const std::uint64_t stop = next == blocks.end() ? end : std::min(end, next->first);
    add(at, bytes.clamp(at - offset, stop - at), end_of(range) - at);
    at = stop;
  }
}

void RangeKeeper::State::store(ByteView chunk) {
  auto range = std::ranges::upper_bound(keep, position, {}, end_of);
  for (; range != keep.end() && range->offset < position + chunk.size(); ++range) {
    store(position, chunk, *range);
  }
}

// Whether something that the reader waits for is there now.
bool RangeKeeper::State::arrived() const {
  return std::ranges::any_of(
      pending, [this](const Range& range) { return held(range.offset, range.length).has_value(); });
}

// Whether the guess at the beginning, which goes on beyond the chunk, reaches into relocations.
bool RangeKeeper::State::meets_relocations(ByteView chunk) const {
  const std::uint64_t end = position + chunk.size();
  const bool goes_on = std::ranges::any_of(
      guessed, [end](const Range& range) { return range.offset == 0 && end_of(range) > end; });
  return goes_on && elf_reader::ends_in_relocations(chunk);
}

// lld and Rust write the section names before a large .strtab, far from the section headers that
// say where they are; what patchelf and BOLT append comes after them too. The table holds its own
// name, by which it is known as it streams by.
void RangeKeeper::State::keep_section_names(ByteView chunk) {
  constexpr int kMostHits = 4;  // the name stands in the data of tools too
  if (name_hits == kMostHits || !loaded) return;
  // Section names are not loaded: they lie between or behind the segments.
  const bool in_segment = std::ranges::any_of(*loaded, [&](const Range& segment) {
    return segment.offset <= position && position + chunk.size() <= end_of(segment);
  });
  if (in_segment) return;
  const std::size_t at = find_own_name(chunk.text());
  if (at == std::string_view::npos) return;
  ++name_hits;
  const std::uint64_t hit = position + at;
  const std::uint64_t from = std::max(position, hit - std::min(hit, kAround));
  named.push_back({from, std::min(size, hit + kAround) - from});
  keep.push_back(named.back());
  keep = merged(std::move(keep));
  store(chunk);
}

// Lets go of what is no longer to be kept, before another pass collects the rest beside it.
void RangeKeeper::State::drop_unwanted() {
  Blocks wanted;
  for (const Range& range : keep) {
    const std::optional<ByteView> bytes = held(range.offset, range.length);
    if (bytes && !bytes->empty())
      wanted.emplace(range.offset, std::make_shared<std::string>(bytes->text()));
  }
  blocks = std::move(wanted);
}

void RangeKeeper::State::plan(Ranges& ranges) {
  const std::vector<Range> wanted = wanted_ranges(ranges);
  pending.clear();
  for (const Range& range : wanted) {
    if (end_of(range) > position && !held(range.offset, range.length)) pending.push_back(range);
  }
  if (missed.empty()) {
    elf_reader::Source source(ranges, elf_reader::Source::Misses::quiet);
    if (const auto programs = elf_reader::programs_or_old_ones(source)) {
      guessed = elf_reader::likely_ranges(size, *programs);
      loaded = elf_reader::loaded_ranges(size, *programs);
    }
    for (Range& range : guessed) {
      if (range.offset == 0) range.length = std::min(range.length, first_end);
    }
  }
  keep = guessed;
  keep.insert(keep.end(), named.begin(), named.end());
  keep.insert(keep.end(), missed.begin(), missed.end());
  keep.insert(keep.end(), wanted.begin(), wanted.end());
  keep = merged(std::move(keep));
}

RangeKeeper::RangeKeeper(std::uint64_t size) : state_(std::make_unique<State>()) {
  state_->size = size;
  state_->guessed = elf_reader::likely_ranges(size, {});
  if (size < kWhole) state_->guessed = {{0, size}};
  state_->keep = merged(state_->guessed);
  // A member that is kept whole needs no plan.
  if (size >= kWhole) state_->pending = {{0, 64}};
}

RangeKeeper::~RangeKeeper() = default;

void RangeKeeper::feed(ByteView chunk) {
  State& state = *state_;
  const ByteView bytes = chunk.clamp(0, state.size - state.position);
  state.store(bytes);
  if (state.size >= kWhole) state.keep_section_names(bytes);
  // Each round has new ranges that begin in this chunk, or is the last one.
  const std::uint64_t start = state.position;
  while (state.arrived()) {
    state.plan(*this);
    state.store(bytes);
  }
  if (state.size >= kWhole && state.meets_relocations(bytes)) {
    state.first_end = start + bytes.size();
    state.plan(*this);
  }
  state.position = start + bytes.size();
}

void RangeKeeper::rewind() {
  State& state = *state_;
  state.position = 0;
  state.missed.insert(state.missed.end(), state.misses.begin(), state.misses.end());
  state.missed = merged(std::move(state.missed));
  state.misses.clear();
  elf_reader::Source source(*this, elf_reader::Source::Misses::quiet);
  state.named.clear();
  if (elf_reader::knows_tables(source)) state.guessed.clear();
  state.plan(*this);
  state.drop_unwanted();
}

std::uint64_t RangeKeeper::size() const { return state_->size; }

std::optional<ByteView> RangeKeeper::at(std::uint64_t offset, std::uint64_t length) {
  std::optional<ByteView> bytes = peek(offset, length);
  const Range range{offset, length};
  if (!bytes && state_->inside(offset, length) &&
      std::ranges::find(state_->misses, range) == state_->misses.end()) {
    state_->misses.push_back(range);
  }
  return bytes;
}

std::optional<ByteView> RangeKeeper::peek(std::uint64_t offset, std::uint64_t length) {
  return state_->held(offset, length);
}

const std::vector<Range>& RangeKeeper::misses() const { return state_->misses; }

std::shared_ptr<const std::string> RangeKeeper::share(ByteView bytes) const {
  for (const auto& [offset, block] : state_->blocks) {
    const std::string_view held = *block;
    const std::less_equal<> before;  // of pointers into whatever block
    const std::string_view wanted = bytes.text();
    const bool holds = before(held.data(), wanted.data()) &&
                       before(wanted.data() + wanted.size(), held.data() + held.size());  // NOLINT
    if (holds && bytes.size() >= held.size() / 2) return block;
  }
  return nullptr;
}

std::uint64_t RangeKeeper::kept() const {
  std::uint64_t total = 0;
  for (const auto& [offset, bytes] : state_->blocks) total += bytes->size();
  return total;
}

}  // namespace wheel_audit
