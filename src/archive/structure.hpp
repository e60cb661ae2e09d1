// The raw structure of a ZIP archive (PKWARE's APPNOTE 6.3, section 4.3), read without any other
// library: end records, the directory, and every local header from byte 0. What allows two readings
// is put down as a problem; only an archive without a usable directory is an error.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/input_file.hpp"
#include "wheel_audit/archive.hpp"

namespace wheel_audit {

inline constexpr std::uint32_t kLocalSignature = 0x04034b50;
inline constexpr std::uint32_t kDirectorySignature = 0x02014b50;
inline constexpr std::uint32_t kEndSignature = 0x06054b50;
inline constexpr std::uint32_t kEnd64Signature = 0x06064b50;
inline constexpr std::uint32_t kLocatorSignature = 0x07064b50;
inline constexpr std::uint32_t kDescriptorSignature = 0x08074b50;

/// "The real number is in the ZIP64 extra".
inline constexpr std::uint32_t kPlaceholder32 = 0xffffffff;
inline constexpr std::uint16_t kPlaceholder16 = 0xffff;

inline constexpr std::uint16_t kFlagEncrypted = 1U << 0U;
inline constexpr std::uint16_t kFlagDescriptor = 1U << 3U;
inline constexpr std::uint16_t kFlagUtf8 = 1U << 11U;
inline constexpr std::uint16_t kFlagMasked = 1U << 13U;

inline constexpr std::uint16_t kStored = 0;
inline constexpr std::uint16_t kDeflated = 8;

/// A name between quotes that cannot rewrite a terminal, shortened when it is very long.
std::string quoted(std::string_view name);

/// Problems as they are found, in no order yet, and no more of them than a report can use.
class Problems {
 public:
  void add(std::string_view code, std::uint64_t offset, std::optional<std::string> where,
           std::string message);
  void ambiguous(std::uint64_t offset, std::optional<std::string> where, std::string message) {
    add("ambiguous", offset, std::move(where), std::move(message));
  }
  bool empty() const { return list_.empty(); }
  /// The problems in order of offset.
  std::vector<ArchiveProblem> take();

 private:
  std::vector<ArchiveProblem> list_;
  std::uint64_t left_out_ = 0;
};

/// What the end records say of the directory; offsets have the shift applied.
struct EndOfDirectory {
  std::uint64_t limit = 0;  ///< offset of the first of the end records
  std::uint64_t entries = 0;
  std::uint64_t offset = 0;  ///< of the directory
  std::uint64_t size = 0;    ///< of the directory, in bytes
  std::uint64_t shift = 0;   ///< bytes before the archive that no offset in it counts
};

/// Finds the last end record that leads to a directory.
Result<EndOfDirectory> find_end(const InputFile& file, Problems& problems);

/// Numbers of a header that a ZIP64 extra may replace.
struct Zip64Fields {
  std::uint64_t size = 0;
  std::uint64_t compressed = 0;
  std::uint64_t header_offset = 0;  ///< of the directory only
  std::uint32_t disk = 0;           ///< of the directory only
};

/// The header that an extra field belongs to, for its problems.
struct ExtraContext {
  bool local = false;
  std::uint64_t offset = 0;  ///< of the header
  std::uint16_t method = 0;
  std::string_view name;
  const std::string* where = nullptr;
};

/// Reads an extra field: puts ZIP64 numbers in place of placeholders and records what is wrong.
void read_extra(ByteView extra, const ExtraContext& context, Zip64Fields& fields,
                Problems& problems);

/// Reads every entry of the directory; a directory that breaks off half-way is an error.
Result<std::vector<ArchiveMember>> read_directory(const InputFile& file, const EndOfDirectory& end,
                                                  Problems& problems);

/// Why members cannot be streamed, by index.
using Unstreamable = std::map<std::size_t, std::string>;

/// Walks local headers and member data from byte 0 to the directory, compares them with the
/// members, and sets each `data_offset`.
Result<Unstreamable> walk_local_headers(const InputFile& file, const EndOfDirectory& end,
                                        std::vector<ArchiveMember>& members, Problems& problems);

}  // namespace wheel_audit
