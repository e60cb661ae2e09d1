// The dynamic section, and everything else that waits for addresses.
#include <algorithm>

#include "forge/elf_image.hpp"

namespace wheel_audit::forge {

namespace {

constexpr std::uint64_t kFlagTextrel = 4;
constexpr std::uint64_t kFlagNow = 8;
constexpr std::uint64_t kFlagStaticTls = 16;

std::uint8_t type_code(const SymbolSpec& symbol) {
  if (symbol.type == "object") return 1;
  if (symbol.type == "func") return 2;
  if (symbol.type == "tls") return 6;
  return symbol.type == "ifunc" ? 10 : 0;
}

std::uint8_t binding_code(const SymbolSpec& symbol) {
  return symbol.weak ? 2 : symbol.unique ? 10 : 1;
}

void add_names(Image& image) {
  const ElfSpec& spec = *image.spec;
  Strings& strings = image.tables.strings;
  const auto name = [&](std::uint64_t tag, const std::string& text, const char* mark) {
    image.dynamic.push_back({tag, strings.add(text), "", mark});
  };
  for (const std::string& needed : spec.needed) name(1, needed, "needed");
  if (spec.soname) name(14, *spec.soname, "soname");
  if (spec.rpath) name(15, *spec.rpath, "rpath");
  if (spec.runpath) name(29, *spec.runpath, "runpath");
}

void add_flags(Image& image) {
  const ElfSpec& spec = *image.spec;
  std::uint64_t flags = 0;
  if (spec.text_relocation || spec.text_relocation_flag) flags |= kFlagTextrel;
  if (spec.bind_now) flags |= kFlagNow;
  if (spec.static_tls) flags |= kFlagStaticTls;
  if (spec.text_relocation) image.dynamic.push_back({22, 0, "", "textrel"});
  if (flags != 0) image.dynamic.push_back({30, flags, "", "flags"});
  const bool pie = spec.type == "dyn" && !spec.interpreter.empty();
  const std::uint64_t more = (spec.bind_now ? 1U : 0U) | (pie ? 0x08000000U : 0U);
  if (more != 0) image.dynamic.push_back({0x6ffffffb, more, "", "flags_1"});
}

void add_tables(Image& image) {
  const Tables& tables = image.tables;
  std::vector<DynamicEntry>& dynamic = image.dynamic;
  if (image.find(".hash") != nullptr) dynamic.push_back({4, 0, ".hash", "hash"});
  if (image.find(".gnu.hash") != nullptr) {
    dynamic.push_back({0x6ffffef5, 0, ".gnu.hash", "gnu_hash"});
  }
  dynamic.push_back({5, 0, ".dynstr", "strtab"});
  dynamic.push_back({6, 0, ".dynsym", "symtab"});
  dynamic.push_back({10, tables.strings.bytes().size(), "", "strsz"});
  dynamic.push_back({11, image.find(".dynsym")->entry_size, "", "syment"});
  if (!image.spec->interpreter.empty()) dynamic.push_back({21, 0, "", "debug"});
  const bool addends = image.spec->machine.addends;
  const std::string name = addends ? ".rela.dyn" : ".rel.dyn";
  if (const Section* table = image.find(name)) {
    dynamic.push_back({addends ? 7U : 17U, 0, name, "rela"});
    dynamic.push_back({addends ? 8U : 18U, table->content.size(), "", "relasz"});
    dynamic.push_back({addends ? 9U : 19U, table->entry_size, "", "relaent"});
  }
  if (const Section* table = image.find(".relr.dyn")) {
    dynamic.push_back({36, 0, ".relr.dyn", "relr"});
    dynamic.push_back({35, table->content.size(), "", "relrsz"});
    dynamic.push_back({37, table->entry_size, "", "relrent"});
  }
  if (!tables.versym.empty()) dynamic.push_back({0x6ffffff0, 0, ".gnu.version", "versym"});
  if (!tables.verdef.empty()) {
    dynamic.push_back({0x6ffffffc, 0, ".gnu.version_d", "verdef"});
    dynamic.push_back({0x6ffffffd, tables.verdef_count, "", "verdefnum"});
  }
  if (!tables.verneed.empty()) {
    dynamic.push_back({0x6ffffffe, 0, ".gnu.version_r", "verneed"});
    dynamic.push_back({0x6fffffff, tables.verneed_count, "", "verneednum"});
  }
}

std::uint64_t section_index(const Image& image, std::string_view name) {
  for (std::size_t i = 0; i < image.sections.size(); ++i) {
    if (image.sections[i].name == name) return i + 1;
  }
  return 0;
}

void fill_symbols(Image& image) {
  const bool wide = image.spec->machine.wide;
  Out out = image.out();
  out.zeros(wide ? 24 : 16);
  for (std::size_t i = 0; i < image.tables.symbols.size(); ++i) {
    const SymbolSpec& symbol = image.tables.symbols[i];
    const Definition& definition = image.definitions[i];
    // The value of a thread-local symbol is its offset in the TLS segment.
    const std::uint64_t start = symbol.type == "tls" ? 0 : image.address(definition.section);
    const std::uint64_t value = symbol.defined ? start + definition.offset : 0;
    const std::uint64_t info = std::uint64_t{binding_code(symbol)} << 4U | type_code(symbol);
    out.u32(image.tables.names[i]);
    if (!wide) {
      out.u32(value);
      out.u32(definition.size);
    }
    out.u8(info);
    out.u8(0);
    out.u16(section_index(image, definition.section));
    if (wide) {
      out.u64(value);
      out.u64(definition.size);
    }
  }
  image.find(".dynsym")->content = out.bytes;
}

/// Writes an address into a section's contents.
void put_word(Image& image, Section& section, std::uint64_t offset, std::uint64_t value) {
  Out out = image.out();
  out.bytes = std::move(section.content);
  out.set(offset, value, static_cast<std::size_t>(image.word()));
  section.content = std::move(out.bytes);
}

void fill_relocations(Image& image) {
  const Machine& machine = image.spec->machine;
  Out out = image.out();
  for (const Relocation& relocation : image.relocations) {
    Section& section = *image.find(relocation.section);
    const std::uint32_t type = relocation.symbol == 0 ? machine.relative : machine.global_entry;
    const std::uint64_t target =
        relocation.symbol == 0 ? image.address(relocation.target) + relocation.target_offset : 0;
    out.word(section.address + relocation.offset);
    out.word(std::uint64_t{relocation.symbol} << (machine.wide ? 32U : 8U) | type);
    if (machine.addends) {
      out.word(target);
    } else {
      put_word(image, section, relocation.offset, target);
    }
  }
  Section* table = image.find(machine.addends ? ".rela.dyn" : ".rel.dyn");
  if (table != nullptr) table->content = out.bytes;
  if (Section* packed = image.find(".relr.dyn")) {
    Section& data = *image.find(".data");
    const std::uint64_t slot = data.content.size() - 8;
    put_word(image, data, slot, data.address + slot);
    put_word(image, *packed, 0, data.address + slot);
  }
}

void fill_symtab(Image& image) {
  Section* table = image.find(".symtab");
  if (table == nullptr) return;
  const bool wide = image.spec->machine.wide;
  Out out = image.out();
  out.bytes = std::move(table->content);
  const Section& text = *image.find(".text");
  for (std::uint64_t at = table->entry_size; at < out.size(); at += table->entry_size) {
    out.set(at + (wide ? 6 : 14), section_index(image, ".text"), 2);
    out.set(at + (wide ? 8 : 4), text.address, static_cast<std::size_t>(image.word()));
  }
  table->content = std::move(out.bytes);
}

}  // namespace

void add_dynamic(Image& image) {
  add_names(image);
  add_tables(image);
  add_flags(image);
  image.dynamic.push_back({0, 0, "", ""});
  image.find(".dynstr")->content = image.tables.strings.bytes();
  Section& section = image.at(".dynamic", Part::relro, kAlloc | kWrite, 8);
  section.type = 6;
  section.entry_size = image.word() * 2;
  section.link = ".dynstr";
  section.content.resize(image.dynamic.size() * static_cast<std::size_t>(section.entry_size));
  for (std::size_t i = 0; i < image.dynamic.size(); ++i) {
    const std::uint64_t at = i * section.entry_size + image.word();
    image.tables.marks.emplace(image.dynamic[i].mark,
                               Mark{".dynamic", at, static_cast<std::size_t>(image.word())});
  }
}

void fill_addresses(Image& image) {
  fill_symtab(image);
  if (!image.spec->dynamic) return;
  fill_symbols(image);
  fill_relocations(image);
  Out out = image.out();
  for (const DynamicEntry& entry : image.dynamic) {
    out.word(entry.tag);
    out.word(entry.section.empty() ? entry.value : image.address(entry.section));
  }
  image.find(".dynamic")->content = out.bytes;
}

}  // namespace wheel_audit::forge
