// Which entries of which objects apply to a need. Follows _dl_map_object() and decompose_rpath() in
// glibc's elf/dl-load.c, and fixup_rpath() and path_open() in musl's ldso/dynlink.c.

#include "loader/entries.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

std::vector<std::string_view> own_entries(const ElfFacts& elf, Libc libc) {
  std::vector<std::string_view> entries;
  const std::vector<std::string>& path = elf.search_path();
  // glibc ignores a path that is empty as a whole, as musl does every empty entry.
  if (path.size() == 1 && path.front().empty()) return entries;
  NameSet seen;  // glibc, too, keeps a directory of a path only once
  for (const std::string& written : path) {
    if (libc == Libc::glibc) {
      if (seen.insert(written).second) entries.push_back(written);
      continue;
    }
    // One `$` that is not the origin's, and musl drops the whole path.
    if (has_unknown_token(written, libc)) return {};
    // musl ends entries at line ends, too, and skips empty ones.
    for (const std::string_view part : split(written, '\n')) {
      if (!part.empty() && seen.insert(part).second) entries.push_back(part);
    }
  }
  return entries;
}

bool inherits(const ElfFacts& object, const ElfFacts& ancestor, Libc libc) {
  return libc == Libc::musl || (!object.has_runpath && !ancestor.has_runpath);
}

std::vector<AppliedEntry> search_path_of(const Placed& object,
                                         const std::vector<const Placed*>& chain, Libc libc) {
  std::vector<AppliedEntry> applied;
  const auto append = [&](const Placed& owner) {
    const Reader reader = {.libc = libc,
                           .machine = owner.elf->machine,
                           .python = owner.wheel == nullptr ? "" : only_python(*owner.wheel)};
    for (const std::string_view text : own_entries(*owner.elf, libc)) {
      applied.push_back({search_entry(text, directory_name(owner.path), reader), &owner});
    }
  };
  if (object.elf == nullptr) return applied;
  append(object);
  for (const Placed* ancestor : chain) {
    if (ancestor->elf != nullptr && inherits(*object.elf, *ancestor->elf, libc)) append(*ancestor);
  }
  return applied;
}

}  // namespace wheel_audit
