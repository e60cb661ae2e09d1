// What the files of this module share about search entries.
#pragma once

#include <string_view>
#include <vector>

#include "wheel_audit/search_entry.hpp"

namespace wheel_audit {

/// For whom an entry is taken apart: the tokens that a loader knows, and their values.
struct Reader {
  Libc libc = Libc::glibc;
  std::string_view machine;  ///< empty: the values of every machine
  std::string python = {};   ///< only_python() of the library's wheel
};

/// search_entry() with the tokens and values of one loader.
SearchEntry search_entry(std::string_view text, std::string_view origin, const Reader& reader);

/// Whether a `$` in the text starts no token of this loader.
bool has_unknown_token(std::string_view text, Libc libc);

/// The entries of an object's own search path that the loader does not drop at sight, as written.
std::vector<std::string_view> own_entries(const ElfFacts& elf, Libc libc);

/// Whether the search path of `ancestor`, which loaded `object`, applies to needs of `object`.
bool inherits(const ElfFacts& object, const ElfFacts& ancestor, Libc libc);

}  // namespace wheel_audit
