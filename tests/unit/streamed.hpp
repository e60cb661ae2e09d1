// A member as it streams by a range keeper.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wheel_audit/scan.hpp"

inline void stream(wheel_audit::RangeKeeper& keeper, const std::string& image, std::size_t chunk) {
  const wheel_audit::ByteView bytes{std::string_view(image)};
  for (std::size_t at = 0; at < image.size(); at += chunk) keeper.feed(bytes.clamp(at, chunk));
}

/// Bytes of no use.
inline std::string filler(std::size_t size) {
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 2654435761U >> 13U);
  return text;
}
