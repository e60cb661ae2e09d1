// Which format bytes begin, by magic: ELF, PE (PE/COFF specification), Mach-O, ar, WebAssembly,
// text.
#include "scan/object_kind.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace wheel_audit {

namespace {

constexpr std::array<std::pair<std::uint16_t, std::string_view>, 4> kPeMachines = {
    {{0x014c, "i686"}, {0x8664, "x86_64"}, {0xaa64, "aarch64"}, {0x01c4, "armv7l"}}};
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 4> kMachoMachines = {
    {{7, "i686"}, {0x01000007, "x86_64"}, {12, "armv7l"}, {0x0100000c, "aarch64"}}};

template <typename Table, typename Code>
std::string machine_word(const Table& table, Code code) {
  for (const auto& [value, word] : table) {
    if (value == code) return std::string(word);
  }
  return {};
}

/// A DOS stub whose e_lfanew leads to "PE\0\0" (PE/COFF specification, section 2).
std::optional<std::string> pe_machine(ByteView head) {
  Cursor offset(head.clamp(0x3c, 4));
  const std::uint32_t at = offset.u32();
  Cursor header(head.clamp(at, 6));
  if (!offset || header.u32() != 0x00004550) return std::nullopt;
  const std::uint16_t machine = header.u16();
  if (!header) return std::nullopt;
  return machine_word(kPeMachines, machine);
}

/// Thin Mach-O of either order and width, or a universal file (which shares its magic with Java
/// classes: those have a version above 40 where the number of machines stands).
std::optional<std::string> macho_machine(ByteView head) {
  Cursor big(head.clamp(0, 8), Endian::big);
  const std::uint32_t magic = big.u32();
  const std::uint32_t second = big.u32();
  if (!big) return std::nullopt;
  constexpr std::uint32_t kMostMachines = 40;
  if ((magic == 0xcafebabe || magic == 0xcafebabf) && second > 0 && second < kMostMachines)
    return "";
  if (magic == 0xfeedface || magic == 0xfeedfacf) return machine_word(kMachoMachines, second);
  Cursor little(head.clamp(4, 4));
  if (magic == 0xcefaedfe || magic == 0xcffaedfe) return machine_word(kMachoMachines, little.u32());
  return std::nullopt;
}

}  // namespace

ObjectKind object_kind(ByteView head) {
  const std::string_view text = head.text();
  if (text.starts_with("\x7f"
                       "ELF"))
    return {MemberKind::elf, {}};
  if (text.starts_with("!<arch>\n") || text.starts_with("!<thin>\n")) return {MemberKind::ar, {}};
  if (text.starts_with("MZ")) {
    if (const auto machine = pe_machine(head)) return {MemberKind::pe, *machine};
  }
  if (const auto machine = macho_machine(head)) return {MemberKind::macho, *machine};
  constexpr std::string_view kWasm("\0asm", 4);
  if (text.starts_with(kWasm)) return {MemberKind::other, "wasm32"};
  constexpr std::size_t kLooked = 4096;
  if (!text.empty() && text.substr(0, kLooked).find('\0') == std::string_view::npos) {
    return {MemberKind::text, {}};
  }
  return {};
}

}  // namespace wheel_audit
