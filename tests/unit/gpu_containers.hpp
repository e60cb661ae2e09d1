// GPU containers made byte by byte, and what the scanner says of them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/gpu.hpp"

namespace made {

using namespace wheel_audit;

inline void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xffU);
}

struct EntrySpec {
  std::uint16_t kind = 2;
  std::uint32_t arch = 90;
  std::uint64_t flags = 0x2011;  // compressed: the payload is not looked at
  std::string payload = std::string(32, 'p');
  std::uint16_t major = 8;
  std::uint16_t minor = 0;
};

inline std::string entry(const EntrySpec& spec) {
  std::string out;
  put(out, spec.kind, 2);
  put(out, 0x101, 2);
  put(out, 64, 4);
  put(out, spec.payload.size(), 8);
  put(out, 0, 8);
  put(out, spec.minor, 2);
  put(out, spec.major, 2);
  put(out, spec.arch, 4);
  put(out, 0, 8);
  put(out, spec.flags, 8);
  out.append(16, '\0');
  return out + spec.payload;
}

inline std::string container_of(const std::string& entries, std::uint64_t size) {
  std::string out;
  put(out, 0xba55ed50U, 4);
  put(out, 1, 2);
  put(out, 16, 2);
  put(out, size, 8);
  return out + entries;
}

inline std::string container(const std::vector<EntrySpec>& specs) {
  std::string entries;
  for (const EntrySpec& spec : specs) entries += entry(spec);
  return container_of(entries, entries.size());
}

inline std::optional<GpuFacts> scan(std::string_view bytes, std::size_t chunk = 1 << 16,
                                    std::uint64_t alignment = 8,
                                    std::vector<Section> sections = {}) {
  GpuScanner scanner(bytes.size(), alignment);
  for (std::size_t at = 0; at < bytes.size(); at += chunk) {
    scanner.feed(ByteView(bytes.substr(at, chunk)));
  }
  return scanner.finish(sections);
}

/// `sass 9.0a x2/1`: form, arch, entries, containers.
inline std::string print(const GpuFacts& facts) {
  std::string out;
  for (const GpuCode& code : facts.code) {
    out += fmt::format("{}{} {} x{}/{}", out.empty() ? "" : ", ", code.form, code.arch,
                       code.entries, code.containers);
  }
  return out;
}

}  // namespace made
