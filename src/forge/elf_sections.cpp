// The sections of a file, in the order in which a linker would put them.
#include <algorithm>

#include "forge/elf_image.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

constexpr std::uint32_t kNote = 7;
constexpr std::uint64_t kSlot = 8;  ///< bytes kept for a word of either class

void note(Image& image, const std::string& name, std::uint32_t type, const Bytes& content,
          std::uint64_t align) {
  Out out = image.out();
  out.u32(4);
  out.u32(content.size());
  out.u32(type);
  out.text(std::string_view("GNU\0", 4));
  out.raw(content);
  out.pad(align);
  Section& section = image.at(name, Part::headers, kAlloc, align);
  section.type = kNote;
  section.content = out.bytes;
}

/// GNU_PROPERTY_X86_ISA_1 bits of `x86-64-v3` and so on; unknown words give none.
std::uint32_t isa_bits(const std::vector<std::string>& words) {
  constexpr std::string_view kWords[] = {"x86-64-baseline", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  std::uint32_t bits = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (std::find(words.begin(), words.end(), kWords[i]) != words.end()) bits |= 1U << i;
  }
  return bits;
}

void add_notes(Image& image) {
  const ElfSpec& spec = *image.spec;
  Out properties = image.out();
  const auto property = [&](std::uint32_t type, const std::vector<std::string>& words) {
    if (words.empty()) return;
    properties.u32(type);
    properties.u32(4);
    properties.u32(isa_bits(words));
    properties.pad(image.word());
  };
  property(0xc0008002, spec.isa_needed);
  property(0xc0010002, spec.isa_used);
  if (properties.size() > 0) note(image, ".note.gnu.property", 5, properties.bytes, image.word());
  if (!spec.build_id.empty()) note(image, ".note.gnu.build-id", 3, spec.build_id, 4);
}

Section& add(Image& image, const std::string& name, std::uint32_t type, const Bytes& content,
             std::uint64_t align, std::uint64_t entry_size, const std::string& link) {
  Section& section = image.at(name, Part::headers, kAlloc, align);
  section.type = type;
  section.content = content;
  section.entry_size = entry_size;
  section.link = link;
  return section;
}

void add_linking(Image& image) {
  const Tables& tables = image.tables;
  const bool wide = image.spec->machine.wide;
  if (!tables.gnu_hash.empty()) {
    add(image, ".gnu.hash", 0x6ffffff6, tables.gnu_hash, 8, 0, ".dynsym");
  }
  if (!tables.sysv_hash.empty()) {
    add(image, ".hash", 5, tables.sysv_hash, 8, image.spec->machine.hash_entry, ".dynsym");
  }
  const std::uint64_t entry = wide ? 24 : 16;
  const Bytes symbols(static_cast<std::size_t>(entry) * (tables.symbols.size() + 1));
  add(image, ".dynsym", 11, symbols, 8, entry, ".dynstr").info = 1;
  add(image, ".dynstr", 3, {}, 1, 0, "");  // grows until every dynamic entry is known
  if (!tables.versym.empty()) {
    add(image, ".gnu.version", 0x6fffffff, tables.versym, 2, 2, ".dynsym");
  }
  if (!tables.verdef.empty()) {
    add(image, ".gnu.version_d", 0x6ffffffd, tables.verdef, 8, 0, ".dynstr").info =
        static_cast<std::uint32_t>(tables.verdef_count);
  }
  if (!tables.verneed.empty()) {
    add(image, ".gnu.version_r", 0x6ffffffe, tables.verneed, 8, 0, ".dynstr").info =
        static_cast<std::uint32_t>(tables.verneed_count);
  }
}

/// Functions that return 0, 16 bytes apart, the program's entry point first; then the word that a
/// text relocation changes.
void add_text(Image& image) {
  const ElfSpec& spec = *image.spec;
  const Bytes stub = from_hex(spec.machine.stub).value_or(Bytes());
  Section& text =
      image.at(".text", Part::text, kAlloc | kExec | (spec.writable_code ? kWrite : 0), kStub);
  Out out;
  const auto function = [&](std::uint64_t size) {
    const std::uint64_t start = out.size();
    out.raw(stub);
    out.zeros(std::max<std::uint64_t>(size, stub.size()) - stub.size());
    out.pad(kStub);
    return Definition{".text", start, std::max<std::uint64_t>(size, stub.size())};
  };
  function(0);
  for (std::size_t i = 0; i < image.tables.symbols.size(); ++i) {
    const SymbolSpec& symbol = image.tables.symbols[i];
    const bool code = symbol.type == "func" || symbol.type == "ifunc" || symbol.type == "notype";
    if (symbol.defined && code) image.definitions[i] = function(symbol.size);
  }
  if (spec.text_relocation) {
    image.relocations.push_back({".text", out.size(), 0, ".text", 0});
    out.zeros(kStub);
  }
  if (out.size() < spec.text_bytes) out.zeros(spec.text_bytes - out.size());
  text.content = out.bytes;
}

void add_objects(Image& image) {
  const bool thread_local_wanted =
      std::any_of(image.tables.symbols.begin(), image.tables.symbols.end(),
                  [](const SymbolSpec& symbol) { return symbol.defined && symbol.type == "tls"; });
  if (image.spec->static_tls || thread_local_wanted) {
    image.at(".tdata", Part::relro, kAlloc | kWrite | kTls, 8).content.resize(8);
  }
  for (std::size_t i = 0; i < image.tables.symbols.size(); ++i) {
    const SymbolSpec& symbol = image.tables.symbols[i];
    if (!symbol.defined || !image.definitions[i].section.empty()) continue;
    Section& section = symbol.type == "tls"
                           ? image.at(".tdata", Part::relro, kAlloc | kWrite | kTls, 8)
                           : image.at(".data", Part::data, kAlloc | kWrite, 8);
    const std::uint64_t size = std::max<std::uint64_t>(symbol.size, kSlot);
    image.definitions[i] = {section.name, section.content.size(), size};
    section.content.resize(section.content.size() + static_cast<std::size_t>((size + 7) / 8 * 8));
  }
}

/// A GOT slot for each import, so that the loader really binds it.
void add_imports(Image& image) {
  for (std::size_t i = 0; i < image.tables.symbols.size(); ++i) {
    const SymbolSpec& symbol = image.tables.symbols[i];
    if (symbol.defined || symbol.type == "tls") continue;
    Section& got = image.at(".got", Part::relro, kAlloc | kWrite, 8);
    image.relocations.push_back(
        {".got", got.content.size(), static_cast<std::uint32_t>(i + 1), "", 0});
    got.content.resize(got.content.size() + static_cast<std::size_t>(image.word()));
  }
}

void add_read_only(Image& image) {
  const ElfSpec& spec = *image.spec;
  for (const std::string& text : spec.strings) {
    Section& section = image.at(".rodata", Part::headers, kAlloc, 8);
    section.content.insert(section.content.end(), text.begin(), text.end());
    section.content.push_back(0);
  }
  if (spec.pad_bytes > 0) {
    image.at(".pad", Part::headers, kAlloc, 8)
        .content.resize(static_cast<std::size_t>(spec.pad_bytes));
  }
  for (const ExtraSection& extra : spec.sections) {
    if (!extra.allocated) continue;
    const Part part = extra.writable ? Part::data : Part::headers;
    Section& section = image.at(extra.name, part, kAlloc | (extra.writable ? kWrite : 0), 8);
    section.content.insert(section.content.end(), extra.content.begin(), extra.content.end());
  }
}

/// Containers, and in .nvFatBinSegment one wrapper for each that the CUDA runtime registers.
void add_gpu(Image& image) {
  for (const Container& container : image.spec->gpu) {
    const bool data = container.place == ".data" || container.place == ".ldata";
    Section& section = image.at(container.place, data ? Part::data : Part::headers,
                                kAlloc | (data ? kWrite : 0), 8);
    section.content.resize((section.content.size() + 7) / 8 * 8);
    const std::uint64_t start = section.content.size();
    section.content.insert(section.content.end(), container.bytes.begin(), container.bytes.end());
    if (container.place != ".nv_fatbin" && container.place != "__nv_relfatbin") continue;
    Section& wrappers = image.at(".nvFatBinSegment", Part::data, kAlloc | kWrite, 8);
    Out wrapper = image.out();
    wrapper.u32(0x466243b1);
    wrapper.u32(1);
    wrapper.zeros(16);
    image.relocations.push_back(
        {".nvFatBinSegment", wrappers.content.size() + 8, 0, container.place, start});
    wrappers.content.insert(wrappers.content.end(), wrapper.bytes.begin(), wrapper.bytes.end());
  }
}

void add_relocations(Image& image) {
  const bool addends = image.spec->machine.addends;
  const std::uint64_t entry = image.word() * (addends ? 3 : 2);
  if (image.spec->relr) {
    Section& data = image.at(".data", Part::data, kAlloc | kWrite, 8);
    data.content.resize((data.content.size() + 7) / 8 * 8 + 8);
    add(image, ".relr.dyn", 19, Bytes(static_cast<std::size_t>(image.word())), 8, image.word(), "");
  }
  if (image.relocations.empty()) return;
  const Bytes table(static_cast<std::size_t>(entry) * image.relocations.size());
  add(image, addends ? ".rela.dyn" : ".rel.dyn", addends ? 4 : 9, table, 8, entry, ".dynsym");
}

}  // namespace

Section* Image::find(std::string_view name) {
  const auto at = std::find_if(sections.begin(), sections.end(),
                               [&](const Section& section) { return section.name == name; });
  return at == sections.end() ? nullptr : &*at;
}

const Section* Image::find(std::string_view name) const {
  return const_cast<Image*>(this)->find(name);  // NOLINT: the same walk
}

std::uint64_t Image::address(std::string_view name) const {
  const Section* section = find(name);
  return section == nullptr ? 0 : section->address;
}

Section& Image::at(const std::string& name, Part part, std::uint64_t flags, std::uint64_t align) {
  if (Section* section = find(name)) return *section;
  Section section;
  section.name = name;
  section.part = part;
  section.flags = flags;
  section.align = align;
  sections.push_back(std::move(section));
  return sections.back();
}

void add_sections(Image& image) {
  const ElfSpec& spec = *image.spec;
  image.definitions.resize(image.tables.symbols.size());
  if (!spec.interpreter.empty()) {
    Section& section = image.at(".interp", Part::headers, kAlloc, 1);
    section.content = to_bytes(spec.interpreter);
    section.content.push_back(0);
  }
  add_notes(image);
  if (spec.dynamic) add_linking(image);
  add_text(image);
  add_objects(image);
  if (spec.dynamic) add_imports(image);
  add_read_only(image);
  add_gpu(image);
  if (spec.dynamic) {
    add_relocations(image);
    add_dynamic(image);
  }
  add_file_sections(image);
  std::stable_sort(image.sections.begin(), image.sections.end(),
                   [](const Section& a, const Section& b) { return a.part < b.part; });
}

}  // namespace wheel_audit::forge
