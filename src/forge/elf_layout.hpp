// Where the headers of an ELF image stand, and what the program headers say.
#pragma once

#include <string>
#include <vector>

#include "forge/elf_image.hpp"

namespace wheel_audit::forge {

/// A program header.
struct Header {
  std::string mark;  ///< prefix of its fields' names in "corrupt"
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t align = 0;
};

/// The places that the layout chose.
struct Layout {
  std::uint64_t base = 0;
  std::uint64_t headers_offset = 0;
  std::uint64_t section_headers = 0;
  std::vector<Header> headers;
};

inline std::uint64_t header_size(const Image& image) { return image.spec->machine.wide ? 64 : 52; }
inline std::uint64_t program_header_size(const Image& image) {
  return image.spec->machine.wide ? 56 : 32;
}
inline std::uint64_t section_header_size(const Image& image) {
  return image.spec->machine.wide ? 64 : 40;
}

/// Writes the lies that "corrupt" asks for over the finished file.
Result<void> corrupt_fields(const Image& image, const Layout& layout, Out& out);

}  // namespace wheel_audit::forge
