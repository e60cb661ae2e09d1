// What became of one library from one wheel to the next.
#include "diff/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/lasting_name.hpp"
#include "kinds/platform.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Names by what of them lasts from build to build.
std::map<std::string, std::string> by_lasting_name(const std::vector<std::string>& names) {
  std::map<std::string, std::string> keyed;
  for (const std::string& name : names) keyed.emplace(without_hash(name), name);
  return keyed;
}

/// The versions needed, as `GLIBC_2.34 (libc.so.6)`.
std::set<std::string> versions_of(const ElfFacts& elf) {
  std::set<std::string> versions;
  for (const VersionNeed& need : elf.version_needs)
    versions.insert(fmt::format("{} ({})", need.version, without_hash(need.library)));
  return versions;
}

std::string search_path_of(const ElfFacts& elf) {
  if (!elf.has_runpath && !elf.has_rpath) return {};
  return fmt::format("{} {}", elf.has_runpath ? "runpath" : "rpath", join(elf.search_path(), ":"));
}

/// A symbol that others can link with.
bool is_exported(const Symbol& symbol) {
  constexpr std::uint8_t kSection = 3;  // STT_SECTION
  constexpr std::uint8_t kFile = 4;     // STT_FILE
  return symbol.defined && symbol.binding != Binding::local && !symbol.name.empty() &&
         symbol.type != kSection && symbol.type != kFile;
}

/// The versions of each exported name; an empty one for a definition without.
using Exports = std::unordered_map<std::string_view, std::set<std::string_view>>;

Exports exports_of(const ElfFacts& elf) {
  Exports exports;
  for (const Symbol& symbol : elf.symbols) {
    // A hidden one without a version is a definition that nobody else sees (its visibility).
    if (is_exported(symbol) && !(symbol.hidden && symbol.version.empty()))
      exports[symbol.name].insert(symbol.version);
  }
  return exports;
}

/// Whether what was linked with `version` of a name still finds it. A definition without a version
/// serves every one, and one without a version is served by any (ld.so(8), dl-lookup.c).
bool serves(const std::set<std::string_view>& versions, std::string_view version) {
  return version.empty() || versions.contains(version) || versions.contains("");
}

std::vector<std::string> only_in(const Exports& here, const Exports& there) {
  std::vector<std::string> names;
  for (const auto& [name, versions] : here) {
    const auto other = there.find(name);
    for (const std::string_view version : versions) {
      if (other != there.end() && serves(other->second, version)) continue;
      names.push_back(version.empty() ? std::string(name) : fmt::format("{}@{}", name, version));
    }
  }
  std::ranges::sort(names);
  return names;
}

/// A library that went lost nobody's symbols where another of the wheel has them.
std::vector<std::string> lost_with(const ElfFacts& elf, const NameSet& still) {
  std::vector<std::string> names = only_in(exports_of(elf), {});
  std::erase_if(names, [&](const std::string& name) {
    return still.contains(std::string_view(name).substr(0, name.find('@')));
  });
  return names;
}

void diff_needs(const ElfFacts& before, const ElfFacts& after, const LibraryContext& context,
                bool is_new, LibraryDiff& library) {
  const std::map<std::string, std::string> old = by_lasting_name(before.needed);
  const std::map<std::string, std::string> fresh = by_lasting_name(after.needed);
  for (const auto& [key, name] : old) {
    if (!fresh.contains(key)) library.needed.lost.push_back(name);
  }
  for (const auto& [key, name] : fresh) {
    if (old.contains(key)) continue;
    library.needed.gained.push_back(name);
    // What a library that is new needs is no news where others of the wheel needed it before.
    const bool known = is_new && context.needed_before.contains(key);
    if (!context.shipped.contains(key) && !known && !is_c_library(key))
      library.new_needs.push_back(name);
  }
}

void diff_symbols(const ElfFacts* before, const ElfFacts* after, const LibraryContext& context,
                  LibraryDiff& library) {
  const bool before_known = before == nullptr || before->all_symbols;
  const bool after_known = after == nullptr ? context.all_exports_known : after->all_symbols;
  library.symbols_compared = before_known && after_known;
  if (!library.symbols_compared) return;
  if (after == nullptr) {
    if (before == nullptr) return;  // a pair has one side at least
    library.symbols.lost = lost_with(*before, context.exports);
    return;
  }
  const Exports old = before == nullptr ? Exports() : exports_of(*before);
  const Exports fresh = exports_of(*after);
  library.symbols.lost = only_in(old, fresh);
  if (before != nullptr) library.symbols.gained = only_in(fresh, old);
}

}  // namespace

ListChange list_change(const std::set<std::string>& before, const std::set<std::string>& after) {
  ListChange change;
  std::ranges::set_difference(after, before, std::back_inserter(change.gained));
  std::ranges::set_difference(before, after, std::back_inserter(change.lost));
  return change;
}

std::set<std::string> codes_of(const GpuFacts& gpu) {
  std::set<std::string> codes;
  for (const GpuCode& code : gpu.code) codes.insert(code.form + " " + code.arch);
  return codes;
}

LibraryContext library_context(const WheelFacts& before, const WheelFacts& after) {
  LibraryContext context{before, after, FactsIndex(before), FactsIndex(after), {}, {}, {}, true};
  for (const ElfFacts& elf : before.elves) {
    for (const std::string& need : elf.needed) context.needed_before.insert(without_hash(need));
  }
  for (const ElfFacts& elf : after.elves) {
    context.shipped.insert(without_hash(base_name(elf.path)));
    if (!elf.soname.empty()) context.shipped.insert(without_hash(elf.soname));
    context.all_exports_known = context.all_exports_known && elf.all_symbols;
    for (const Symbol& symbol : elf.symbols) {
      if (is_exported(symbol)) context.exports.insert(symbol.name);
    }
  }
  return context;
}

bool is_library(const Pair& pair, const LibraryContext& context) {
  const auto on = [](const MemberFacts* member, const FactsIndex& wheel) {
    return member != nullptr &&
           (wheel.elf(member->path) != nullptr || wheel.gpu(member->path) != nullptr);
  };
  return on(pair.before, context.before_index) || on(pair.after, context.after_index);
}

LibraryDiff diff_library(const Pair& pair, const LibraryContext& context) {
  static const ElfFacts kNoElf;
  static const GpuFacts kNoGpu;
  LibraryDiff library;
  const ElfFacts* old_elf = nullptr;
  const ElfFacts* new_elf = nullptr;
  const GpuFacts* old_gpu = nullptr;
  const GpuFacts* new_gpu = nullptr;
  if (pair.before != nullptr) {
    library.path.before = pair.before->path;
    library.size.before = pair.before->size;
    old_elf = context.before_index.elf(pair.before->path);
    old_gpu = context.before_index.gpu(pair.before->path);
  }
  if (pair.after != nullptr) {
    library.path.after = pair.after->path;
    library.size.after = pair.after->size;
    new_elf = context.after_index.elf(pair.after->path);
    new_gpu = context.after_index.gpu(pair.after->path);
  }
  library.archs = list_change(codes_of(old_gpu == nullptr ? kNoGpu : *old_gpu),
                              codes_of(new_gpu == nullptr ? kNoGpu : *new_gpu));
  if (old_elf == nullptr && new_elf == nullptr) {
    library.symbols_compared = true;  // it has none
    return library;
  }
  const ElfFacts& before = old_elf == nullptr ? kNoElf : *old_elf;
  const ElfFacts& after = new_elf == nullptr ? kNoElf : *new_elf;
  library.machine = {before.machine, after.machine};
  diff_needs(before, after, context, old_elf == nullptr, library);
  library.soname = {before.soname, after.soname};
  library.search_path = {search_path_of(before), search_path_of(after)};
  library.versions = list_change(versions_of(before), versions_of(after));
  diff_symbols(old_elf, new_elf, context, library);
  return library;
}

bool changed(const LibraryDiff& library) {
  const bool renamed = library.path.before.empty() || library.path.after.empty();
  const bool soname = without_hash(library.soname.before) != without_hash(library.soname.after);
  return renamed || soname || !library.archs.empty() || !library.needed.empty() ||
         library.search_path.differs() || library.machine.differs() || !library.versions.empty() ||
         !library.symbols.empty() || !library.symbols_compared;
}

}  // namespace wheel_audit
