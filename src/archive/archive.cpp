// Opening (raw walk, then libzip's view) and streaming: stored and deflated members are read by
// offset and decoded here, others by libzip. Every stream is held against the directory.
#include "wheel_audit/archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "archive/buffers.hpp"
#include "archive/inflate.hpp"
#include "archive/second_view.hpp"
#include "archive/structure.hpp"
#include "wheel_audit/limits.hpp"

namespace wheel_audit {

namespace {

/// Counts and sums what a stream hands out, and never lets it exceed the directory's size.
class Outlet {
 public:
  Outlet(const ArchiveMember& member, const std::function<bool(ByteView)>& sink)
      : member_(member), sink_(sink) {}

  /// Bytes that may still be handed out.
  std::uint64_t left() const { return member_.size - given_; }
  bool stopped() const { return stopped_; }

  Result<void> give(ByteView bytes) {
    const ByteView allowed = bytes.clamp(0, left());
    crc_ = crc32_of(crc_, allowed);
    given_ += allowed.size();
    if (!allowed.empty() && !sink_(allowed)) {
      stopped_ = true;
    } else if (allowed.size() != bytes.size()) {
      return Error(fmt::format("decodes to more than {} bytes, the directory says {}", given_,
                               member_.size));
    }
    return {};
  }

  /// The check after the last byte.
  Result<void> finish() const {
    if (stopped_) return {};
    if (given_ != member_.size) {
      return Error(fmt::format("decodes to {} bytes, the directory says {}", given_, member_.size));
    }
    if (crc_ != member_.crc32) {
      return Error(
          fmt::format("CRC-32 is {:#010x}, the directory says {:#010x}", crc_, member_.crc32));
    }
    return {};
  }

 private:
  const ArchiveMember& member_;
  const std::function<bool(ByteView)>& sink_;
  std::uint64_t given_ = 0;
  std::uint32_t crc_ = 0;
  bool stopped_ = false;
};

/// Reads a member's stored bytes in chunks.
class Inlet {
 public:
  Inlet(const InputFile& file, const ArchiveMember& member)
      : file_(file), at_(member.data_offset), left_(member.compressed) {}

  std::uint64_t left() const { return left_; }

  Result<ByteView> next(std::span<std::uint8_t> buffer) {
    const std::span<std::uint8_t> into =
        buffer.first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left_)));
    const Result<std::size_t> count = file_.read(at_, into);
    if (!count) return count.error();
    if (*count != into.size()) {
      return Error(fmt::format("the file ends at offset {}, {} bytes before the member does",
                               at_ + *count, left_ - *count));
    }
    at_ += *count;
    left_ -= *count;
    return ByteView(into);
  }

 private:
  const InputFile& file_;
  std::uint64_t at_;
  std::uint64_t left_;
};

/// Where the next chunk goes.
std::span<std::uint8_t> next_room(const Archive::RoomOf& room, Buffers& buffers) {
  const std::span<std::uint8_t> given = room ? room() : std::span<std::uint8_t>();
  return given.empty() ? std::span<std::uint8_t>(buffers.out) : given;
}

Result<void> stream_stored(Inlet inlet, Outlet& outlet, Buffers& buffers,
                           const Archive::RoomOf& room) {
  while (inlet.left() > 0 && !outlet.stopped()) {
    const Result<ByteView> chunk = inlet.next(next_room(room, buffers));
    if (!chunk) return chunk.error();
    if (Result<void> given = outlet.give(*chunk); !given) return given;
  }
  return outlet.finish();
}

Result<void> stream_deflated(Inlet inlet, Outlet& outlet, Buffers& buffers,
                             const Archive::RoomOf& room) {
  buffers.inflater.restart();
  ByteView in;
  for (;;) {
    if (in.empty() && inlet.left() > 0) {
      const Result<ByteView> chunk = inlet.next(buffers.in);
      if (!chunk) return chunk.error();
      in = *chunk;
    }
    // Room for one byte more than is allowed shows a stream that goes on.
    const std::span<std::uint8_t> whole = next_room(room, buffers);
    const std::span<std::uint8_t> out = whole.first(
        static_cast<std::size_t>(outlet.left() < whole.size() ? outlet.left() + 1 : whole.size()));
    const Result<Inflater::Step> step = buffers.inflater.step(in, out);
    if (!step) return step.error();
    if (Result<void> given = outlet.give(ByteView(out.first(step->produced))); !given) return given;
    if (outlet.stopped()) return {};
    in = in.clamp(step->consumed, in.size());
    if (step->ended) break;
    if (step->produced == 0 && step->consumed == 0 && (!in.empty() || inlet.left() == 0)) {
      return Error("the deflate stream breaks off before its last block ends");
    }
  }
  if (in.size() + inlet.left() > 0) {
    return Error(
        fmt::format("{} bytes follow the end of the deflate stream", in.size() + inlet.left()));
  }
  return outlet.finish();
}

std::uint64_t count_others(const std::vector<ArchiveMember>& members) {
  return static_cast<std::uint64_t>(std::ranges::count_if(members, [](const ArchiveMember& member) {
    return member.method != kStored && member.method != kDeflated;
  }));
}

}  // namespace

struct Archive::State {
  InputFile file;
  std::vector<ArchiveMember> members;
  Problems found;
  std::vector<ArchiveProblem> problems;  ///< those found, once the views are compared
  Unstreamable unstreamable;
  std::uint64_t others = 0;  ///< members of other methods than stored and deflate

  static Result<std::unique_ptr<State>> read(Result<InputFile> file) {
    if (!file) return file.error();
    Problems problems;
    const Result<EndOfDirectory> end = find_end(*file, problems);
    if (!end) return end.error();
    Result<std::vector<ArchiveMember>> members = read_directory(*file, *end, problems);
    if (!members) return members.error();
    Result<Unstreamable> unstreamable = walk_local_headers(*file, *end, *members, problems);
    if (!unstreamable) return unstreamable.error();
    const std::uint64_t others = count_others(*members);
    return std::make_unique<State>(State{std::move(*file),
                                         std::move(*members),
                                         std::move(problems),
                                         {},
                                         std::move(*unstreamable),
                                         others});
  }

  static Result<Archive> compared(Result<std::unique_ptr<State>> state) {
    if (!state) return state.error();
    Archive archive(std::move(*state));
    const Result<void> compared = archive.compare();
    if (!compared) return compared.error();
    return archive;
  }
};

Archive::Archive(std::unique_ptr<State> state) : state_(std::move(state)) {}
Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

Result<Archive> Archive::open(const std::string& path) {
  return State::compared(State::read(InputFile::open(path)));
}

Result<Archive> Archive::open_bytes(std::vector<std::uint8_t> bytes) {
  return State::compared(State::read(InputFile::of_bytes(ByteView(bytes))));
}

Result<Archive> Archive::open_uncompared(const std::string& path) {
  Result<std::unique_ptr<State>> state = State::read(InputFile::open(path));
  if (!state) return state.error();
  return Archive(std::move(*state));
}

Result<void> Archive::compare() {
  Result<void> compared = compare_second_view(state_->file, state_->members, state_->found);
  state_->problems = state_->found.take();
  return compared;
}

std::uint64_t Archive::file_size() const { return state_->file.size(); }
const std::vector<ArchiveMember>& Archive::members() const { return state_->members; }
const std::vector<ArchiveProblem>& Archive::problems() const { return state_->problems; }

Result<void> Archive::stream(std::size_t index, const std::function<bool(ByteView)>& sink,
                             const RoomOf& room) const {
  if (index >= state_->members.size()) {
    return Error(fmt::format("member {} of {}", index, state_->members.size()));
  }
  if (const auto why = state_->unstreamable.find(index); why != state_->unstreamable.end()) {
    return Error(why->second);
  }
  const ArchiveMember& member = state_->members[index];
  if ((member.flags & kFlagMasked) != 0) {
    return Error("is encrypted: its headers are masked (flag bit 13)");
  }
  if ((member.flags & kFlagEncrypted) != 0) return Error("is encrypted (flag bit 0)");
  constexpr std::uint16_t kFlagStrong = 1U << 6U;  // APPNOTE 4.4.4
  if ((member.flags & kFlagStrong) != 0) return Error("is strongly encrypted (flag bit 6)");
  constexpr std::uint16_t kFlagPatched = 1U << 5U;  // APPNOTE 4.4.4
  if ((member.flags & kFlagPatched) != 0) return Error("is compressed patched data (flag bit 5)");
  // The last version of APPNOTE; Python's zipfile, and so pip, refuses an archive with a later one.
  constexpr std::uint8_t kLatestVersion = 63;
  if (member.version_needed > kLatestVersion) {
    return Error(
        fmt::format("needs version {}.{} of the format to extract, expected 6.3 or earlier",
                    member.version_needed / 10, member.version_needed % 10));
  }
  Outlet outlet(member, sink);
  if (member.method == kStored || member.method == kDeflated) {
    BufferLease buffers;
    const Inlet inlet(state_->file, member);
    return member.method == kStored ? stream_stored(inlet, outlet, *buffers, room)
                                    : stream_deflated(inlet, outlet, *buffers, room);
  }
  if (!second_view_decodes(member.method)) {
    return Error(
        fmt::format("is compressed by method {}, which this build cannot decode", member.method));
  }
  // libzip reads the whole directory for each member that only it decodes. Few published archives
  // have any such member; the limit keeps a strange one from taking hours.
  if (state_->others * state_->members.size() > limits().method_work) {
    return Error(fmt::format(
        "is compressed by method {}, as are {} members of {}: more than are "
        "decoded{}",
        member.method, state_->others, state_->members.size(), limit_hint(&Limits::method_work)));
  }
  Result<void> given;
  Result<void> decoded = decode_by_second_view(state_->file, index, member, [&](ByteView bytes) {
    given = outlet.give(bytes);
    return given && !outlet.stopped();
  });
  if (!given) return given;
  if (!decoded) return decoded;
  return outlet.finish();
}

}  // namespace wheel_audit
