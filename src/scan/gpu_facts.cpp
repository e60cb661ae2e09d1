// Adds up what the scanner found: code by form and architecture, places, profiles.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "scan/gpu_container.hpp"

namespace wheel_audit::gpu {

namespace {

constexpr std::uint32_t kNoBits = 8;  // SHT_NOBITS: occupies no bytes of the file

/// Names the section that an offset lies in.
class PlaceNames {
 public:
  explicit PlaceNames(std::span<const Section> sections) {
    for (const Section& section : sections) {
      if (section.type != kNoBits && section.size > 0 && !section.name.empty()) {
        by_offset_.push_back(&section);
      }
    }
    std::ranges::stable_sort(by_offset_, {}, [](const Section* s) { return s->offset; });
  }

  std::string of(std::uint64_t offset) const {
    const auto after = std::ranges::upper_bound(by_offset_, offset, {},
                                                [](const Section* s) { return s->offset; });
    if (after == by_offset_.begin()) return "bytes";
    const Section& section = **std::prev(after);
    return offset - section.offset < section.size ? section.name : "bytes";
  }

 private:
  std::vector<const Section*> by_offset_;
};

std::string_view name_of(Form form) {
  if (form == Form::sass) return "sass";
  return form == Form::ptx ? "ptx" : "lto";
}

std::string arch_of(const CodeKey& key) {
  std::string text = fmt::format("{}.{}", key.arch / 10, key.arch % 10);
  if (key.suffix != 0) text += key.suffix;
  return text;
}

std::string print(PackedVersion version) {
  return version == 0 ? std::string() : fmt::format("{}.{}", version >> 16U, version & 0xffffU);
}

/// Sums over all entries of one code.
struct Total {
  GpuCode code;
  PackedVersion isa = 0;
  PackedVersion toolkit = 0;
};

}  // namespace

GpuFacts describe(const std::vector<Found>& found, std::span<const Section> sections) {
  GpuFacts facts;
  const PlaceNames places(sections);
  std::map<CodeKey, Total> totals;
  std::map<std::pair<std::string, std::vector<CodeKey>>, std::uint64_t> profiles;
  for (const Found& item : found) {
    std::vector<CodeKey> keys;
    for (const Entry& entry : item.entries) {
      keys.push_back(entry.key);
      Total& total = totals[entry.key];
      ++total.code.entries;
      total.code.bytes += entry.bytes;
      total.code.debug_entries += entry.debug ? 1 : 0;
      total.isa = std::max(total.isa, entry.isa);
      total.toolkit = std::max(total.toolkit, entry.toolkit);
    }
    if (item.bare) {
      ++facts.bare_cubins;
      continue;
    }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    for (const CodeKey& key : keys) ++totals[key].code.containers;
    std::string place = places.of(item.offset);
    ++facts.containers;
    ++facts.places[place];
    if (!keys.empty()) ++profiles[{std::move(place), std::move(keys)}];
  }
  for (auto& [key, total] : totals) {
    total.code.form = name_of(key.form);
    total.code.arch = arch_of(key);
    total.code.newest_ptx_isa = print(total.isa);
    total.code.newest_toolkit = print(total.toolkit);
    facts.code.push_back(std::move(total.code));
  }
  for (const auto& [key, count] : profiles) {
    GpuProfile profile{key.first, {}, count};
    for (const CodeKey& code : key.second) {
      profile.code.push_back(fmt::format("{} {}", name_of(code.form), arch_of(code)));
    }
    facts.profiles.push_back(std::move(profile));
  }
  return facts;
}

}  // namespace wheel_audit::gpu
