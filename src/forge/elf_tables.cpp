// The dynamic tables of a written ELF file (System V gABI, chapter 5; the GNU hash table). Shares
// no code with the readers.
#include "forge/elf_tables.hpp"

#include <algorithm>

namespace wheel_audit::forge {

namespace {

constexpr std::uint16_t kGlobalVersion = 1;
constexpr std::uint16_t kHiddenBit = 0x8000;

/// The hash of DT_HASH and of version names (System V gABI).
std::uint32_t sysv_hash(const std::string& name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4U) + static_cast<std::uint8_t>(c);
    const std::uint32_t high = hash & 0xf0000000U;
    hash = (hash ^ high >> 24U) & ~high;
  }
  return hash;
}

/// The hash of DT_GNU_HASH.
std::uint32_t gnu_hash(const std::string& name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<std::uint8_t>(c);
  return hash;
}

std::uint32_t bucket_count(std::size_t symbols) {
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, symbols / 2));
}

/// Imports first, then definitions grouped by their GNU hash bucket, as DT_GNU_HASH demands.
void order_symbols(const ElfSpec& spec, Tables& tables) {
  std::vector<SymbolSpec> defined;
  for (const SymbolSpec& symbol : spec.symbols) {
    (symbol.defined ? defined : tables.symbols).push_back(symbol);
  }
  const std::uint32_t buckets = bucket_count(defined.size());
  std::stable_sort(defined.begin(), defined.end(), [&](const SymbolSpec& a, const SymbolSpec& b) {
    return gnu_hash(a.name) % buckets < gnu_hash(b.name) % buckets;
  });
  tables.symbols.insert(tables.symbols.end(), defined.begin(), defined.end());
  for (const SymbolSpec& symbol : tables.symbols) {
    tables.names.push_back(tables.strings.add(symbol.name));
  }
}

/// Version needs grouped by library, in order of first mention.
using Needs = std::vector<std::pair<std::string, std::vector<NeedSpec>>>;

void add_need(Needs& needs, const NeedSpec& need) {
  auto library = std::find_if(needs.begin(), needs.end(),
                              [&](const auto& item) { return item.first == need.library; });
  if (library == needs.end()) library = needs.insert(needs.end(), {need.library, {}});
  for (NeedSpec& known : library->second) {
    if (known.version != need.version) continue;
    known.weak = known.weak && need.weak;
    return;
  }
  library->second.push_back(need);
}

Needs collect_needs(const ElfSpec& spec) {
  Needs needs;
  for (const SymbolSpec& symbol : spec.symbols) {
    if (symbol.defined || symbol.version.empty()) continue;
    add_need(needs, {symbol.library, symbol.version, symbol.weak_version});
  }
  for (const NeedSpec& need : spec.needs) add_need(needs, need);
  return needs;
}

using Indices = std::map<std::pair<std::string, std::string>, std::uint16_t>;

void write_verdef(const ElfSpec& spec, Tables& tables, Indices& indices) {
  if (spec.defines.empty()) return;
  std::vector<std::string> names = {spec.soname.value_or("lib.so")};  // the base version
  names.insert(names.end(), spec.defines.begin(), spec.defines.end());
  Out out(spec.machine.big, spec.machine.wide);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto index = static_cast<std::uint16_t>(i + 1);
    if (i > 0) indices[{"", names[i]}] = index;
    out.u16(1);
    out.u16(i == 0 ? 1 : 0);  // VER_FLG_BASE
    out.u16(index);
    out.u16(1);
    out.u32(sysv_hash(names[i]));
    out.u32(20);
    out.u32(i + 1 == names.size() ? 0 : 28);
    out.u32(tables.strings.add(names[i]));
    out.u32(0);
  }
  tables.verdef = out.bytes;
  tables.verdef_count = names.size();
}

void write_verneed(const ElfSpec& spec, Tables& tables, Indices& indices) {
  const Needs needs = collect_needs(spec);
  auto index = static_cast<std::uint16_t>(std::max<std::uint64_t>(tables.verdef_count, 1) + 1);
  Out out(spec.machine.big, spec.machine.wide);
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const auto& [library, versions] = needs[i];
    out.u16(1);
    out.u16(versions.size());
    out.u32(tables.strings.add(library));
    out.u32(16);
    out.u32(i + 1 == needs.size() ? 0 : 16 + 16 * versions.size());
    for (std::size_t k = 0; k < versions.size(); ++k) {
      indices[{library, versions[k].version}] = index;
      out.u32(sysv_hash(versions[k].version));
      out.u16(versions[k].weak ? 2 : 0);  // VER_FLG_WEAK
      out.u16(index++);
      out.u32(tables.strings.add(versions[k].version));
      out.u32(k + 1 == versions.size() ? 0 : 16);
    }
  }
  tables.verneed = out.bytes;
  tables.verneed_count = needs.size();
  tables.marks["verneed_version"] = {".gnu.version_r", 0, 2};
  tables.marks["verneed_count"] = {".gnu.version_r", 2, 2};
  tables.marks["verneed_file"] = {".gnu.version_r", 4, 4};
  tables.marks["verneed_aux"] = {".gnu.version_r", 8, 4};
  tables.marks["verneed_next"] = {".gnu.version_r", 12, 4};
  tables.marks["vernaux_name"] = {".gnu.version_r", 24, 4};
  tables.marks["vernaux_next"] = {".gnu.version_r", 28, 4};
  tables.marks["verdef_next"] = {".gnu.version_d", 16, 4};
  tables.marks["verdef_aux"] = {".gnu.version_d", 12, 4};
}

void write_versym(const ElfSpec& spec, Tables& tables, const Indices& indices) {
  if (tables.verneed.empty() && tables.verdef.empty()) return;
  Out out(spec.machine.big, spec.machine.wide);
  out.u16(0);
  for (const SymbolSpec& symbol : tables.symbols) {
    const auto at = indices.find({symbol.defined ? "" : symbol.library, symbol.version});
    std::uint16_t index = at == indices.end() ? kGlobalVersion : at->second;
    if (symbol.hidden) index |= kHiddenBit;
    out.u16(index);
  }
  tables.versym = out.bytes;
}

void write_sysv_hash(const ElfSpec& spec, Tables& tables) {
  const std::size_t width = spec.machine.hash_entry;
  const std::uint32_t buckets = bucket_count(tables.symbols.size());
  std::vector<std::uint32_t> heads(buckets, 0);
  std::vector<std::uint32_t> chains(tables.symbols.size() + 1, 0);
  for (std::size_t i = tables.symbols.size(); i > 0; --i) {
    std::uint32_t& head = heads[sysv_hash(tables.symbols[i - 1].name) % buckets];
    chains[i] = head;
    head = static_cast<std::uint32_t>(i);
  }
  Out out(spec.machine.big, spec.machine.wide);
  out.number(buckets, width);
  out.number(chains.size(), width);
  for (const std::uint32_t head : heads) out.number(head, width);
  for (const std::uint32_t next : chains) out.number(next, width);
  tables.sysv_hash = out.bytes;
  tables.marks["hash_buckets"] = {".hash", 0, width};
  tables.marks["hash_chains"] = {".hash", width, width};
}

void write_gnu_hash(const ElfSpec& spec, Tables& tables) {
  constexpr std::uint32_t kShift = 6;
  const auto first = std::find_if(tables.symbols.begin(), tables.symbols.end(),
                                  [](const SymbolSpec& symbol) { return symbol.defined; });
  const auto count = static_cast<std::size_t>(tables.symbols.end() - first);
  const std::size_t start = static_cast<std::size_t>(first - tables.symbols.begin()) + 1;
  const std::uint32_t buckets = bucket_count(count);
  const std::uint32_t bits = spec.machine.wide ? 64 : 32;
  std::uint64_t bloom = 0;
  std::vector<std::uint32_t> heads(buckets, 0);
  std::vector<std::uint32_t> chain;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t hash = gnu_hash(tables.symbols[start - 1 + i].name);
    bloom |= std::uint64_t{1} << (hash % bits);
    bloom |= std::uint64_t{1} << ((hash >> kShift) % bits);
    std::uint32_t& head = heads[hash % buckets];
    if (head == 0) head = static_cast<std::uint32_t>(start + i);
    const bool last =
        i + 1 == count || gnu_hash(tables.symbols[start + i].name) % buckets != hash % buckets;
    chain.push_back((hash & ~1U) | (last ? 1U : 0U));
  }
  Out out(spec.machine.big, spec.machine.wide);
  out.u32(buckets);
  out.u32(count == 0 ? 1 : start);  // what linkers write for a table without definitions
  out.u32(1);
  out.u32(count == 0 ? 0 : kShift);
  out.word(bloom);
  for (const std::uint32_t head : heads) out.u32(head);
  for (const std::uint32_t value : chain) out.u32(value);
  tables.gnu_hash = out.bytes;
  tables.marks["gnu_hash_buckets"] = {".gnu.hash", 0, 4};
  tables.marks["gnu_hash_first"] = {".gnu.hash", 4, 4};
  tables.marks["gnu_hash_bloom"] = {".gnu.hash", 8, 4};
  tables.marks["gnu_hash_shift"] = {".gnu.hash", 12, 4};
  if (count > 0) {
    const std::uint64_t head = 16 + (spec.machine.wide ? 8 : 4);
    tables.marks["gnu_hash_bucket"] = {".gnu.hash", head, 4};
    tables.marks["gnu_hash_last"] = {".gnu.hash", out.size() - 4, 4};
  }
}

}  // namespace

std::uint64_t Strings::add(const std::string& text) {
  if (text.empty()) return 0;
  const auto [at, is_new] = known_.emplace(text, bytes_.size());
  if (is_new) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    bytes_.push_back(0);
  }
  return at->second;
}

Tables make_tables(const ElfSpec& spec) {
  Tables tables;
  order_symbols(spec, tables);
  Indices indices;
  write_verdef(spec, tables, indices);
  write_verneed(spec, tables, indices);
  write_versym(spec, tables, indices);
  if (spec.hash == "gnu" || spec.hash == "both") write_gnu_hash(spec, tables);
  if (spec.hash == "sysv" || spec.hash == "both") write_sysv_hash(spec, tables);
  return tables;
}

}  // namespace wheel_audit::forge
