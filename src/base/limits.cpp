#include "wheel_audit/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr LimitRow kRows[] = {
    {"members", &Limits::members, "members of an archive (real ones have up to 66,000)"},
    {"method-work", &Limits::method_work,
     "members of other methods than stored and deflate, times all members"},
    {"text-bytes", &Limits::text_bytes,
     "bytes of METADATA, WHEEL, RECORD, entry_points.txt, variant.json (RECORD has up to 6 MB)"},
    {"record-lines", &Limits::record_lines,
     "lines of RECORD and entry_points.txt: two for each member that is read"},
    {"header-lines", &Limits::header_lines,
     "lines of METADATA and WHEEL before the first empty one"},
    {"source-bytes", &Limits::source_bytes, "bytes of a header or CMake file that a rule asks for"},
    {"sources-bytes", &Limits::sources_bytes, "bytes of all of them in a wheel"},
    {"source-items", &Limits::source_items, "includes or commands of one of them"},
    {"elf-table-bytes", &Limits::elf_table_bytes,
     "bytes of an ELF file's symbols, of its hash table, of its strings"},
    {"elf-dynamic-bytes", &Limits::elf_dynamic_bytes,
     "bytes of PT_DYNAMIC and of the version tables"},
    {"elf-name-bytes", &Limits::elf_name_bytes,
     "bytes of all names in DT_NEEDED, of all names in the version tables"},
    {"elf-path-bytes", &Limits::elf_path_bytes, "bytes of a search path, of a soname"},
    {"gpu-containers", &Limits::gpu_containers,
     "GPU code containers of a member (published ones have up to 23,984)"},
    {"gpu-entries", &Limits::gpu_entries, "entries of all containers of a member"},
    {"gpu-container-entries", &Limits::gpu_container_entries,
     "entries of one container (published ones have hundreds)"},
    {"environment-files", &Limits::environment_files, "files of an installed environment"},
};

Limits& in_force() {
  static Limits kept;
  return kept;
}

}  // namespace

std::span<const LimitRow> limit_rows() { return kRows; }

const Limits& limits() { return in_force(); }

Result<void> set_limit(std::string_view name, std::uint64_t value) {
  const auto* row = std::ranges::find(kRows, name, &LimitRow::name);
  if (row != std::end(kRows)) {
    in_force().*row->value = value;
    return {};
  }
  std::vector<std::string> names;
  for (const LimitRow& known : kRows) names.emplace_back(known.name);
  const std::string meant = did_you_mean(name, names);
  return Error(fmt::format("no limit is named \"{}\"{}", name,
                           meant.empty() ? "; limits: " + join(names, ", ") : meant));
}

std::string limit_hint(std::uint64_t Limits::*value) {
  const auto* row = std::ranges::find(kRows, value, &LimitRow::value);
  return fmt::format(" (--limit {}=N allows more)", row->name);
}

}  // namespace wheel_audit
