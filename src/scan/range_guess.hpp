// Where the tables of an ELF file are likely to be, before its dynamic section has streamed by and
// tells.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scan/elf_image.hpp"

namespace wheel_audit::elf_reader {

/// What to keep of a file of `size` bytes until its tables are known: 24 MiB at most, whatever the
/// program headers say. Without any, the beginning and the end.
std::vector<Range> likely_ranges(std::uint64_t size, const std::vector<ProgramHeader>& programs);

/// Whether bytes end amid relocations without a symbol, as position-independent libraries have them
/// by the hundred thousand. Linkers write them behind the tables that are guessed at.
bool ends_in_relocations(ByteView bytes);

/// What segments take of the file: sorted, merged.
std::vector<Range> loaded_ranges(std::uint64_t size, const std::vector<ProgramHeader>& programs);

/// The program headers; where their bytes are still to come, those at the place where linkers put
/// them: BOLT writes new ones behind all that was linked and leaves the old ones there. Nothing
/// where neither is known.
std::optional<std::vector<ProgramHeader>> programs_or_old_ones(Source& source);

/// Whether it is known where the tables of the dynamic section are, or that there is none.
bool knows_tables(Source& source);

}  // namespace wheel_audit::elf_reader
