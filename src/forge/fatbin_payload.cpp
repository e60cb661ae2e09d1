// Payloads of fat binary entries: the head of a cubin, the first lines of PTX, or noise.
#include <fmt/format.h>

#include <algorithm>

#include "forge/fatbin_entry.hpp"

namespace wheel_audit::forge {

namespace {

/// The header of a device ELF file. ABI version 7 carries the toolkit in e_version, 8 in a note.
Bytes cubin_header(const Entry& entry) {
  const bool in_header = entry.toolkit && !entry.note;
  const std::uint64_t version = in_header ? entry.toolkit->major * 10 + entry.toolkit->minor : 1;
  const std::uint64_t arch = entry.number();
  Out out;
  out.text(
      "\x7f"
      "ELF");
  out.u8(2);
  out.u8(1);
  out.u8(1);
  out.u8(in_header ? 0x33 : 0x41);
  out.u8(in_header ? 7 : 8);
  out.zeros(7);
  out.u16(2);
  out.u16(190);
  out.u32(version);
  out.zeros(24);
  out.u32(in_header ? (arch << 16U | 0x500U | arch) : (arch << 8U | 2U));
  out.u16(64);
  out.u16(56);
  out.u16(0);
  out.u16(64);
  out.u16(0);
  out.u16(0);
  if (entry.toolkit && entry.note) {
    // .note.nv.cuinfo, where CUDA 13 puts it: behind sections of no fixed size.
    out.zeros(40);
    out.u32(12);
    out.u32(8);
    out.u32(1000);
    out.text("NVIDIA Corp");
    out.u8(0);
    out.u16(2);
    out.u16(arch);
    out.u16(entry.toolkit->major * 10 + entry.toolkit->minor);
    out.u16(0);
  }
  return out.bytes;
}

/// Bytes that are no text and no magic, the same on every run.
Bytes noise(std::uint64_t size) {
  Bytes bytes(static_cast<std::size_t>(size));
  std::uint32_t state = 0x9e3779b9;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return bytes;
}

/// What an entry holds before padding. A compressed one is noise under the promised size.
Bytes payload_of(const Entry& entry) {
  if (!entry.compressed.empty()) return noise(std::max<std::uint64_t>(entry.bytes, 40));
  Bytes bytes = entry.kind == kPtx
                    ? to_bytes(fmt::format("//\n.version {}.{}\n.target sm_{}\n.address_size 64\n",
                                           entry.isa.major, entry.isa.minor, entry.word()))
                : entry.kind == kLto ? noise(40)
                                     : cubin_header(entry);
  const std::uint8_t filler = entry.kind == kPtx ? ' ' : 0;
  if (bytes.size() < entry.bytes) bytes.resize(static_cast<std::size_t>(entry.bytes), filler);
  return bytes;
}

}  // namespace

void write_entry(Out& out, const Entry& entry) {
  const Bytes payload = payload_of(entry);
  const bool compressed = !entry.compressed.empty();
  const std::uint64_t padded = (payload.size() + 7) / 8 * 8;
  out.u16(entry.kind);
  out.u16(0x0101);
  out.u32(64);
  out.u64(padded);
  out.u32(compressed ? payload.size() : 0);
  out.u32(0);
  out.u16(entry.isa.minor);
  out.u16(entry.isa.major);
  out.u32(entry.number());
  out.u32(0);
  out.u32(0);
  out.u64(entry.flags);
  out.u64(entry.kind == kLto ? 0x5eed5eed : 0);
  out.u64(compressed ? payload.size() * 4 : 0);
  out.raw(payload);
  out.pad(8);
}

}  // namespace wheel_audit::forge
