#include <array>

#include "wheel_audit/loader.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

// What glibc puts in place of the tokens (elf/dl-load.c, sysdeps): the library directory's name of
// the distribution, and AT_PLATFORM or its x86 refinement.
constexpr std::array<std::string_view, 6> kLib = {
    "lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib32", "lib/i386-linux-gnu"};
constexpr std::array<std::string_view, 6> kPlatform = {"x86_64", "haswell", "xeon_phi",
                                                       "i686",   "aarch64", "ppc64le"};

/// Replaces `$NAME` (not followed by a name character) and `${NAME}` once; false when neither
/// stands.
bool replace_token(std::string& text, std::string_view name, std::string_view value) {
  const std::string braced = "${" + std::string(name) + "}";
  const std::string plain = "$" + std::string(name);
  std::size_t at = text.find(braced);
  std::size_t length = braced.size();
  if (at == std::string::npos) {
    length = plain.size();
    for (at = text.find(plain); at != std::string::npos; at = text.find(plain, at + 1)) {
      const char next = at + length < text.size() ? text[at + length] : '/';
      const bool goes_on = (next >= 'A' && next <= 'Z') || (next >= 'a' && next <= 'z') ||
                           (next >= '0' && next <= '9') || next == '_';
      if (!goes_on) break;
    }
  }
  if (at == std::string::npos) return false;
  text.replace(at, length, value);
  return true;
}

/// Every text that comes of putting each of `values` in place of a token.
template <std::size_t N>
std::vector<std::string> expand(const std::vector<std::string>& texts, std::string_view name,
                                const std::array<std::string_view, N>& values, bool& found) {
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    std::string probe = text;
    if (!replace_token(probe, name, "")) {
      out.push_back(text);
      continue;
    }
    found = true;
    for (const std::string_view value : values) {
      std::string one = text;
      for (int times = 0; times < 4 && replace_token(one, name, value); ++times) continue;
      out.push_back(one);
    }
  }
  return out;
}

}  // namespace

SearchEntry search_entry(std::string_view text, std::string_view origin) {
  SearchEntry entry;
  entry.text = std::string(text);
  if (text.empty()) {
    entry.type = SearchEntry::Type::empty;
    return entry;
  }
  if (text.front() == '/') {
    entry.type = SearchEntry::Type::absolute;
    return entry;
  }
  constexpr std::string_view kMark = "\x01";
  std::string marked(text);
  if (!replace_token(marked, "ORIGIN", kMark) || !marked.starts_with(kMark)) return entry;
  std::vector<std::string> texts = {marked.substr(kMark.size())};
  texts = expand(texts, "LIB", kLib, entry.host_token);
  texts = expand(texts, "PLATFORM", kPlatform, entry.host_token);
  for (const std::string& rest : texts) {
    // `$ORIGINx` names a sibling whose name begins like the directory's: appended as text.
    entry.directories.push_back(normal_path(std::string(origin) + rest));
    // Any other `$` word is left as it stands, and is then relative to nothing that exists.
    if (rest.find('$') != std::string::npos)
      return {std::string(text), SearchEntry::Type::relative, false, {}};
  }
  entry.type = SearchEntry::Type::origin;
  return entry;
}

}  // namespace wheel_audit
