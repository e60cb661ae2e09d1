// By blocks, for what is looked through are the debug strings of unstripped libraries, hundreds of
// megabytes full of dots.
#include "scan/section_names.hpp"

#include <algorithm>

#include "scan/wide.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kStride = 4 * sizeof(Block);  ///< bytes tested between branches

WHEEL_AUDIT_WIDE std::size_t skip_to_own_name(const char* bytes, std::size_t at, std::size_t size) {
  Block first;
  Block second;
  Block third;
  for (; at + kStride + 2 <= size; at += kStride) {
    auto hits = Block{} != Block{};
    for (std::size_t i = at; i < at + kStride; i += sizeof(Block)) {
      load_block(bytes + i, first);       // NOLINT(*-pointer-arithmetic)
      load_block(bytes + i + 1, second);  // NOLINT(*-pointer-arithmetic)
      load_block(bytes + i + 2, third);   // NOLINT(*-pointer-arithmetic)
      hits |= (first == '.') & (second == 's') & (third == 'h');
    }
    if (any_of_block(hits)) break;
  }
  return at;
}

}  // namespace

std::size_t find_own_name(std::string_view bytes) {
  constexpr std::string_view kOwnName = ".shstrtab";
  for (std::size_t at = 0; at < bytes.size();) {
    at = skip_to_own_name(bytes.data(), at, bytes.size());
    const std::size_t end = std::min(bytes.size(), at + kStride);
    for (; at < end; ++at) {
      if (bytes[at] == '.' && bytes.substr(at, kOwnName.size()) == kOwnName) return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace wheel_audit
