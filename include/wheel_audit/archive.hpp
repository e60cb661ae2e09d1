// A wheel's archive: its members as the directory lists them, a walk over the raw structure beside
// libzip's view, and streams of decoded bytes. Follows PKWARE's APPNOTE 6.3 and the rules that
// the public index and installers publish. Nothing is ever unpacked to disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/bytes.hpp"
#include "wheel_audit/digest.hpp"
#include "wheel_audit/facts.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// One entry of the archive's directory.
struct ArchiveMember {
  std::string raw_name;  ///< bytes as stored
  std::string path;      ///< UTF-8; other bytes written `\xNN`
  bool utf8_name = true;
  std::uint64_t size = 0;
  std::uint64_t compressed = 0;
  std::uint64_t header_offset = 0;  ///< of the local header
  std::uint64_t data_offset = 0;    ///< of the stored bytes; 0 when the local header is not sound
  std::uint32_t crc32 = 0;
  std::uint32_t mode = 0;
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint8_t version_needed = 0;  ///< to extract: 20 means 2.0
  std::uint8_t host = 0;
  bool directory = false;
};

/// An opened archive. Members can be streamed from several threads at once.
class Archive {
 public:
  using RoomOf = std::function<std::span<std::uint8_t>()>;

  /// Opens and walks an archive, and compares it with the second reader's view; the error says why
  /// it is none.
  static Result<Archive> open(const std::string& path);
  /// The same for an archive in memory.
  static Result<Archive> open_bytes(std::vector<std::uint8_t> bytes);
  /// Opens and walks an archive; `compare` is still to be called. Meanwhile members can be streamed
  /// from other threads.
  static Result<Archive> open_uncompared(const std::string& path);
  /// Holds the second reader's view against it; the error is that of a file that cannot be read.
  Result<void> compare();
  ~Archive();
  Archive(Archive&&) noexcept;
  Archive& operator=(Archive&&) noexcept;

  /// Bytes of the whole file.
  std::uint64_t file_size() const;
  const std::vector<ArchiveMember>& members() const;
  /// What the raw walk and the comparison found, in order of offset; nothing before `compare`.
  const std::vector<ArchiveProblem>& problems() const;

  /// Streams the decoded bytes of a member, in order, in chunks; `sink` returns false to stop
  /// early. After the last byte, size and CRC-32 are compared with the directory; the error says
  /// what differs, or why the member cannot be decoded (encrypted, unknown method, broken stream).
  /// Never hands out more bytes than the directory promises. `room` is where to decode the next
  /// chunk to; it can be asked several times for one. Where it is empty, and of members of other
  /// methods than stored and deflate, chunks lie in buffers of the stream, which are good until the
  /// sink returns.
  Result<void> stream(std::size_t member, const std::function<bool(ByteView)>& sink,
                      const RoomOf& room = {}) const;

 private:
  struct State;
  explicit Archive(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The whole file's SHA-256 in hex.
Result<std::string> file_sha256(const std::string& path);

}  // namespace wheel_audit
