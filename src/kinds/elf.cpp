// Questions about one ELF file by itself.
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"

namespace wheel_audit {

namespace {

/// `elf.unreadable`: ELF members whose loader tables could not be read.
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
    return looked;
  };
}

/// `elf.stack`: asks for an executable stack, by its flags or, where that means so, by their
/// absence (glibc's default is executable on x86 alone).
Check stack(Params& params) {
  const std::vector<std::string> absent_means_executable = params.list("absent_means_executable");
  return [absent_means_executable](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts& elf : subject.wheel.elves) {
      if (!elf.is_host() || elf.type == "rel") continue;
      looked = Looked::something;
      const bool by_absence =
          elf.stack == Stack::absent &&
          std::ranges::find(absent_means_executable, elf.machine) != absent_means_executable.end();
      if (elf.stack != Stack::rwx && !by_absence) continue;
      const std::string found = by_absence ? "no PT_GNU_STACK" : "PT_GNU_STACK with flags RWE";
      report({.where = elf.path,
              .message = fmt::format("asks for an executable stack: {}", found),
              .evidence = {{"found", found}, {"expected", "PT_GNU_STACK with flags RW"}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> elf_kinds() { return {{"elf.unreadable", unreadable}, {"elf.stack", stack}}; }

}  // namespace wheel_audit
