// ELF files that every test machine has: the test's own executable and the libraries it runs with.
#pragma once

#include <link.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "wheel_audit/bytes.hpp"

inline std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string own_executable() { return file_bytes("/proc/self/exe"); }

/// The bytes of a library that this process has loaded, by a part of its path.
inline std::string loaded_library(std::string_view part) {
  struct Search {
    std::string_view part;
    std::string path;
  } search{part, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto* found = static_cast<Search*>(data);
        const std::string_view path = info->dlpi_name;
        if (path.find(found->part) != std::string_view::npos) found->path = path;
        return 0;
      },
      &search);
  return file_bytes(search.path);
}

/// A little-endian number of an image.
inline std::uint64_t number(const std::string& image, std::size_t offset, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) {
    value = value << 8U | static_cast<unsigned char>(image.at(offset + i));
  }
  return value;
}

inline void put(std::string& image, std::size_t offset, std::size_t width, std::uint64_t value) {
  for (std::size_t i = 0; i < width; ++i) {
    image.at(offset + i) = static_cast<char>(value >> (8 * i) & 0xffU);
  }
}

/// Where the first program header of a type starts in a 64-bit image; 0 without one.
inline std::size_t program_header(const std::string& image, std::uint64_t type) {
  const std::size_t start = number(image, 32, 8);
  const std::size_t count = number(image, 56, 2);
  for (std::size_t i = 0; i < count; ++i) {
    if (number(image, start + 56 * i, 4) == type) return start + 56 * i;
  }
  return 0;
}

/// Where the value of a dynamic entry is in a 64-bit image; 0 without one.
inline std::size_t dynamic_value(const std::string& image, std::uint64_t tag) {
  const std::size_t header = program_header(image, 2);
  const std::size_t start = number(image, header + 8, 8);
  for (std::size_t i = 0; number(image, start + i, 8) != 0; i += 16) {
    if (number(image, start + i, 8) == tag) return start + i + 8;
  }
  return 0;
}

/// The file offset of an address in a 64-bit image; the address itself where nothing maps it.
inline std::size_t file_offset(const std::string& image, std::uint64_t address) {
  const std::size_t start = number(image, 32, 8);
  const std::size_t count = number(image, 56, 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t header = start + 56 * i;
    const std::uint64_t base = number(image, header + 16, 8);
    if (number(image, header, 4) != 1 || address < base) continue;
    if (address - base < number(image, header + 32, 8)) {
      return number(image, header + 8, 8) + (address - base);
    }
  }
  return address;
}
