// Questions about one ELF file by itself.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Whether a file can only be meant as a library: `libx.so.1`, and `libx.so` unless it is a text,
/// as linkers read scripts of such names.
bool is_named_library(const MemberFacts& member) {
  const std::string_view name = base_name(member.path);
  const std::size_t at = name.find(".so");
  if (!name.starts_with("lib") || at == std::string_view::npos) return false;
  const std::string_view version = name.substr(at + 3);
  if (version.empty()) return member.kind == MemberKind::other;
  return version.starts_with('.') && version.find_first_not_of(".0123456789") == version.npos;
}

/// Whether a member is a WebAssembly module in a wheel of a WebAssembly platform, where those are
/// what Python loads.
bool is_wasm_of_wasm(const WheelFacts& wheel, std::string_view path) {
  const bool object = std::ranges::any_of(wheel.objects, [&](const ObjectFacts& one) {
    return one.path == path && one.format == "wasm";
  });
  return object && wheel.name &&
         std::ranges::all_of(wheel.name->platform, [](const std::string& platform) {
           return platform.ends_with("_wasm32") || platform.starts_with("wasi");
         });
}

/// `elf.unreadable`: ELF members whose loader tables could not be read, and files that Python would
/// load as extension modules, or that are named as libraries, and that are no objects at all
/// (empty, cut before the magic, a pointer to where the file is kept).
Check unreadable(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = subject.wheel.elves.empty() ? Looked::nothing : Looked::something;
    for (const Unread& unread : subject.wheel.unread) {
      if (unread.what != "elf") continue;
      looked = Looked::something;
      report({.where = unread.where,
              .message = "its loader tables cannot be read: " + unread.reason,
              .evidence = {{"found", unread.reason}},
              .subject = {},
              .fix = {}});
    }
    for (const MemberFacts& member : subject.wheel.members) {
      const bool no_object = member.kind == MemberKind::other || member.kind == MemberKind::text;
      constexpr std::uint32_t kTypeMask = 0170000;
      constexpr std::uint32_t kTypeLink = 0120000;
      if ((member.mode & kTypeMask) == kTypeLink) continue;  // another rule's
      const bool extension = is_named_extension(member.path);
      if (!no_object || (!extension && !(is_linux(subject) && is_named_library(member)))) continue;
      // A member that could not be decoded has no kind either, and says so itself.
      if (subject.index().is_unread(member.path)) continue;
      looked = Looked::something;
      if (is_wasm_of_wasm(subject.wheel, member.path)) continue;
      report({.where = member.path,
              .message = fmt::format("is named as {} and is no ELF file",
                                     extension ? "an extension module" : "a shared library"),
              .evidence = {{"found", fmt::format("{} bytes of something else", member.size)},
                           {"expected", "an ELF file"}},
              .subject = {},
              .fix = {}});
    }
    for (const ElfFacts& elf : subject.wheel.elves) {
      // Not for a host machine: the rule about machines says so.
      if (!is_named_extension(elf.path) || !elf.is_host() || (elf.type == "dyn" && elf.dynamic))
        continue;
      looked = Looked::something;
      const std::string found = elf.type == "dyn" ? "no dynamic section" : "type " + elf.type;
      report(
          {.where = elf.path,
           .message =
               fmt::format("is named as an extension module and no loader takes it: {}", found),
           .evidence = {{"found", found}, {"expected", "a shared object with a dynamic section"}},
           .subject = {},
           .fix = {}});
    }
    return looked;
  };
}

/// What a question about one file says of it: nothing, or what was found, expected and meant.
struct Answer {
  std::string message;
  std::string found;
  std::string expected;
};

/// Asks a question of each judged file.
template <typename Ask>
Check each_file(Ask ask) {
  return [ask](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      looked = Looked::something;
      const std::optional<Answer> answer = ask(*elf);
      if (!answer) continue;
      report({.where = elf->path,
              .message = answer->message,
              .evidence = {{"found", answer->found}, {"expected", answer->expected}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

/// `elf.stack`: asks for an executable stack, by its flags or, where that means so, by their
/// absence (glibc's default is executable on x86 alone).
Check stack(Params& params) {
  const std::vector<std::string> by_absence = params.list("absent_means_executable");
  return each_file([by_absence](const ElfFacts& elf) -> std::optional<Answer> {
    const bool absent = elf.dynamic && elf.stack == Stack::absent &&
                        std::ranges::find(by_absence, elf.machine) != by_absence.end();
    if (elf.stack != Stack::rwx && !absent) return std::nullopt;
    const std::string found = absent ? "no PT_GNU_STACK" : "PT_GNU_STACK with flags RWE";
    return Answer{"asks for an executable stack: " + found, found, "PT_GNU_STACK with flags RW"};
  });
}

/// `elf.text-relocations`: DT_TEXTREL or DF_TEXTREL.
Check text_relocations(Params&) {
  return each_file([](const ElfFacts& elf) -> std::optional<Answer> {
    if (!elf.text_relocations) return std::nullopt;
    return Answer{"has text relocations: its code is written to while it is loaded",
                  "DT_TEXTREL or DF_TEXTREL", "position independent code"};
  });
}

/// `elf.segments`: PT_LOAD segments whose offset and address are not congruent modulo their
/// alignment, or that are aligned below the machine's largest page size (parameter `page_sizes`).
Check segments(Params& params) {
  const Json page_sizes = params.json("page_sizes");
  return each_file([page_sizes](const ElfFacts& elf) -> std::optional<Answer> {
    const std::uint64_t page = std::max<std::uint64_t>(page_sizes[elf.machine].as_uint(), 0x1000);
    for (std::size_t i = 0; i < elf.segments.size(); ++i) {
      const Segment& segment = elf.segments[i];
      const std::uint64_t modulus = std::max<std::uint64_t>(segment.align, 0x1000);
      if (segment.file_size > 0 && segment.offset % modulus != segment.address % modulus) {
        return Answer{
            fmt::format("PT_LOAD {} has offset {:#x} and address {:#x}, which differ modulo its "
                        "alignment {:#x}: no loader maps it",
                        i, segment.offset, segment.address, segment.align),
            fmt::format("offset {:#x}, address {:#x}", segment.offset, segment.address),
            fmt::format("equal modulo {:#x}", modulus)};
      }
      if (segment.align >= page || (i == 0 && elf.segments.size() == 1)) continue;
      return Answer{
          fmt::format(
              "PT_LOAD {} is aligned to {:#x}; machines with pages of {:#x} bytes cannot map it", i,
              segment.align, page),
          fmt::format("{:#x}", segment.align), fmt::format("at least {:#x}", page)};
    }
    return std::nullopt;
  });
}

/// `elf.static-tls`: initial-exec TLS in a library that is loaded late.
Check static_tls(Params&) {
  return each_file([](const ElfFacts& elf) -> std::optional<Answer> {
    if (!elf.static_tls || elf.is_executable()) return std::nullopt;
    return Answer{
        "uses initial-exec TLS (DF_STATIC_TLS): loading it late takes from a small reserve",
        "DF_STATIC_TLS", "the global-dynamic TLS model"};
  });
}

/// `elf.writable-code`: a segment that is both writable and executable.
Check writable_code(Params&) {
  return each_file([](const ElfFacts& elf) -> std::optional<Answer> {
    constexpr std::uint32_t kWriteExecute = 3;
    for (std::size_t i = 0; i < elf.segments.size(); ++i) {
      if ((elf.segments[i].flags & kWriteExecute) != kWriteExecute) continue;
      return Answer{fmt::format("PT_LOAD {} is writable and executable", i), "flags RWE",
                    "R E and RW apart"};
    }
    return std::nullopt;
  });
}

/// `elf.hardening`: no RELRO, or lazy binding.
Check hardening(Params&) {
  return each_file([](const ElfFacts& elf) -> std::optional<Answer> {
    if (!elf.dynamic) return std::nullopt;
    std::string lacks = elf.relro ? "" : "no PT_GNU_RELRO";
    if (!elf.bind_now) lacks += lacks.empty() ? "lazy binding" : ", lazy binding";
    if (lacks.empty()) return std::nullopt;
    return Answer{"is not hardened: " + lacks, lacks,
                  "PT_GNU_RELRO and BIND_NOW (-z relro -z now)"};
  });
}

/// `elf.debug`: DWARF sections of at least `bytes`.
Check debug(Params& params) {
  const auto least = static_cast<std::uint64_t>(params.number("bytes", 1));
  return each_file([least](const ElfFacts& elf) -> std::optional<Answer> {
    if (!elf.debug || elf.debug_bytes < least) return std::nullopt;
    return Answer{fmt::format("ships {} bytes of debug information", elf.debug_bytes),
                  fmt::format("{} bytes in .debug_*", elf.debug_bytes), "none"};
  });
}

/// `elf.unstripped`: a static symbol table of at least `bytes`.
Check unstripped(Params& params) {
  const auto least = static_cast<std::uint64_t>(params.number("bytes", 1 << 20));
  return each_file([least](const ElfFacts& elf) -> std::optional<Answer> {
    if (!elf.symtab || elf.symtab_bytes < least) return std::nullopt;
    return Answer{fmt::format("ships a static symbol table of {} bytes, which no loader reads",
                              elf.symtab_bytes),
                  fmt::format("{} bytes in .symtab and .strtab", elf.symtab_bytes),
                  fmt::format("under {}", least)};
  });
}

}  // namespace

std::vector<Kind> elf_kinds() {
  return {{"elf.unreadable", unreadable},
          {"elf.stack", stack},
          {"elf.text-relocations", text_relocations},
          {"elf.segments", segments},
          {"elf.static-tls", static_tls},
          {"elf.writable-code", writable_code},
          {"elf.hardening", hardening},
          {"elf.debug", debug},
          {"elf.unstripped", unstripped}};
}

}  // namespace wheel_audit
