// The table of platform tags: which versions and libraries each promises (PEP 600, PEP 656).
#include "kinds/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::optional<std::vector<int>> dotted(std::string_view text) {
  std::vector<int> numbers;
  for (const std::string_view part : split(text, '.')) {
    int number = 0;
    const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (failed != std::errc() || end != part.data() + part.size()) return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

/// A row's tag taken apart: `manylinux_2_17` → {2, 17}.
std::pair<int, int> version_of_row(const Json& row) {
  const std::vector<std::string_view> parts = split(row["tag"].as_string(), '_');
  const auto number = [](std::string_view text) {
    const auto value = dotted(text);
    return value ? value->front() : 0;
  };
  return parts.size() == 3 ? std::pair(number(parts[1]), number(parts[2])) : std::pair(0, 0);
}

}  // namespace

int compare_dotted(std::string_view a, std::string_view b) {
  const auto left = dotted(a);
  const auto right = dotted(b);
  if (!left || !right) return left ? -1 : right ? 1 : a.compare(b);
  if (*left == *right) return 0;
  return *left < *right ? -1 : 1;
}

bool is_program_loader(std::string_view library) {
  return library.starts_with("ld-linux") || library.starts_with("ld-musl") ||
         library == "ld.so.1" || library == "ld64.so.1" || library == "ld64.so.2";
}

bool is_c_library(std::string_view library) {
  constexpr std::array<std::string_view, 11> kNames = {
      "libc.so.6",   "libm.so.6",   "libmvec.so.1", "libpthread.so.0",
      "libdl.so.2",  "librt.so.1",  "libutil.so.1", "libresolv.so.2",
      "libanl.so.1", "libnsl.so.1", "libc.so"};
  return std::ranges::find(kNames, library) != kNames.end() || library.starts_with("libc.musl-") ||
         is_program_loader(library);
}

bool is_of_musl(std::string_view library) {
  constexpr std::string_view kParts[] = {"c", "pthread", "rt", "m", "dl", "util", "xnet"};
  if (!library.starts_with("lib")) return false;
  const std::size_t end = library.find(".so");
  return end != std::string_view::npos &&
         std::ranges::find(kParts, library.substr(3, end - 3)) != std::end(kParts);
}

Platforms::Platforms(const Json& table) {
  for (const Json& json : table["tags"].items()) {
    Row row{json["tag"].as_string(), json["libc"].as_string(), version_of_row(json), {}, {}, &json};
    for (const auto& [machine, versions] : json["versions"].entries()) {
      row.machines.push_back(machine);
    }
    for (const auto& [library, symbols] : json["forbidden_symbols"].entries()) {
      for (const Json& symbol : symbols.items()) {
        row.forbidden[library].insert(symbol.as_string());
        forbidden_anywhere_.insert(symbol.as_string());
      }
    }
    rows_.push_back(std::move(row));
  }
}

std::shared_ptr<const Platforms> Platforms::of(Params& params) {
  const Json& table = params.table("platforms");
  return params.shared<Platforms>({&table}, [&] { return Platforms(table); });
}

bool Platforms::Row::serves(const std::string& libc_name, const std::string& machine) const {
  return libc == libc_name && std::ranges::find(machines, machine) != machines.end();
}

const Platforms::Row* Platforms::row(const PlatformTag& tag) const {
  const Row* best = nullptr;
  const Row* lowest_with_machine = nullptr;
  for (const Row& row : rows_) {
    if (!row.serves(tag.libc, tag.machine)) continue;
    if (lowest_with_machine == nullptr) lowest_with_machine = &row;
    if (row.version <= std::pair(tag.major, tag.minor)) best = &row;
  }
  return best != nullptr ? best : lowest_with_machine;
}

bool Platforms::promises_library(const PlatformTag& tag, std::string_view library) const {
  if (is_program_loader(library)) return true;
  if (tag.libc == "musl" && (library.starts_with("libc.musl-") || library == "libc.so"))
    return true;
  const Row* found = row(tag);
  if (found == nullptr) return is_c_library(library);
  const std::vector<Json>& libraries = (*found->json)["libraries"].items();
  return std::ranges::any_of(libraries,
                             [&](const Json& name) { return name.as_string() == library; });
}

std::optional<bool> Platforms::promises_version(const PlatformTag& tag,
                                                std::string_view version) const {
  const std::size_t bar = version.find('_');
  if (bar == std::string_view::npos) return std::nullopt;
  const std::string_view family = version.substr(0, bar);
  const std::string_view number = version.substr(bar + 1);
  constexpr std::array<std::string_view, 6> kFamilies = {"GLIBC", "GLIBCXX",   "CXXABI",
                                                         "GCC",   "LIBATOMIC", "ZLIB"};
  if (std::ranges::find(kFamilies, family) == kFamilies.end()) return std::nullopt;
  // The C library's own version is in the tag; a machine whose first release came later promises
  // more than the number says (aarch64 begins with symbols of 2.18), which its row lists.
  const bool by_number = family == "GLIBC" && dotted(number).has_value();
  const std::string own = fmt::format("{}.{}", tag.major, tag.minor);
  if (by_number && compare_dotted(number, own) <= 0) return true;
  const Row* found = row(tag);
  if (found == nullptr) return by_number ? std::optional(false) : std::nullopt;
  const std::vector<std::string> listed = (*found->json)["versions"][tag.machine][family].strings();
  return std::ranges::any_of(listed, [&](const std::string& known) {
    return known == number ||
           (dotted(number) && dotted(known) && compare_dotted(number, known) <= 0);
  });
}

bool Platforms::forbids_symbol(const PlatformTag& tag, std::string_view library,
                               std::string_view symbol) const {
  if (!forbidden_anywhere_.contains(symbol)) return false;  // as nearly every symbol is
  const Row* found = row(tag);
  if (found == nullptr) return false;
  const auto names = found->forbidden.find(library);
  return names != found->forbidden.end() && names->second.contains(symbol);
}

std::vector<PlatformTag> Platforms::ladder(std::string_view libc, std::string_view machine) const {
  std::vector<PlatformTag> found;
  for (const Row& row : rows_) {
    if (!row.serves(std::string(libc), std::string(machine))) continue;
    found.push_back({fmt::format("{}_{}", row.tag, machine), std::string(libc), row.version.first,
                     row.version.second, std::string(machine)});
  }
  return found;
}

std::vector<std::string> Platforms::forbidden_symbols() const {
  return {forbidden_anywhere_.begin(), forbidden_anywhere_.end()};
}

}  // namespace wheel_audit
