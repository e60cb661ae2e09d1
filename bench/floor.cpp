// The floor that check is held against: inflate every member of the wheels with the same threads,
// compare its CRC-32, and keep nothing. The file is mapped, so no read is left to save; a member is
// one unit of work, largest first.
//
//     bench-floor [--sha256] THREADS WHEEL...      prints the bytes that it decoded
//
// --sha256 digests each member too. What differs or cannot be decoded is said on standard error,
// and the exit code is 1.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include "archive/inflate.hpp"
#include "wheel_audit/archive.hpp"

namespace {

using wheel_audit::ArchiveMember;
using wheel_audit::ByteView;

constexpr std::size_t kOutput = std::size_t{256} * 1024;  ///< stays in the second-level cache

/// A file's bytes, mapped; empty when that fails.
class Mapping {
 public:
  Mapping(const std::string& path, std::uint64_t size) : size_(size) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    void* start = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    if (start != MAP_FAILED) start_ = static_cast<const std::uint8_t*>(start);
  }
  ~Mapping() {
    if (start_ != nullptr) ::munmap(const_cast<std::uint8_t*>(start_), size_);  // NOLINT
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ByteView bytes() const { return start_ == nullptr ? ByteView{} : ByteView({start_, size_}); }

 private:
  const std::uint8_t* start_ = nullptr;
  std::uint64_t size_;
};

/// What one thread keeps from member to member.
struct Worker {
  bool hash = false;
  wheel_audit::Inflater inflater;
  std::vector<std::uint8_t> output = std::vector<std::uint8_t>(kOutput);
  std::uint64_t decoded = 0;

  /// Whether a member's stream has the size and the checksum that the directory promises.
  bool decode(ByteView stored, const ArchiveMember& member) {
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    std::optional<wheel_audit::Digest> digest;
    if (hash) digest = wheel_audit::Digest::named("sha256");
    const auto take = [&](ByteView bytes) {
      crc = wheel_audit::crc32_of(crc, bytes);
      if (digest) digest->update(bytes);
      size += bytes.size();
    };
    if (member.method == 0) {
      for (std::uint64_t at = 0; at < stored.size(); at += kOutput) take(stored.clamp(at, kOutput));
    } else {
      inflater.restart();
      for (std::uint64_t at = 0;;) {
        const auto step = inflater.step(stored.clamp(at, 1U << 30U), output);
        if (!step || (step->consumed == 0 && step->produced == 0 && !step->ended)) return false;
        at += step->consumed;
        take(ByteView(std::span<const std::uint8_t>(output).first(step->produced)));
        if (step->ended) break;
      }
    }
    if (digest && digest->hex().empty()) return false;
    decoded += size;
    return size == member.size && crc == member.crc32;
  }
};

/// A member of one of the wheels.
struct Job {
  const std::string* path;
  ByteView file;
  const ArchiveMember* member;
};

/// Decodes the jobs, largest first, over the workers, a thread each; counts those that fail.
std::uint64_t decode(std::vector<Job> jobs, std::vector<Worker>& workers) {
  std::sort(jobs.begin(), jobs.end(),
            [](const Job& a, const Job& b) { return a.member->size > b.member->size; });
  std::atomic<std::size_t> next = 0;
  std::atomic<std::uint64_t> failed = 0;
  const auto work = [&](Worker& worker) {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      const ArchiveMember& member = *jobs[i].member;
      const auto stored = jobs[i].file.slice(member.data_offset, member.compressed);
      if (stored && worker.decode(*stored, member)) continue;
      fmt::print(stderr, "bench-floor: {}: {} cannot be decoded\n", *jobs[i].path, member.path);
      ++failed;
    }
  };
  std::vector<std::thread> pool;
  for (std::size_t i = 1; i < workers.size(); ++i) pool.emplace_back(work, std::ref(workers[i]));
  work(workers.front());
  for (std::thread& thread : pool) thread.join();
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);  // NOLINT(*-pointer-arithmetic)
  const bool hash = !arguments.empty() && arguments.front() == "--sha256";
  if (hash) arguments.erase(arguments.begin());
  std::size_t threads = 0;
  if (!arguments.empty()) {
    const std::string& text = arguments.front();
    std::from_chars(text.data(), text.data() + text.size(), threads);  // NOLINT
  }
  if (arguments.size() < 2 || threads == 0) {
    fmt::print(stderr, "usage: bench-floor [--sha256] THREADS WHEEL...\n");
    return 2;
  }
  std::vector<Worker> workers(threads);
  for (Worker& worker : workers) worker.hash = hash;
  std::vector<wheel_audit::Archive> archives;
  std::list<Mapping> mappings;
  std::vector<Job> jobs;
  std::uint64_t failed = 0;
  archives.reserve(arguments.size());
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    auto archive = wheel_audit::Archive::open(arguments[i]);
    if (!archive) {
      fmt::print(stderr, "bench-floor: {}: {}\n", arguments[i], archive.error().message());
      ++failed;
      continue;
    }
    archives.push_back(std::move(*archive));
    const Mapping& mapping = mappings.emplace_back(arguments[i], archives.back().file_size());
    for (const ArchiveMember& member : archives.back().members()) {
      jobs.push_back({&arguments[i], mapping.bytes(), &member});
    }
  }
  failed += decode(std::move(jobs), workers);
  std::uint64_t decoded = 0;
  for (const Worker& worker : workers) decoded += worker.decoded;
  fmt::print("{}\n", decoded);
  return failed == 0 ? 0 : 1;
}
