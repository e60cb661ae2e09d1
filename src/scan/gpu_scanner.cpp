// Looks for container and ELF magics in a stream and follows each as a candidate, several at a
// time, because nothing says that a candidate is sound before its last entry was seen. A sound
// container swallows whatever began inside it; a broken one is a problem and swallows nothing.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scan/gpu_container.hpp"
#include "scan/gpu_magic.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/limits.hpp"

namespace wheel_audit {

namespace {

// Limits against hostile members. The largest published library has 23,984 containers.
constexpr std::size_t kMostCandidates = 24;
constexpr std::size_t kMostProblems = 32;

bool begins(ByteView bytes, const std::array<std::uint8_t, 4>& magic) {
  const std::size_t length = std::min<std::size_t>(static_cast<std::size_t>(bytes.size()), 4);
  return std::equal(bytes.span().begin(),
                    bytes.span().begin() + static_cast<std::ptrdiff_t>(length), magic.begin());
}

/// Whether an offset is in machine code. What begins like a container there and is none is an
/// instruction that writes or compares a header: cuDNN 9.26 builds containers at run time.
bool is_in_code(std::uint64_t offset, std::span<const Section> sections) {
  constexpr std::uint64_t kInstructions = 4;  // SHF_EXECINSTR
  return std::ranges::any_of(sections, [&](const Section& section) {
    return (section.flags & kInstructions) != 0 && offset >= section.offset &&
           offset - section.offset < section.size;
  });
}

}  // namespace

struct GpuScanner::State {
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  std::uint64_t position = 0;              ///< of the next chunk
  std::uint64_t quiet_from = 0;            ///< the sound container whose inside is passed over
  std::uint64_t quiet_until = 0;           ///< its end
  std::uint64_t next_wanted = 0;           ///< the lowest byte that a candidate waits for
  std::vector<gpu::Candidate> candidates;  ///< by offset
  std::vector<gpu::Found> found;
  std::size_t entries = 0;  ///< of `found`
  std::vector<gpu::Problem> problems;
  std::uint64_t more_problems = 0;
  std::vector<Piece> outside;           ///< of the chunk that was fed last
  std::vector<std::uint64_t> mistaken;  ///< containers that broke behind their header
  bool more_mistaken = false;

  bool in_container() const;
  void note_outside(ByteView bytes);
  std::size_t search(ByteView chunk, std::size_t from) const;
  void advance(ByteView bytes);
  void begin(ByteView bytes);
  void settle(gpu::Candidate candidate, gpu::Candidate::Outcome outcome);
  void pass_over(const gpu::Candidate& container);
  void swallow(const gpu::Candidate& outer);
  std::uint64_t next_decision() const;
  void keep(gpu::Candidate& candidate);
  void report(std::uint64_t offset, const std::string& message);
};

/// Whether the next byte lies behind the header of a container that is sound so far.
bool GpuScanner::State::in_container() const {
  return quiet_until > position ||
         std::ranges::any_of(candidates, [this](const gpu::Candidate& candidate) {
           return !candidate.is_bare() && candidate.end() > position;
         });
}

/// Notes bytes from the position on as outside of containers.
void GpuScanner::State::note_outside(ByteView bytes) {
  if (bytes.empty()) return;
  if (!outside.empty()) {
    Piece& last = outside.back();
    if (last.offset + last.bytes.size() == position) {
      last.bytes =
          ByteView({last.bytes.span().data(), last.bytes.span().size() + bytes.span().size()});
      return;
    }
  }
  outside.push_back({position, bytes});
}

/// The first place of a magic, or of the beginning of one at the chunk's end; else its size.
std::size_t GpuScanner::State::search(ByteView chunk, std::size_t from) const {
  const std::uint64_t past = (position + from) % alignment;
  std::uint64_t at = from + (past == 0 ? 0 : alignment - past);
  if (at >= chunk.size()) return chunk.span().size();
  const auto start = static_cast<std::size_t>(at);
  at = gpu::skip_to_magic(chunk.span(), start, static_cast<std::size_t>(alignment));
  for (; at < chunk.size(); at += alignment) {
    const ByteView rest = chunk.clamp(at, 4);
    if (begins(rest, gpu::kContainerMagic) || begins(rest, gpu::kElfMagic)) break;
  }
  return static_cast<std::size_t>(std::min(at, chunk.size()));
}

/// Hands the candidates the chunk as far as `bytes` goes.
void GpuScanner::State::advance(ByteView bytes) {
  if (candidates.empty() || next_wanted >= position + bytes.size()) return;
  for (std::size_t i = 0; i < candidates.size();) {
    const gpu::Candidate::Outcome outcome = candidates[i].advance(bytes, position);
    if (outcome == gpu::Candidate::Outcome::reading) {
      ++i;
      continue;
    }
    gpu::Candidate done = std::move(candidates[i]);
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
    settle(std::move(done), outcome);  // drops later candidates at most
  }
  next_wanted = ~std::uint64_t{0};
  for (const gpu::Candidate& candidate : candidates) {
    next_wanted = std::min(next_wanted, candidate.waits_for());
  }
}

/// The first offset at which a candidate goes on or is done; the highest number for none.
std::uint64_t GpuScanner::State::next_decision() const {
  std::uint64_t first = ~std::uint64_t{0};
  for (const gpu::Candidate& candidate : candidates)
    first = std::min(first, candidate.decides_at());
  return first;
}

/// Follows what begins with `bytes`, which end the part of the chunk that was handed out.
void GpuScanner::State::begin(ByteView bytes) {
  const std::uint64_t offset = position;
  if (candidates.size() >= kMostCandidates) {
    report(offset, fmt::format("container at 0x{:x}: {} others are open there, which is not read",
                               offset, kMostCandidates));
    return;
  }
  gpu::Candidate candidate(offset, size, begins(bytes, gpu::kElfMagic));
  candidate.found_before = found.size();
  candidate.problems_before = problems.size();
  candidate.more_problems_before = more_problems;
  next_wanted = candidates.empty() ? offset : std::min(next_wanted, offset);
  candidates.push_back(std::move(candidate));
}

void GpuScanner::State::settle(gpu::Candidate candidate, gpu::Candidate::Outcome outcome) {
  if (outcome == gpu::Candidate::Outcome::broken) {
    report(candidate.offset(), candidate.message());
    const bool left_out = candidate.end() != 0;
    if (left_out && mistaken.size() < kMostProblems) {
      mistaken.push_back(candidate.offset());
    } else {
      more_mistaken = more_mistaken || left_out;
    }
  }
  if (outcome != gpu::Candidate::Outcome::sound) return;
  if (!candidate.is_bare()) {
    swallow(candidate);
    pass_over(candidate);
    if (!candidate.message().empty()) report(candidate.offset(), candidate.message());
  }
  keep(candidate);
}

/// Of containers that overlap the first one counts, and what lies behind it is looked at.
void GpuScanner::State::pass_over(const gpu::Candidate& container) {
  const bool replaces = quiet_from > container.offset() && quiet_from < container.end();
  if (!replaces && container.end() <= quiet_until) return;
  quiet_from = container.offset();
  quiet_until = container.end();
}

void GpuScanner::State::swallow(const gpu::Candidate& outer) {
  const auto inside = [&outer](std::uint64_t offset) {
    return offset > outer.offset() && offset < outer.end();
  };
  const auto drop = [&inside](auto& list, std::size_t from) {
    const auto first = list.begin() + static_cast<std::ptrdiff_t>(std::min(from, list.size()));
    list.erase(std::remove_if(first, list.end(),
                              [&inside](const auto& item) { return inside(item.offset); }),
               list.end());
  };
  for (std::size_t i = std::min(outer.found_before, found.size()); i < found.size(); ++i) {
    if (inside(found[i].offset)) entries -= found[i].entries.size();
  }
  drop(found, outer.found_before);
  drop(problems, outer.problems_before);
  more_problems = std::min(more_problems, outer.more_problems_before);
  std::erase_if(mistaken, inside);
  std::erase_if(candidates, [&inside](const auto& other) { return inside(other.offset()); });
}

void GpuScanner::State::keep(gpu::Candidate& candidate) {
  if (found.size() >= limits().gpu_containers ||
      candidate.entries().size() > limits().gpu_entries - entries) {
    report(candidate.offset(),
           fmt::format("container at 0x{:x}: more than {} containers or {} entries lie before it, "
                       "which is not read{}",
                       candidate.offset(), limits().gpu_containers, limits().gpu_entries,
                       limit_hint(found.size() >= limits().gpu_containers ? &Limits::gpu_containers
                                                                          : &Limits::gpu_entries)));
    return;
  }
  entries += candidate.entries().size();
  candidate.entries().shrink_to_fit();
  found.push_back({candidate.offset(), candidate.is_bare(), std::move(candidate.entries())});
}

/// Keeps the problems of the lowest offsets, so that what a container swallows is what was dropped.
void GpuScanner::State::report(std::uint64_t offset, const std::string& message) {
  if (problems.size() < kMostProblems) {
    problems.push_back({offset, message});
    return;
  }
  ++more_problems;
  const auto last = std::ranges::max_element(problems, {}, &gpu::Problem::offset);
  if (offset < last->offset) *last = {offset, message};
}

GpuScanner::GpuScanner(std::uint64_t size, std::uint64_t alignment)
    : state_(std::make_unique<State>()) {
  state_->size = size;
  state_->alignment = std::max<std::uint64_t>(alignment, 1);
}
GpuScanner::~GpuScanner() = default;
GpuScanner::GpuScanner(GpuScanner&&) noexcept = default;
GpuScanner& GpuScanner::operator=(GpuScanner&&) noexcept = default;

void GpuScanner::feed(ByteView chunk) {
  State& state = *state_;
  state.outside.clear();
  ByteView rest = chunk;  // begins at state.position, always
  const auto consume = [&state, &rest](std::uint64_t count) {
    if (!state.in_container()) state.note_outside(rest.clamp(0, count));
    state.advance(rest.clamp(0, count));
    state.position += count;
    rest = rest.clamp(count, rest.size());
  };
  // Candidates are done one after the other as their last bytes go by, wherever a chunk ends: one
  // that is sound changes what becomes of the others.
  std::uint64_t hit = 0;  // the next magic, or the chunk's end, where it was looked for
  bool looked = false;
  while (!rest.empty()) {
    const std::uint64_t decision = std::max(state.next_decision(), state.position + 1);
    const std::uint64_t end = std::min(state.position + rest.size(), decision);
    if (state.quiet_until > state.position) {
      consume(std::min(end, state.quiet_until) - state.position);
      continue;
    }
    if (!looked || hit < state.position) hit = state.position + state.search(rest, 0);
    looked = true;
    if (hit > state.position) {
      consume(std::min(end, hit) - state.position);
      continue;
    }
    state.begin(rest);
    consume(1);
    looked = false;
  }
}

std::span<const GpuScanner::Piece> GpuScanner::outside() const { return state_->outside; }

bool GpuScanner::left_out_too_much() const {
  return state_->more_mistaken || !state_->mistaken.empty();
}

std::optional<GpuFacts> GpuScanner::finish(std::span<const Section> sections) {
  State& state = *state_;
  for (gpu::Candidate& candidate : std::exchange(state.candidates, {})) {
    const gpu::Candidate::Outcome outcome = candidate.cut(state.position);
    state.settle(std::move(candidate), outcome);
  }
  std::erase_if(state.problems,
                [&](const gpu::Problem& problem) { return is_in_code(problem.offset, sections); });
  if (state.found.empty() && state.problems.empty()) return std::nullopt;
  GpuFacts facts = gpu::describe(state.found, sections);
  std::ranges::stable_sort(state.problems, {}, &gpu::Problem::offset);
  for (gpu::Problem& problem : state.problems) {
    facts.problems.push_back(std::move(problem.message));
  }
  if (state.more_problems > 0) {
    facts.problems.push_back(
        fmt::format("{} more containers that do not parse", state.more_problems));
  }
  return facts;
}

}  // namespace wheel_audit
