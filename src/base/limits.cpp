// The limits of the process, by name: one row each, with the least and the most that they may be.
#include "wheel_audit/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// The names on the command line and in the configuration, in the order of docs/reliability.md,
/// which says what they are of.
struct Row {
  std::string_view name;
  std::uint64_t Limits::*value;
};
constexpr Row kRows[] = {
    {"members", &Limits::members},
    {"method-work", &Limits::method_work},
    {"text-bytes", &Limits::text_bytes},
    {"record-lines", &Limits::record_lines},
    {"header-lines", &Limits::header_lines},
    {"source-bytes", &Limits::source_bytes},
    {"sources-bytes", &Limits::sources_bytes},
    {"source-items", &Limits::source_items},
    {"elf-table-bytes", &Limits::elf_table_bytes},
    {"elf-dynamic-bytes", &Limits::elf_dynamic_bytes},
    {"elf-name-bytes", &Limits::elf_name_bytes},
    {"elf-path-bytes", &Limits::elf_path_bytes},
    {"gpu-containers", &Limits::gpu_containers},
    {"gpu-entries", &Limits::gpu_entries},
    {"gpu-container-entries", &Limits::gpu_container_entries},
    {"environment-files", &Limits::environment_files},
    {"load-needs", &Limits::load_needs},
};

Limits& in_force() {
  static Limits kept;
  return kept;
}

}  // namespace

const Limits& limits() { return in_force(); }

Result<void> check_limit(std::string_view name, std::uint64_t value) {
  if (std::ranges::find(kRows, name, &Row::name) == std::end(kRows)) {
    std::vector<std::string> names;
    for (const Row& known : kRows) names.emplace_back(known.name);
    const std::string meant = did_you_mean(name, names);
    return Error(fmt::format("no limit is named \"{}\"{}", name,
                             meant.empty() ? "; limits: " + join(names, ", ") : meant));
  }
  if (value >= 1 && value <= kMostOfLimit) return {};
  return Error(fmt::format("is {}, expected 1 to {}", value, kMostOfLimit));
}

Result<void> set_limit(std::string_view name, std::uint64_t value) {
  Result<void> sound = check_limit(name, value);
  if (sound) in_force().*std::ranges::find(kRows, name, &Row::name)->value = value;
  return sound;
}

std::string limit_hint(std::uint64_t Limits::*value) {
  const auto* row = std::ranges::find(kRows, value, &Row::value);
  return fmt::format(" (--limit {}=N allows more)", row->name);
}

}  // namespace wheel_audit
