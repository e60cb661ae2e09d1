// Headers inside fat binaries and cubins (docs/fatbin.md).
#include "scan/gpu_headers.hpp"

#include <algorithm>

namespace wheel_audit::gpu {

namespace {

constexpr std::uint16_t kCudaMachine = 190;  // EM_CUDA

}  // namespace

EntryHeader read_entry_header(ByteView bytes) {
  Cursor cursor(bytes);
  EntryHeader header;
  header.kind = cursor.u16();
  cursor.skip(2);
  header.header_size = cursor.u32();
  header.payload_size = cursor.u64();
  cursor.skip(8);  // compressed size, option block
  header.version_minor = cursor.u16();
  header.version_major = cursor.u16();
  header.arch = cursor.u32();
  cursor.skip(8);  // name
  header.flags = cursor.u64();
  return header;
}

CubinHeader read_cubin_header(ByteView bytes) {
  Cursor cursor(bytes);
  CubinHeader header;
  const ByteView ident = cursor.take(16);
  cursor.skip(2);  // e_type
  const std::uint16_t machine = cursor.u16();
  header.version = cursor.u32();
  cursor.skip(8);  // e_entry
  const std::uint64_t program_headers = cursor.u64();
  const std::uint64_t section_headers = cursor.u64();
  header.flags = cursor.u32();
  cursor.skip(2);  // e_ehsize
  const std::uint64_t program_size = std::uint64_t{cursor.u16()} * cursor.u16();
  const std::uint64_t section_size = std::uint64_t{cursor.u16()} * cursor.u16();
  if (!cursor) return header;
  const bool wide_little = ident[4] == 2 && ident[5] == 1 && ident[6] == 1;
  header.is_cubin = std::ranges::equal(ident.slice(0, 4)->span(), kElfMagic) && wide_little &&
                    machine == kCudaMachine;
  header.abi = ident[8];
  const auto end_of = [](std::uint64_t offset, std::uint64_t size) {
    return offset > ~std::uint64_t{0} - size ? ~std::uint64_t{0} : offset + size;
  };
  header.length =
      std::max(end_of(program_headers, program_size), end_of(section_headers, section_size));
  return header;
}

PackedVersion toolkit_of(std::uint32_t number) {
  return number < 100 || number > 999 ? 0 : pack(number / 10, number % 10);
}

PackedVersion toolkit_of(const CubinHeader& header) {
  return header.abi == 7 ? toolkit_of(header.version) : 0;
}

}  // namespace wheel_audit::gpu
