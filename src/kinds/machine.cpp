// Questions about what machine and C library an ELF file is for.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kinds/groups.hpp"
#include "kinds/machine_words.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/variant.hpp"

namespace wheel_audit {

namespace {

/// Whether an Arm file passes floats in integer registers, by its own word (EF_ARM_ABI_FLOAT_SOFT
/// without EF_ARM_ABI_FLOAT_HARD). Most libraries have neither flag.
bool says_soft_float(const ElfFacts& elf) {
  constexpr std::uint32_t kSoft = 0x200;
  constexpr std::uint32_t kHard = 0x400;
  return elf.machine == "armv7l" && (elf.flags & (kSoft | kHard)) == kSoft;
}

std::string describe(const ElfFacts& elf) {
  return fmt::format("{}-bit {}-endian {}, e_flags {:#x}", elf.bits,
                     elf.big_endian ? "big" : "little", elf.machine, elf.flags) +
         (says_soft_float(elf) ? " (soft-float)" : "");
}

/// Whether the file is for a tag's machine. What a word that is none means is not known.
bool fits(const ElfFacts& elf, const PlatformTag& tag) {
  const std::string_view machine = tag.machine;
  const MachineWord* word = machine_word(machine);
  // The C libraries that tags promise are hard-float; a plain `linux_armv7l` promises none.
  if (!tag.libc.empty() && says_soft_float(elf)) return false;
  if (word == nullptr) return true;
  // ELFv2 may leave its version field at zero in objects without code that depends on it.
  const std::uint32_t flags = elf.flags & word->flags_mask;
  const bool flags_fit = flags == word->flags_value || (machine == "ppc64le" && flags == 0);
  return elf.machine == word->machine && elf.bits == word->bits &&
         elf.big_endian == word->big_endian && flags_fit;
}

std::string words_of(const std::vector<PlatformTag>& tags) {
  std::vector<std::string> words;
  for (const PlatformTag& tag : tags) {
    if (std::ranges::find(words, tag.machine) == words.end()) words.push_back(tag.machine);
  }
  return join(words, " or ");
}

/// The needs of others for a file: that they do not find it is the same fault.
std::vector<std::pair<std::optional<std::string>, std::string>> needs_for(const Subject& subject,
                                                                          const ElfFacts& elf) {
  std::vector<std::pair<std::optional<std::string>, std::string>> needs;
  for (const ElfFacts& other : subject.wheel.elves) {
    for (const std::string& need : other.needed) {
      if (!need.empty() && (need == elf.soname || need == base_name(elf.path)))
        needs.emplace_back(other.path, need);
    }
  }
  return needs;
}

/// `elf.machine`: ELF files of another machine than the tags'.
Check machine(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!is_linux(subject)) return Looked::nothing;
    Looked looked = Looked::nothing;
    std::vector<const ElfFacts*> elves = judged_elves(subject);
    for (const ElfFacts& elf : subject.wheel.elves) {
      // Device code is no fault, but not under the name of a module.
      if (!elf.is_host() && is_named_extension(elf.path)) elves.push_back(&elf);
    }
    for (const ElfFacts* elf : elves) {
      looked = Looked::something;
      const bool some = std::ranges::any_of(
          subject.tags(), [&](const PlatformTag& tag) { return fits(*elf, tag); });
      if (some) continue;
      report({.where = elf->path,
              .message = fmt::format("is for {}; the platform tag says {}", describe(*elf),
                                     words_of(subject.tags())),
              .evidence = {{"found", describe(*elf)}, {"expected", words_of(subject.tags())}},
              .subject = {},
              .fix = {},
              .covers = needs_for(subject, *elf)});
    }
    // Each tag of a compressed set is a promise of its own.
    for (const PlatformTag& tag : subject.tags()) {
      const bool served =
          std::ranges::any_of(elves, [&](const ElfFacts* elf) { return fits(*elf, tag); });
      const auto first = std::ranges::find_if(elves, [&](const ElfFacts* elf) {
        return std::ranges::any_of(subject.tags(), [&](const PlatformTag& other) {
          return other.machine != tag.machine && fits(*elf, other);
        });
      });
      if (served || first == elves.end()) continue;
      report({.where = (*first)->path,
              .message = fmt::format("is for {}, and no native file of the wheel is for {}, which "
                                     "the tag {} says",
                                     describe(**first), tag.machine, tag.tag),
              .evidence = {{"found", describe(**first)}, {"expected", tag.machine}},
              .subject = tag.machine,
              .fix = {}});
    }
    return looked;
  };
}

/// The C library that an object was linked against, by its needs and its program loader.
std::optional<Libc> libc_of(const ElfFacts& elf) {
  const auto names_musl = [](std::string_view name) {
    return name.starts_with("libc.musl-") || name.starts_with("ld-musl-") || name == "libc.so";
  };
  const auto names_glibc = [](std::string_view name) {
    return name == "libc.so.6" || name.starts_with("ld-linux");
  };
  if (elf.interpreter) {
    if (names_musl(base_name(*elf.interpreter))) return Libc::musl;
    if (names_glibc(base_name(*elf.interpreter))) return Libc::glibc;
  }
  for (const std::string& need : elf.needed) {
    if (names_glibc(need)) return Libc::glibc;
    if (names_musl(need)) return Libc::musl;
  }
  const bool versioned = std::ranges::any_of(elf.version_needs, [](const VersionNeed& need) {
    return need.version.starts_with("GLIBC_") && !need.weak;
  });
  return versioned ? std::optional(Libc::glibc) : std::nullopt;
}

/// `elf.libc`: ELF files linked against a C library that the tags do not name.
Check c_library(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!tags_promise(subject)) return Looked::nothing;
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      const std::optional<Libc> found = libc_of(*elf);
      if (!found) continue;
      looked = Looked::something;
      const bool named = std::ranges::find(subject.libcs(), *found) != subject.libcs().end();
      // A file for one C library in a wheel for both breaks on the other.
      if (named && subject.libcs().size() == 1) continue;
      const std::string_view word = *found == Libc::musl ? "musl" : "glibc";
      // That its C library is not there is the same fault.
      std::vector<std::pair<std::optional<std::string>, std::string>> covers;
      for (const std::string& need : elf->needed) {
        if (is_c_library(need)) covers.emplace_back(elf->path, need);
      }
      report({.where = elf->path,
              .message = fmt::format("is linked against {}; the platform tag says {}", word,
                                     join(subject.wheel.name->platform, ".")),
              .evidence = {{"found", std::string(word)},
                           {"expected", subject.libcs().size() > 1 ? "either C library"
                                        : *found == Libc::musl     ? "glibc"
                                                                   : "musl"}},
              .subject = {},
              .fix = {},
              .covers = std::move(covers)});
    }
    return looked;
  };
}

/// The x86-64 level that the variant label promises (`x86_64 :: level`: of several, any fits, so
/// the lowest); 1, the baseline, where it promises none.
int promised_level(const WheelFacts& wheel) {
  int level = 0;
  for (const VariantProperty& property : wheel.variant_properties) {
    if (property.space != "x86_64" || property.feature != "level") continue;
    for (const std::string& value : property.values) {
      const int one = parse_x86_64_level(value).value_or(1);
      level = level == 0 ? one : std::min(level, one);
    }
  }
  return std::max(level, 1);
}

/// The level of a property note's word: 3 of `x86-64-v3`; 0 of another.
int level_of(std::string_view word) {
  constexpr std::string_view kBefore = "x86-64-v";
  const bool known =
      word.size() == kBefore.size() + 1 && word.starts_with(kBefore) && is_digit(word.back());
  return known ? word.back() - '0' : 0;
}

/// The level of the `glibc-hwcaps` directory that a file lies in, where machines of that level
/// alone look; nothing elsewhere, 0 for a directory of another machine's levels.
std::optional<int> directory_level(std::string_view path) {
  constexpr std::string_view kBefore = "glibc-hwcaps/";
  const std::size_t at = path.rfind(kBefore);
  if (at == path.npos || (at != 0 && path[at - 1] != '/')) return std::nullopt;
  const std::string_view rest = path.substr(at + kBefore.size());
  return level_of(rest.substr(0, rest.find('/')));
}

/// `elf.isa`: property notes that need a higher x86-64 level than the tag's baseline, or than the
/// variant label or the `glibc-hwcaps` directory promises.
Check isa(Params& params) {
  const std::vector<std::string> allow = params.list("allow");
  return [allow](const Subject& subject, Report& report) {
    if (!is_linux(subject)) return Looked::nothing;
    const int of_wheel = promised_level(subject.wheel);
    const std::string_view by_wheel = of_wheel == 1 ? "tag" : "variant label";
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (elf->machine != "x86_64" && elf->machine != "i686") continue;
      looked = Looked::something;
      const std::optional<int> of_directory = directory_level(elf->path);
      if (of_directory == 0) continue;
      const int promised = std::max(of_wheel, of_directory.value_or(1));
      const std::string_view by = promised > of_wheel ? "directory" : by_wheel;
      const std::string expected =
          promised == 1 ? "x86-64-baseline" : fmt::format("x86-64-v{}", promised);
      for (const std::string& level : elf->isa_needed) {
        if (std::ranges::find(allow, level) != allow.end()) continue;
        if (level_of(level) != 0 && level_of(level) <= promised) continue;
        report({.where = elf->path,
                .message = fmt::format("its property note needs {}, and the {} promises {}", level,
                                       by, expected),
                .evidence = {{"found", level}, {"expected", expected}},
                .subject = {},
                .fix = {}});
        break;
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> machine_kinds() {
  return {{"elf.machine", machine}, {"elf.libc", c_library}, {"elf.isa", isa}};
}

}  // namespace wheel_audit
