// What of a library's name lasts from build to build: repair tools write hashes into it, compilers
// the Python ABI.
#include "base/lasting_name.hpp"

#include <algorithm>
#include <vector>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The end of a hash that begins at `begin`, or `begin` where none does: eight or more hex digits
/// (auditwheel writes eight) up to a dot or a dash.
std::size_t hash_end(const std::string& name, std::size_t begin) {
  constexpr std::size_t kShortestHash = 8;
  const std::size_t end = std::min(name.find_first_not_of("0123456789abcdef", begin), name.size());
  const bool ends = end < name.size() && (name[end] == '.' || name[end] == '-');
  return ends && end - begin >= kShortestHash ? end : begin;
}

}  // namespace

std::string without_hash(std::string_view name) {
  std::string plain(name);
  // delocate and torch's own script put the hash behind a dot: `libcudart.3eda8113.so.13`.
  for (std::size_t at = plain.find_first_of("-."); at != std::string::npos;
       at = plain.find_first_of("-.", at)) {
    const std::size_t end = hash_end(plain, at + 1);
    if (end == at + 1) {
      ++at;
    } else {
      plain.erase(at, end - at);
    }
  }
  return plain;
}

std::string plain_name(std::string_view name) {
  const std::string whole = without_hash(name);
  const std::size_t at = whole.find(".so");
  return at == std::string::npos ? whole : whole.substr(0, at + 3);
}

std::string without_abi_tag(std::string_view path) {
  static const std::vector<std::string> kTags = {"cpython-*", "pypy[0-9]*", "graalpy*",
                                                 "abi3",      "abi3t",      "cp[0-9]*-*"};
  if (!path.ends_with(".so") && !path.ends_with(".pyd")) return std::string(path);
  const std::string_view name = base_name(path);
  std::vector<std::string> kept;
  for (const std::string_view part : split(name, '.')) {
    if (kept.empty() || !matches_any(kTags, part)) kept.emplace_back(part);
  }
  return std::string(path.substr(0, path.size() - name.size())) + join(kept, ".");
}

std::string lasting_path(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(path, '/')) parts.push_back(without_hash(part));
  for (const std::string_view suffix : {".dist-info", ".data"}) {
    const std::size_t dash = parts.front().find('-');
    if (parts.front().ends_with(suffix) && dash != std::string::npos)
      parts.front().replace(dash, std::string::npos, suffix);
  }
  return join(parts, "/");
}

}  // namespace wheel_audit
