// libzip over our own descriptor: its source callbacks read by offset, so that handles of several
// threads share nothing. The only file that includes libzip.
#include "archive/second_view.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace wheel_audit {

namespace {

/// What libzip's callbacks work on; outlives the archive handle.
struct Source {
  explicit Source(const InputFile& input) : file(&input), window(input) { zip_error_init(&error); }

  const InputFile* file;
  Window window;
  std::uint64_t position = 0;
  zip_error_t error{};
};

zip_int64_t read_source(Source& source, void* data, zip_uint64_t length) {
  std::size_t filled = 0;
  // Small reads come from the window; a large one, of member data, goes through it in pieces.
  constexpr std::uint64_t kPiece = std::uint64_t{64} * 1024;
  while (filled < length) {
    const ByteView piece =
        source.window.at(source.position, std::min<std::uint64_t>(length - filled, kPiece));
    if (!source.window.state()) {
      zip_error_set(&source.error, ZIP_ER_READ, EIO);
      return -1;
    }
    if (piece.empty()) break;
    std::memcpy(static_cast<std::uint8_t*>(data) + filled, piece.data(),  // NOLINT(*-pointer-*)
                static_cast<std::size_t>(piece.size()));
    filled += static_cast<std::size_t>(piece.size());
    source.position += piece.size();
  }
  return static_cast<zip_int64_t>(filled);
}

zip_int64_t seek_source(Source& source, void* data, zip_uint64_t length) {
  const zip_int64_t to = zip_source_seek_compute_offset(source.position, source.file->size(), data,
                                                        length, &source.error);
  if (to < 0) return -1;
  source.position = static_cast<std::uint64_t>(to);
  return 0;
}

zip_int64_t stat_source(Source& source, void* data) {
  auto* status = static_cast<zip_stat_t*>(data);
  zip_stat_init(status);
  status->size = source.file->size();
  status->valid = ZIP_STAT_SIZE;
  return static_cast<zip_int64_t>(sizeof(zip_stat_t));
}

zip_int64_t source_callback(void* state, void* data, zip_uint64_t length,
                            zip_source_cmd_t command) {
  Source& source = *static_cast<Source*>(state);
  switch (command) {
    case ZIP_SOURCE_OPEN:
      source.position = 0;
      return 0;
    case ZIP_SOURCE_READ:
      return read_source(source, data, length);
    case ZIP_SOURCE_SEEK:
      return seek_source(source, data, length);
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(source.position);
    case ZIP_SOURCE_STAT:
      return stat_source(source, data);
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&source.error, data, length);
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      zip_error_set(&source.error, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Handle = std::unique_ptr<zip_t, CloseArchive>;

Error take_error(zip_error_t& error) {
  Error taken{std::string(zip_error_strerror(&error))};
  zip_error_fini(&error);
  return taken;
}

/// Opens the archive; `source` must outlive the handle.
Result<Handle> open_handle(Source& source) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* raw = zip_source_function_create(source_callback, &source, &error);
  if (raw == nullptr) return take_error(error);
  Handle handle(zip_open_from_source(raw, ZIP_RDONLY, &error));
  if (!handle) {
    zip_source_free(raw);
    return take_error(error);
  }
  zip_error_fini(&error);
  return handle;
}

/// What libzip sees differently of a member, or an empty string.
std::string difference(zip_t* archive, std::size_t index, const ArchiveMember& member) {
  const char* name = zip_get_name(archive, index, ZIP_FL_ENC_RAW);
  if (name == nullptr || member.raw_name != name) {
    return fmt::format("the name {}", quoted(name == nullptr ? "" : name));
  }
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive, index, 0, &status) != 0) return "no such member";
  if (status.size != member.size) {
    return fmt::format("a size of {}, the directory says {}", status.size, member.size);
  }
  if (status.comp_size != member.compressed) {
    return fmt::format("a compressed size of {}, the directory says {}", status.comp_size,
                       member.compressed);
  }
  return {};
}

}  // namespace

Result<void> compare_second_view(const InputFile& file, const std::vector<ArchiveMember>& members,
                                 Problems& problems) {
  // libzip takes a file of an end record alone for one; so do we, and there is nothing to compare.
  Source source(file);
  const Result<Handle> handle = open_handle(source);
  if (!source.window.state()) return source.window.state().error();
  if (!handle) {
    if (!problems.empty()) return {};
    problems.ambiguous(
        0, std::nullopt,
        fmt::format("another reader (libzip) refuses the archive: {}", handle.error().message()));
    return {};
  }
  const zip_int64_t count = zip_get_num_entries(handle->get(), 0);
  if (count < 0 || static_cast<std::uint64_t>(count) != members.size()) {
    problems.ambiguous(0, std::nullopt,
                       fmt::format("another reader (libzip) sees {} members, the directory has {}",
                                   count, members.size()));
    return {};
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string what = difference(handle->get(), i, members[i]);
    if (what.empty()) continue;
    if (!source.window.state()) return source.window.state().error();
    problems.ambiguous(members[i].header_offset, members[i].path,
                       fmt::format("another reader (libzip) sees {}", what));
    return {};
  }
  return {};
}

bool second_view_decodes(std::uint16_t method) {
  return zip_compression_method_supported(method, 0) != 0;
}

Result<void> decode_by_second_view(const InputFile& file, std::size_t index,
                                   const ArchiveMember& member,
                                   const std::function<bool(ByteView)>& sink) {
  Source source(file);
  const Result<Handle> handle = open_handle(source);
  if (!handle) return handle.error().in("libzip");
  zip_t* archive = handle->get();
  const std::string what = difference(archive, index, member);
  if (!what.empty()) return Error(fmt::format("libzip sees {}", what));
  const std::unique_ptr<zip_file_t, CloseFile> opened(zip_fopen_index(archive, index, 0));
  if (!opened) return Error(fmt::format("libzip: {}", zip_strerror(archive)));
  std::vector<std::uint8_t> buffer(std::size_t{256} * 1024);
  for (;;) {
    const zip_int64_t count = zip_fread(opened.get(), buffer.data(), buffer.size());
    if (count < 0) return Error(fmt::format("libzip: {}", zip_file_strerror(opened.get())));
    if (count == 0) return {};
    const auto filled =
        std::span<const std::uint8_t>(buffer).first(static_cast<std::size_t>(count));
    if (!sink(ByteView(filled))) return {};
  }
}

}  // namespace wheel_audit
