// The facts of one ELF member read back, with a pool of their own for the symbols.
#include "facts/parts.hpp"
#include "facts/words.hpp"

namespace wheel_audit {

namespace {

void versions_from(const Place& in, bool weak, std::vector<VersionNeed>& needs) {
  in.entries([&](const std::string& library, const Place& versions) {
    for (const std::string& version : versions.texts()) needs.push_back({library, version, weak});
  });
}

// Keys of symbols that stand only where they are not the usual value.
std::string text_or_empty(const Place& in, std::string_view key) {
  return in.maybe(key).text_or_null();
}
bool flag_or_false(const Place& in, std::string_view key) {
  const Place place = in.maybe(key);
  return !place.is_null() && place.flag();
}

/// Reads the symbols; their texts go to the pool first and are viewed once it grows no more.
void symbols_from(const Place& in, ElfFacts& elf) {
  struct Lengths {
    std::size_t name, version, library;
  };
  auto pool = std::make_shared<std::string>();
  std::vector<Lengths> lengths;
  lengths.reserve(in.size());
  elf.symbols.reserve(in.size());
  in.each([&](const Place& one) {
    const std::string name = one["name"].text();
    const std::string version = text_or_empty(one, "version");
    const std::string library = text_or_empty(one, "library");
    pool->append(name).append(version).append(library);
    lengths.push_back({name.size(), version.size(), library.size()});
    Symbol symbol;
    const Place binding = one.maybe("binding");
    if (!binding.is_null()) symbol.binding = static_cast<Binding>(binding.word(kBindings));
    symbol.type = one["type"].number<std::uint8_t>();
    symbol.defined = flag_or_false(one, "defined");
    symbol.hidden = flag_or_false(one, "hidden");
    elf.symbols.push_back(symbol);
  });
  std::string_view rest = *pool;
  const auto next = [&](std::size_t length) {
    const std::string_view text = rest.substr(0, length);
    rest.remove_prefix(length);
    return text;
  };
  for (std::size_t i = 0; i < elf.symbols.size(); ++i) {
    elf.symbols[i].name = next(lengths[i].name);
    elf.symbols[i].version = next(lengths[i].version);
    elf.symbols[i].library = next(lengths[i].library);
  }
  elf.pool = std::move(pool);
}

Segment segment_from(const Place& in) {
  if (!in.row(6)) return {};
  const auto u64 = [&](std::size_t i) { return in.item(i).number<std::uint64_t>(); };
  return {u64(0), u64(1), u64(2), u64(3), u64(4), in.item(5).number<std::uint32_t>()};
}

Section section_from(const Place& in) {
  if (!in.row(5)) return {};
  const auto u64 = [&](std::size_t i) { return in.item(i).number<std::uint64_t>(); };
  return {in.item(0).text(), in.item(1).number<std::uint32_t>(), u64(2), u64(3), u64(4)};
}

/// What the settled keys say.
void settled_from(const Place& in, ElfFacts& elf) {
  elf.path = in["path"].text();
  elf.bits = in["class"].number<std::uint8_t>();
  if (elf.bits != 32 && elf.bits != 64) in["class"].fail("32 or 64");
  elf.machine = in["machine"].text();
  elf.type = in["type"].text();
  elf.soname = in["soname"].text_or_null();
  elf.needed = in["needed"].texts();
  elf.rpath = in["rpath"].texts();
  elf.runpath = in["runpath"].texts();
  elf.has_rpath = !elf.rpath.empty();
  elf.has_runpath = !elf.runpath.empty();
  versions_from(in["needs_versions"], false, elf.version_needs);
  versions_from(in["weak_versions"], true, elf.version_needs);
  elf.defines_versions = in["defines_versions"].texts();
  const Place stack = in["stack"];
  if (!stack.is_null()) elf.stack = static_cast<Stack>(stack.word(kStacks) + 1);
  elf.text_relocations = in["text_relocations"].flag();
  elf.bind_now = in["bind_now"].flag();
  elf.interpreter = in["interpreter"].optional_text();
  elf.build_id = in["build_id"].text_or_null();
  elf.section_headers = in["section_headers"].flag();
  elf.symtab = in["symtab"].flag();
  elf.debug = in["debug"].flag();
  elf.exports = in["exports"].number<std::uint64_t>();
  elf.imports = in["imports"].number<std::uint64_t>();
}

}  // namespace

ElfFacts elf_from_json(const Place& in) {
  ElfFacts elf;
  settled_from(in, elf);
  elf.big_endian = in["big_endian"].flag();
  elf.machine_code = in["machine_code"].number<std::uint16_t>();
  elf.os_abi = in["os_abi"].number<std::uint8_t>();
  elf.flags = in["flags"].number<std::uint32_t>();
  elf.dynamic = in["dynamic"].flag();
  elf.relro = in["relro"].flag();
  elf.static_tls = in["static_tls"].flag();
  elf.packed_relocations = in["packed_relocations"].flag();
  elf.isa_needed = in["isa_needed"].texts();
  elf.segments = vector_from(in["segments"], segment_from);
  elf.sections = vector_from(in["sections"], section_from);
  elf.symtab_bytes = in["symtab_bytes"].number<std::uint64_t>();
  elf.debug_bytes = in["debug_bytes"].number<std::uint64_t>();
  const Place paths = in.maybe("paths");
  if (!paths.is_null()) elf.paths = paths.texts();
  elf.more_paths = flag_or_false(in, "more_paths");
  elf.all_symbols = in["all_symbols"].flag();
  symbols_from(in["symbols"], elf);
  return elf;
}

}  // namespace wheel_audit
