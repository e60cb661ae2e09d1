// What loaders ask of the header and the program headers before they read any table.
#include <fmt/format.h>

#include <algorithm>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint16_t kProgram = 2;       // ET_EXEC
constexpr std::uint16_t kSharedObject = 3;  // ET_DYN
constexpr std::uint32_t kCurrent = 1;       // EV_CURRENT
constexpr std::uint64_t kAllocated = 2;     // SHF_ALLOC
constexpr std::uint32_t kNoteSection = 7;   // SHT_NOTE

// 64-bit machines give programs at most 2^56 bytes (x86-64 with five levels of page tables).
std::uint64_t address_space(bool wide) { return 1ULL << (wide ? 56U : 32U); }

// A file of debug information has the sections of its library with nothing in them, save notes.
bool has_code_or_data(const Image& image) {
  if (!image.sections) return true;
  return image.sections->empty() ||
         std::ranges::any_of(*image.sections, [](const SectionHeader& section) {
           return (section.flags & kAllocated) != 0 && section.type != kNoBits &&
                  section.type != kNoteSection && section.size != 0;
         });
}

Result<void> check_segments(const Image& image) {
  const std::uint64_t space = address_space(image.header.wide);
  for (const ProgramHeader& program : image.programs) {
    if (program.type != kLoad) continue;
    if (program.address < space && program.memory_size <= space - program.address) continue;
    return Error(
        fmt::format("the PT_LOAD segment at address {:#x} takes {:#x} bytes of memory, an "
                    "address space has {:#x}",
                    program.address, program.memory_size, space));
  }
  return {};
}

}  // namespace

Result<void> check_loadable(const Image& image) {
  const Header& header = image.header;
  if (header.type != kSharedObject && header.type != kProgram) return {};
  if (header.ident_version != kCurrent) {
    return Error(fmt::format("EI_VERSION is {}, expected {}", header.ident_version, kCurrent));
  }
  if (header.version != kCurrent) {
    return Error(fmt::format("e_version is {}, expected {}", header.version, kCurrent));
  }
  if (!has_code_or_data(image)) return {};
  if (image.programs.empty()) {
    return Error("it has no program headers (e_phnum is 0), so that no loader maps anything of it");
  }
  if (Result<void> segments = check_segments(image); !segments) return segments;
  if (header.type == kProgram) return {};
  const auto dynamic = std::ranges::find(image.programs, kDynamic, &ProgramHeader::type);
  if (dynamic == image.programs.end()) {
    return Error("the shared object has no dynamic section (PT_DYNAMIC)");
  }
  if (dynamic->file_size == 0) {
    return Error("the dynamic section (PT_DYNAMIC) of the shared object is empty");
  }
  return {};
}

}  // namespace wheel_audit::elf_reader
