// One search entry: its dynamic string tokens and the directories that it can mean. Follows
// is_dst() and _dl_dst_substitute() in glibc's elf/dl-load.c, and fixup_rpath() in musl's
// ldso/dynlink.c.
#include <algorithm>
#include <array>
#include <span>

#include "loader/entries.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The values of a token on hosts of a machine (the platform tag's word).
struct HostValues {
  std::string_view machine;
  std::string_view values;  ///< with spaces between them
};

// $LIB is the library directory that glibc was configured with (slibdir): `lib64` on Fedora, RHEL
// and SUSE, the multiarch triplet on Debian and Ubuntu, `lib` on Arch, and on RISC-V the ABI's own
// directory (sysdeps/unix/sysv/linux/riscv/configure).
constexpr std::array<HostValues, 8> kLib = {{
    {"x86_64", "lib64 lib/x86_64-linux-gnu lib"},
    {"aarch64", "lib64 lib/aarch64-linux-gnu lib"},
    {"i686", "lib lib/i386-linux-gnu lib32"},
    {"armv7l", "lib lib/arm-linux-gnueabihf"},
    {"ppc64le", "lib64 lib/powerpc64le-linux-gnu lib"},
    {"s390x", "lib64 lib/s390x-linux-gnu lib"},
    {"riscv64", "lib64/lp64d lib/riscv64-linux-gnu lib64 lib"},
    {"loongarch64", "lib64 lib/loongarch64-linux-gnu lib"},
}};

// $PLATFORM is AT_PLATFORM of the kernel (ELF_PLATFORM in arch/*/include/asm/elf.h; for s390
// arch/s390/kernel/processor.c, for POWER the table of cpu_specs), which glibc overrides on Intel
// processors (sysdeps/x86/cpu-features.c). RISC-V kernels give none.
constexpr std::array<HostValues, 7> kPlatform = {{
    {"x86_64", "x86_64 haswell xeon_phi"},
    {"aarch64", "aarch64"},
    {"i686", "i686 i586 i486 i386"},
    {"armv7l", "v7l v8l"},
    {"ppc64le", "power8 power9 power10 power11"},
    {"s390x", "z900 z990 z9-109 z10 z196 zEC12 z13 z14 z15 z16 z17"},
    {"loongarch64", "loongarch"},
}};

enum class Token : std::uint8_t { none, origin, lib, platform };

struct FoundToken {
  Token token = Token::none;
  std::size_t length = 1;  ///< with the `$`; of `none` the `$` alone
};

bool goes_on(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// The token that `text`, which starts with `$`, starts with.
FoundToken token_at(std::string_view text, Libc libc) {
  // musl compares a prefix only: `$ORIGINAL` is the origin with `AL` after it.
  if (libc == Libc::musl) {
    if (text.starts_with("$ORIGIN")) return {Token::origin, 7};
    if (text.starts_with("${ORIGIN}")) return {Token::origin, 9};
    return {};
  }
  struct Word {
    std::string_view name;
    Token token;
  };
  constexpr std::array<Word, 3> kWords = {
      {{"ORIGIN", Token::origin}, {"LIB", Token::lib}, {"PLATFORM", Token::platform}}};
  const bool braces = text.starts_with("${");
  const std::string_view rest = text.substr(braces ? 2 : 1);
  for (const Word& word : kWords) {
    if (!rest.starts_with(word.name)) continue;
    const std::size_t length = word.name.size();
    if (braces && rest.substr(length).starts_with('}')) return {word.token, length + 3};
    if (!braces && !goes_on(rest, length)) return {word.token, length + 1};
  }
  return {};
}

std::vector<std::string_view> values_of(std::span<const HostValues> table,
                                        std::string_view machine) {
  std::vector<std::string_view> values;
  for (const HostValues& row : table) {
    if (!machine.empty() && row.machine != machine) continue;
    for (const std::string_view value : split(row.values, ' ')) {
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
  }
  return values;
}

struct Values {
  std::string_view origin;
  std::string_view lib;
  std::string_view platform;
};

/// The directory that an entry which starts with the origin means. One that names the origin
/// again would need a prefix below itself: like any place outside, it starts with `..`.
std::string directory_of(std::string_view text, const Values& values, Libc libc) {
  const std::size_t begin = token_at(text, libc).length;
  std::string out(values.origin);
  if (out.empty()) out = begin == text.size() || text[begin] == '/' ? "." : "../";
  for (std::size_t at = begin; at < text.size();) {
    const std::size_t dollar = std::min(text.find('$', at), text.size());
    out += text.substr(at, dollar - at);
    if (dollar == text.size()) break;
    const FoundToken found = token_at(text.substr(dollar), libc);
    if (found.token == Token::origin) return "../" + normal_path(text);
    if (found.token == Token::lib) out += values.lib;
    if (found.token == Token::platform) out += values.platform;
    if (found.token == Token::none) out += '$';
    at = dollar + found.length;
  }
  return normal_path(out);
}

/// A directory with the site-packages of one Python written as that of the model.
std::string with_site_packages(std::string directory, std::string_view python) {
  if (python.empty()) return directory;
  const std::string own = "lib/" + std::string(python) + "/site-packages";
  const bool is_own = directory == own || directory.starts_with(own + "/");
  return is_own ? std::string(kSitePackages) + directory.substr(own.size()) : directory;
}

struct Uses {
  bool lib = false;
  bool platform = false;
};

Uses tokens_in(std::string_view text, Libc libc) {
  Uses uses;
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const Token token = token_at(text.substr(at), libc).token;
    uses.lib = uses.lib || token == Token::lib;
    uses.platform = uses.platform || token == Token::platform;
  }
  return uses;
}

}  // namespace

SearchEntry search_entry(std::string_view text, std::string_view origin, const Reader& reader) {
  // Linux opens no longer path, so such an entry finds nothing under any value.
  constexpr std::size_t kPathMax = 4096;
  SearchEntry entry;
  entry.text = text;
  const Uses uses = tokens_in(text, reader.libc);
  entry.host_token = uses.lib || uses.platform;
  if (text.empty()) {
    entry.type = SearchEntry::Type::empty;
  } else if (text.starts_with('$') && token_at(text, reader.libc).token == Token::origin) {
    entry.type = SearchEntry::Type::origin;
  } else {
    entry.type = text.starts_with('/') ? SearchEntry::Type::absolute : SearchEntry::Type::relative;
  }
  if (entry.type != SearchEntry::Type::origin) return entry;

  std::vector<std::string_view> libs;
  std::vector<std::string_view> platforms;
  if (uses.lib && text.size() <= kPathMax) libs = values_of(kLib, reader.machine);
  if (uses.platform && text.size() <= kPathMax) platforms = values_of(kPlatform, reader.machine);
  // A token without a known value stays as written, which no directory is named.
  if (libs.empty()) libs.emplace_back("$LIB");
  if (platforms.empty()) platforms.emplace_back("$PLATFORM");
  for (const std::string_view lib : libs) {
    for (const std::string_view platform : platforms) {
      const Values values = {.origin = origin, .lib = lib, .platform = platform};
      std::string directory =
          with_site_packages(directory_of(text, values, reader.libc), reader.python);
      if (std::ranges::find(entry.directories, directory) == entry.directories.end()) {
        entry.directories.push_back(std::move(directory));
      }
    }
  }
  return entry;
}

SearchEntry search_entry(std::string_view text, std::string_view origin) {
  return search_entry(text, origin, Reader{});
}

SearchEntry search_entry(std::string_view text, const Placed& library) {
  Reader reader;
  if (library.wheel != nullptr) reader.python = only_python(*library.wheel);
  return search_entry(text, directory_name(library.path), reader);
}

bool has_unknown_token(std::string_view text, Libc libc) {
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    if (token_at(text.substr(at), libc).token == Token::none) return true;
  }
  return false;
}

}  // namespace wheel_audit
