// PT_DYNAMIC: its entries, what they say in words, and where the addresses in them are in the
// file. Addresses are what loaders use; they are looked up in PT_LOAD as the kernel maps them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scan/elf_image.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::elf_reader {

namespace {

constexpr std::uint64_t kFlagTextRelocations = 4;
constexpr std::uint64_t kFlagBindNow = 8;
constexpr std::uint64_t kFlagStaticTls = 16;
constexpr std::uint64_t kFlag1Now = 1;

constexpr std::array kAddressTags = {
    tag::kPltGot,      tag::kHash,      tag::kStrings,        tag::kSymbols,
    tag::kRela,        tag::kInit,      tag::kFini,           tag::kRel,
    tag::kPltRel,      tag::kInitArray, tag::kFiniArray,      tag::kPreinitArray,
    tag::kRelr,        tag::kGnuHash,   tag::kVersionIndexes, tag::kVersionDefinitions,
    tag::kVersionNeeds};

// Parses up to DT_NULL. A table that fills its file part without one ends in the zeros that follow
// when its segment is larger in memory; else the loader would run on into other data.
Result<void> parse_entries(ByteView bytes, bool zeros_follow, Dynamic& dynamic) {
  Cursor cursor(bytes, dynamic.header.order);
  const bool wide = dynamic.header.wide;
  while (true) {
    const std::uint64_t name = cursor.word(wide);
    const std::uint64_t value = cursor.word(wide);
    if (!cursor) break;
    if (name == 0) return {};
    dynamic.entries.emplace_back(name, value);
  }
  if (zeros_follow) return {};
  return Error(fmt::format("the dynamic table of {} bytes has no end (DT_NULL)", bytes.size()));
}

Result<void> read_path(const Image& image, std::uint64_t name, std::string_view word, bool& has,
                       std::vector<std::string>& entries) {
  const std::optional<std::uint64_t> offset = image.dynamic->value(name);
  if (!offset) return {};
  const Result<std::string_view> text = dynamic_string(image.tables.strings, word, *offset);
  if (!text) return text.error();
  if (text->size() > limits().elf_path_bytes) {
    return Error(fmt::format("{} has {} bytes, at most {} are read{}", word, text->size(),
                             limits().elf_path_bytes, limit_hint(&Limits::elf_path_bytes)));
  }
  has = true;
  for (const std::string_view entry : split(*text, ':')) entries.emplace_back(entry);
  return {};
}

Result<void> read_needed(const Image& image, ElfFacts& facts) {
  std::uint64_t total = 0;
  for (const auto& [name, value] : image.dynamic->entries) {
    if (name != tag::kNeeded) continue;
    const Result<std::string_view> library =
        dynamic_string(image.tables.strings, "DT_NEEDED", value);
    if (!library) return library.error();
    total += library->size();
    if (total > limits().elf_name_bytes) {
      return Error(fmt::format("the names in DT_NEEDED take more than {} bytes{}",
                               limits().elf_name_bytes, limit_hint(&Limits::elf_name_bytes)));
    }
    facts.needed.emplace_back(*library);
  }
  return {};
}

}  // namespace

std::optional<std::uint64_t> Dynamic::value(std::uint64_t tag) const {
  const auto found = std::find_if(entries.rbegin(), entries.rend(),
                                  [tag](const auto& entry) { return entry.first == tag; });
  if (found == entries.rend()) return std::nullopt;
  return found->second;
}

std::optional<Place> Dynamic::place(std::uint64_t address) const {
  // Where segments overlap the last one is on top. Written so that no address can wrap.
  for (auto load = loads.rbegin(); load != loads.rend(); ++load) {
    if (address < load->address || address - load->address >= load->file_size) continue;
    const std::uint64_t into = address - load->address;
    return Place{load->offset + into, load->file_size - into};
  }
  return std::nullopt;
}

Result<Range> Dynamic::table(std::string_view name, std::uint64_t address,
                             std::uint64_t length) const {
  const std::optional<Place> found = place(address);
  if (!found) return Error(fmt::format("{} is {:#x}, which no PT_LOAD maps", name, address));
  if (length > found->rest) {
    return Error(fmt::format("{} at {:#x} takes {} bytes, its segment has {} from there", name,
                             address, length, found->rest));
  }
  if (length > limits().elf_table_bytes) {
    return Error(fmt::format("{} takes {} bytes, at most {} are read{}", name, length,
                             limits().elf_table_bytes, limit_hint(&Limits::elf_table_bytes)));
  }
  return Range{found->offset, length};
}

std::uint64_t Dynamic::distance(std::uint64_t address, const Place& place) const {
  std::uint64_t nearest = place.rest;
  for (const auto& [name, value] : entries) {
    if (std::ranges::find(kAddressTags, name) == kAddressTags.end()) continue;
    if (value > address) nearest = std::min(nearest, value - address);
  }
  return nearest;
}

/// Whether a loader can map the segment that holds an address: offset and address are congruent
/// modulo the smallest page. Where it cannot, the file is never loaded, and what its headers say
/// of the file is read all the same for the report.
static bool can_be_mapped(const std::vector<ProgramHeader>& loads, std::uint64_t address) {
  constexpr std::uint64_t kSmallestPage = 0x1000;
  const auto holder = std::ranges::find_if(loads, [&](const ProgramHeader& load) {
    return address >= load.address && address - load.address < load.memory_size;
  });
  return holder == loads.end() || holder->offset % kSmallestPage == holder->address % kSmallestPage;
}

Result<std::optional<Dynamic>> read_dynamic(Source& source, const Header& header,
                                            const std::vector<ProgramHeader>& programs) {
  Dynamic dynamic;
  dynamic.header = header;
  for (const ProgramHeader& program : programs) {
    if (program.type != kLoad) continue;
    if (!source.inside(program.offset, program.file_size)) {
      return Error(
          fmt::format("the PT_LOAD segment of {} bytes at {:#x} reaches past the file's {}",
                      program.file_size, program.offset, source.size()));
    }
    dynamic.loads.push_back(program);
  }
  const auto found = std::ranges::find(programs, kDynamic, &ProgramHeader::type);
  if (!source.inside(found->offset, found->file_size)) {
    return Error(fmt::format("PT_DYNAMIC of {} bytes at {:#x} reaches past the file's {}",
                             found->file_size, found->offset, source.size()));
  }
  const std::optional<Place> place = dynamic.place(found->address);
  if ((!place || place->offset != found->offset) && can_be_mapped(dynamic.loads, found->address)) {
    return Error(
        fmt::format("PT_DYNAMIC is at {:#x} in the file, and no PT_LOAD maps that to {:#x}",
                    found->offset, found->address));
  }
  if (found->file_size > limits().elf_dynamic_bytes) {
    return Error(fmt::format("PT_DYNAMIC takes {} bytes, at most {} are read{}", found->file_size,
                             limits().elf_dynamic_bytes, limit_hint(&Limits::elf_dynamic_bytes)));
  }
  const std::optional<ByteView> bytes = source.want(found->offset, found->file_size);
  if (!bytes) return std::optional<Dynamic>();
  const bool zeros_follow = found->memory_size > found->file_size;
  const Result<void> parsed = parse_entries(*bytes, zeros_follow, dynamic);
  if (!parsed) return parsed.error();
  return std::optional(std::move(dynamic));
}

Result<void> read_dynamic_facts(const Image& image, ElfFacts& facts) {
  const Dynamic& dynamic = *image.dynamic;
  if (Result<void> needed = read_needed(image, facts); !needed) return needed;
  if (const auto soname = dynamic.value(tag::kSoname)) {
    const Result<std::string_view> name =
        dynamic_string(image.tables.strings, "DT_SONAME", *soname);
    if (!name) return name.error();
    if (name->size() > limits().elf_path_bytes)

      return Error(fmt::format("DT_SONAME has {} bytes, at most {} are read{}", name->size(),
                               limits().elf_path_bytes, limit_hint(&Limits::elf_path_bytes)));
    facts.soname = *name;
  }
  Result<void> path = read_path(image, tag::kRpath, "DT_RPATH", facts.has_rpath, facts.rpath);
  if (!path) return path;
  path = read_path(image, tag::kRunpath, "DT_RUNPATH", facts.has_runpath, facts.runpath);
  if (!path) return path;

  const std::uint64_t flags = dynamic.value(tag::kFlags).value_or(0);
  const std::uint64_t flags1 = dynamic.value(tag::kFlags1).value_or(0);
  facts.text_relocations =
      dynamic.value(tag::kTextRelocations).has_value() || (flags & kFlagTextRelocations) != 0;
  facts.bind_now = dynamic.value(tag::kBindNow).has_value() || (flags & kFlagBindNow) != 0 ||
                   (flags1 & kFlag1Now) != 0;
  facts.static_tls = (flags & kFlagStaticTls) != 0;
  facts.packed_relocations = dynamic.value(tag::kRelr).has_value();
  return {};
}

}  // namespace wheel_audit::elf_reader
