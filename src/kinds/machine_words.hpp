// The machines that platform tags name, and what an ELF file for each looks like.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace wheel_audit {

/// What an ELF file of a platform tag's machine looks like.
struct MachineWord {
  std::string_view word;     ///< of the tag
  std::string_view machine;  ///< of the ELF file
  int bits;
  bool big_endian;
  std::uint32_t flags_mask;  ///< e_flags that the ABI fixes
  std::uint32_t flags_value;
};

// psABIs: EABI version 5 on Arm (hard float is a flag of programs only), ELFv2 on POWER,
// double-float ABI on RISC-V and LoongArch.
inline constexpr std::array<MachineWord, 13> kMachineWords = {{
    {"x86_64", "x86_64", 64, false, 0, 0},
    {"i686", "i686", 32, false, 0, 0},
    {"i586", "i686", 32, false, 0, 0},
    {"i386", "i686", 32, false, 0, 0},
    {"aarch64", "aarch64", 64, false, 0, 0},
    {"armv8l", "armv7l", 32, false, 0xff000000, 0x05000000},
    {"armv7l", "armv7l", 32, false, 0xff000000, 0x05000000},
    {"armv6l", "armv7l", 32, false, 0xff000000, 0x05000000},
    {"ppc64le", "ppc64le", 64, false, 0x3, 0x2},
    {"ppc64", "ppc64", 64, true, 0, 0},
    {"s390x", "s390x", 64, true, 0, 0},
    {"riscv64", "riscv64", 64, false, 0x6, 0x4},
    {"loongarch64", "loongarch64", 64, false, 0x7, 0x3},
}};

/// What the word of a tag means, or null: a tag of another machine, or a misspelt one.
inline const MachineWord* machine_word(std::string_view word) {
  const auto* found = std::ranges::find(kMachineWords, word, &MachineWord::word);
  return found == kMachineWords.end() ? nullptr : &*found;
}

}  // namespace wheel_audit
