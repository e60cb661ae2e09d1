// The comparison of two wheels: what is of the whole wheel, and the members in pairs.
#include "wheel_audit/diff.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "diff/library.hpp"
#include "diff/match.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit {

namespace {

/// The glibc release that first had a symbol version, as its numbers; none for versions of other
/// libraries and for those without a release (GLIBC_PRIVATE).
std::vector<int> glibc_of(std::string_view version) {
  if (version == "GLIBC_ABI_DT_RELR") return {2, 36};  // glibc's NEWS for 2.36
  constexpr std::string_view kPrefix = "GLIBC_";
  if (!version.starts_with(kPrefix)) return {};
  std::vector<int> release;
  for (const std::string_view part : split(version.substr(kPrefix.size()), '.')) {
    int number = 0;
    const char* end = std::to_address(part.end());
    const auto [stop, failed] = std::from_chars(std::to_address(part.begin()), end, number);
    if (failed != std::errc() || stop != end) return {};
    release.push_back(number);
  }
  return release;
}

std::string oldest_glibc(const WheelFacts& wheel) {
  std::vector<int> newest;
  for (const ElfFacts& elf : wheel.elves) {
    for (const VersionNeed& need : elf.version_needs) {
      if (!need.weak) newest = std::max(newest, glibc_of(need.version));
    }
  }
  return fmt::format("{}", fmt::join(newest, "."));
}

DiffSide side_of(const WheelFacts& wheel) {
  DiffSide side{wheel.given, wheel.file_size, 0, oldest_glibc(wheel), {}, {}};
  for (const MemberFacts& member : wheel.members) side.installed += member.size;
  for (const ElfFacts& elf : wheel.elves) {
    if (!elf.all_symbols) side.without_symbols.push_back(elf.path);
  }
  for (const Unread& unread : wheel.unread) {
    if (unread.what != "digest") side.unread.push_back(unread);
  }
  return side;
}

/// The words about a wheel that are compared, in the order of reports.
std::vector<std::pair<std::string, std::string>> words_of(const WheelFacts& wheel) {
  static const NameFacts kNoName;
  static const MetadataFacts kNoMetadata;
  const NameFacts& name = wheel.name ? *wheel.name : kNoName;
  const MetadataFacts& metadata = wheel.metadata ? *wheel.metadata : kNoMetadata;
  const std::string* python = metadata.first("Requires-Python");
  const bool pure = wheel.wheel && wheel.wheel->root_is_purelib().value_or(false);
  return {{"distribution", name.distribution},
          {"version", name.version},
          {"python tags", join(name.python, ".")},
          {"ABI tags", join(name.abi, ".")},
          {"platform tags", join(name.platform, ".")},
          {"Requires-Python", python == nullptr ? "" : *python},
          {"Root-Is-Purelib", wheel.wheel ? (pure ? "true" : "false") : ""},
          {"accelerator", wheel.claim.train.empty() ? wheel.claim.accelerator : wheel.claim.train},
          {"oldest glibc", oldest_glibc(wheel)}};
}

using Packages = std::map<std::string, std::vector<std::string>>;

/// Requirements by normalised name; those that do not parse stand for themselves.
Packages packages_of(const WheelFacts& wheel) {
  Packages packages;
  if (!wheel.metadata) return packages;
  for (const std::string& text : wheel.metadata->all("Requires-Dist")) {
    const Result<Requirement> requirement = parse_requirement(text);
    packages[requirement ? requirement->name : text].push_back(text);
  }
  for (auto& [name, texts] : packages) std::ranges::sort(texts);
  return packages;
}

std::vector<PackageDiff> diff_packages(const WheelFacts& before, const WheelFacts& after) {
  const Packages old = packages_of(before);
  const Packages fresh = packages_of(after);
  Packages all = old;
  all.insert(fresh.begin(), fresh.end());
  std::vector<PackageDiff> packages;
  for (const auto& [name, texts] : all) {
    const auto in = [&package = name](const Packages& side) {
      const auto found = side.find(package);
      return found == side.end() ? std::vector<std::string>() : found->second;
    };
    PackageDiff package{name, {in(old), in(fresh)}};
    if (package.texts.differs()) packages.push_back(std::move(package));
  }
  return packages;
}

std::map<std::string, std::uint64_t> code_bytes(const WheelFacts& wheel) {
  std::map<std::string, std::uint64_t> bytes;
  for (const GpuFacts& gpu : wheel.gpu) {
    for (const GpuCode& code : gpu.code) bytes[code.form + " " + code.arch] += code.bytes;
  }
  return bytes;
}

/// By form, then by number: `sass 9.0` before `sass 12.0`.
struct CodeOrder {
  bool operator()(const std::string& a, const std::string& b) const {
    const auto key = [](const std::string& code) {
      const std::size_t space = code.find(' ');
      return std::tuple(code.substr(0, space), parse_arch(code.substr(space + 1)), code);
    };
    return key(a) < key(b);
  }
};

void diff_code(const WheelFacts& before, const WheelFacts& after, WheelDiff& diff) {
  std::map<std::string, Change<std::uint64_t>, CodeOrder> bytes;
  std::set<std::string> old;
  std::set<std::string> fresh;
  for (const auto& [code, count] : code_bytes(before)) {
    bytes[code].before = count;
    old.insert(code);
  }
  for (const auto& [code, count] : code_bytes(after)) {
    bytes[code].after = count;
    fresh.insert(code);
  }
  diff.archs = list_change(old, fresh);
  for (const auto& [code, change] : bytes) {
    if (change.differs()) diff.code.push_back({code, change});
  }
}

std::uint64_t growth(const MemberDiff& member) {
  const auto& [before, after] = member.compressed;
  return before > after ? before - after : after - before;
}

MemberDiff diff_member(const Pair& pair) {
  MemberDiff member;
  if (pair.before != nullptr) {
    member.path.before = pair.before->path;
    member.size.before = pair.before->size;
    member.compressed.before = pair.before->compressed;
  }
  if (pair.after != nullptr) {
    member.path.after = pair.after->path;
    member.size.after = pair.after->size;
    member.compressed.after = pair.after->compressed;
  }
  return member;
}

bool same_contents(const Pair& pair) {
  return pair.before != nullptr && pair.after != nullptr && pair.before->size == pair.after->size &&
         pair.before->crc32 == pair.after->crc32;
}

}  // namespace

WheelDiff diff_wheels(const WheelFacts& before, const WheelFacts& after) {
  WheelDiff diff;
  diff.sides = {side_of(before), side_of(after)};
  const auto old = words_of(before);
  const auto fresh = words_of(after);
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i].second != fresh[i].second)
      diff.properties.push_back({old[i].first, {old[i].second, fresh[i].second}});
  }
  diff.packages = diff_packages(before, after);
  diff_code(before, after, diff);
  const LibraryContext context = library_context(before, after);
  bool all_compared = true;
  for (const Pair& pair : match_members(before, after)) {
    if (is_library(pair, context)) {
      LibraryDiff library = diff_library(pair, context);
      // The same bytes have the same symbols, whatever the facts hold of them.
      library.symbols_compared = library.symbols_compared || same_contents(pair);
      all_compared = all_compared && library.symbols_compared;
      if (changed(library)) {
        diff.libraries.push_back(std::move(library));
      } else {
        ++diff.libraries_alike;
      }
    }
    if (same_contents(pair)) {
      ++diff.members_alike;
    } else {
      diff.members.push_back(diff_member(pair));
    }
  }
  if (all_compared) {
    diff.sides.before.without_symbols.clear();
    diff.sides.after.without_symbols.clear();
  }
  std::ranges::stable_sort(diff.members, std::ranges::greater(), growth);
  return diff;
}

}  // namespace wheel_audit
