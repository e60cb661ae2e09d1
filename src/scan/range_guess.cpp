// The guesses of one pass (see the header): right for what linkers, patchelf and BOLT write. A
// wrong one costs another pass.
#include "scan/range_guess.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint64_t kFirstLeast = 4ULL << 20U;
constexpr std::uint64_t kFirstMost = 20ULL << 20U;
constexpr std::uint64_t kTail = 1ULL << 20U;
constexpr std::uint64_t kSmallSegments = 8ULL << 20U;
constexpr std::uint64_t kGuessMost = 24ULL << 20U;
constexpr std::uint32_t kExecutable = 1;  // PF_X
constexpr std::uint32_t kWritable = 2;    // PF_W

bool is_inside(const ProgramHeader& program, std::uint64_t size) {
  return program.offset <= size && program.file_size <= size - program.offset;
}

}  // namespace

std::vector<Range> likely_ranges(std::uint64_t size, const std::vector<ProgramHeader>& programs) {
  const std::uint64_t tail = std::min(kTail, size);
  std::vector<Range> likely = {{size - tail, tail}};
  const auto first = std::ranges::find(programs, kLoad, &ProgramHeader::type);
  std::uint64_t first_end = size;
  bool code_first = false;
  if (first != programs.end() && is_inside(*first, size)) {
    first_end = first->offset + first->file_size;
    code_first = (first->flags & kExecutable) != 0;
  }
  // Tools append segments for tables that grew, so the last ones are the likeliest.
  std::uint64_t budget = kSmallSegments;
  std::optional<Range> constants;  // the first segment of them that is too large to keep
  for (std::size_t i = programs.size(); i-- > 0;) {
    const ProgramHeader& program = programs[i];
    if (program.type != kLoad || (program.flags & kExecutable) != 0) continue;
    if (!is_inside(program, size) || &program == &*first) continue;
    const Range segment{program.offset, program.file_size};
    if (program.file_size <= budget) {
      budget -= program.file_size;
      likely.push_back(segment);
    } else if ((program.flags & kWritable) == 0) {
      constants = segment;
    }
  }
  // The tables begin where the first segment does; where code comes first, perhaps where the
  // constants do.
  const std::uint64_t left = kGuessMost - kTail - (kSmallSegments - budget);
  std::uint64_t most = std::min(std::clamp(size / 8, kFirstLeast, kFirstMost), left);
  if (code_first && constants) {
    likely.push_back({constants->offset, std::min({constants->length, kFirstLeast, most / 4 * 3})});
    most -= likely.back().length;
  }
  likely.push_back({0, std::min(most, first_end)});
  return likely;
}

bool ends_in_relocations(ByteView bytes) {
  constexpr std::uint64_t kEntry = 24;  // Elf64_Rela: r_offset, r_info, r_addend
  constexpr std::uint64_t kEnough = 64;
  constexpr std::uint64_t kWord = 8;
  constexpr std::uint64_t kHighestType = 0xffff;
  constexpr std::uint64_t kHighestAddress = 1ULL << 48U;
  if (bytes.size() < kEntry * (kEnough + 1)) return false;
  // Where in the file an entry begins is not known; tables begin at whole words.
  for (std::uint64_t phase = 0; phase < kEntry; phase += kWord) {
    Cursor cursor(bytes.clamp(bytes.size() - phase - kEntry * kEnough, kEntry * kEnough));
    std::uint64_t before = 0;
    std::uint64_t type = 0;
    bool alike = true;
    for (std::uint64_t i = 0; i < kEnough && alike; ++i) {
      const std::uint64_t offset = cursor.u64();
      const std::uint64_t info = cursor.u64();
      const std::uint64_t addend = cursor.u64();
      if (i == 0) type = info;
      alike = offset > before && offset < kHighestAddress && info == type && type != 0 &&
              type <= kHighestType && addend < kHighestAddress;
      before = offset;
    }
    if (alike) return true;
  }
  return false;
}

std::vector<Range> loaded_ranges(std::uint64_t size, const std::vector<ProgramHeader>& programs) {
  std::vector<Range> loaded;
  for (const ProgramHeader& program : programs) {
    if (program.type == kLoad && is_inside(program, size))
      loaded.push_back({program.offset, program.file_size});
  }
  return merged(std::move(loaded));
}

std::optional<std::vector<ProgramHeader>> programs_or_old_ones(Source& source) {
  const auto found = read_header(source);
  if (!found || !*found) return std::nullopt;
  Header header = **found;
  auto programs = read_program_headers(source, header);
  if (programs && !*programs) {
    header.program_offset = header.wide ? 64 : 52;
    programs = read_program_headers(source, header);
  }
  if (!programs) return std::nullopt;
  return std::move(*programs);
}

bool knows_tables(Source& source) {
  const auto header = read_header(source);
  if (!header) return true;
  if (!*header) return false;
  const auto programs = read_program_headers(source, **header);
  if (!programs) return true;
  if (!*programs) return false;
  const auto dynamic = std::ranges::find(**programs, kDynamic, &ProgramHeader::type);
  return dynamic == (*programs)->end() ||
         source.want(dynamic->offset, dynamic->file_size).has_value();
}

}  // namespace wheel_audit::elf_reader
