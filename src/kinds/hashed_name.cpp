#include "kinds/hashed_name.hpp"

namespace wheel_audit {

std::string without_hash(std::string_view name) {
  std::string plain(name);
  for (;;) {
    const std::size_t so = plain.find(".so");
    if (so == std::string::npos || so == 0) return plain;
    const std::size_t dash = plain.rfind('-', so - 1);
    if (dash == std::string::npos) return plain;
    const std::string hash = plain.substr(dash + 1, so - dash - 1);
    constexpr std::size_t kShortestHash = 8;  // auditwheel writes eight hex digits, others more
    if (hash.size() < kShortestHash ||
        hash.find_first_not_of("0123456789abcdef") != std::string::npos) {
      return plain;
    }
    plain.erase(dash, so - dash);
  }
}

}  // namespace wheel_audit
