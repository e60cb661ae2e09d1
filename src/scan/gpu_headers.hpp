// The headers of GPU containers, of their entries and of cubins. Layout: docs/fatbin.md.
#pragma once

#include <cstdint>

#include "scan/gpu_container.hpp"

namespace wheel_audit::gpu {

// Their bytes.
inline constexpr std::uint8_t kContainerHeader = 16;
inline constexpr std::uint8_t kEntryHeader = 64;
inline constexpr std::uint8_t kElfHeader = 64;

/// The fields of an entry's header that are judged.
struct EntryHeader {
  std::uint16_t kind = 0;
  std::uint32_t header_size = 0;
  std::uint64_t payload_size = 0;
  std::uint16_t version_minor = 0;
  std::uint16_t version_major = 0;
  std::uint32_t arch = 0;
  std::uint64_t flags = 0;
};

/// Reads kEntryHeader bytes.
EntryHeader read_entry_header(ByteView bytes);

/// The fields of a cubin's ELF header that tell its architecture, toolkit and length.
struct CubinHeader {
  bool is_cubin = false;
  std::uint8_t abi = 0;
  std::uint32_t version = 0;
  std::uint32_t flags = 0;
  std::uint64_t length = 0;  ///< up to the end of its last header table
};

/// Reads kElfHeader bytes; not a cubin where they are another file's.
CubinHeader read_cubin_header(ByteView bytes);

/// A toolkit as cubins write it, major * 10 + minor: 128 is 12.8. 0 for what is none.
PackedVersion toolkit_of(std::uint32_t number);

/// ABI version 7 carries the toolkit in e_version; 0 for others.
PackedVersion toolkit_of(const CubinHeader& header);

}  // namespace wheel_audit::gpu
