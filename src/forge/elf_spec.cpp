// An ELF recipe, read and checked before any byte is laid out.
#include "forge/elf_spec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "forge/content.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

constexpr std::uint64_t kMostAlign = 0x400000;

/// A word of the table, or a machine number with x86_64's habits.
Machine read_machine(Fields& fields) {
  const Machine& usual = *find_machine("x86_64");
  const Json* value = fields.find("machine");
  if (value == nullptr) return usual;
  if (value->is_integer()) {
    Machine machine = usual;
    machine.code = static_cast<std::uint16_t>(fields.number("machine", 0, 0xffff));
    machine.word.clear();
    return machine;
  }
  const std::string word = fields.text("machine");
  if (const Machine* machine = find_machine(word)) return *machine;
  const std::vector<std::string> words = machine_words();
  fields.fail("machine",
              fmt::format("unknown machine \"{}\"{}", printable(word), did_you_mean(word, words)));
  return usual;
}

void read_head(Fields& fields, ElfSpec& spec, Build& build) {
  spec.machine = read_machine(fields);
  const std::uint64_t bits = fields.number("bits", spec.machine.wide ? 64 : 32, 64);
  if (bits != 32 && bits != 64) fields.fail("bits", "expected 32 or 64");
  spec.machine.wide = bits == 64;
  spec.machine.big =
      fields.word("endian", spec.machine.big ? "big" : "little", {"little", "big"}) == "big";
  spec.type = fields.word("type", "dyn", {"dyn", "exec", "rel"});
  spec.dynamic = fields.flag("dynamic", true);
  spec.os_abi = fields.number("os_abi", 0, 255);
  spec.abi_version = fields.number("abi_version", 0, 255);
  spec.flags = fields.maybe_number("flags", UINT32_MAX);
  const std::uint64_t usual_align = spec.machine.align;
  spec.align = fields.number("align", usual_align, kMostAlign);
  if (spec.align < 16 || (spec.align & (spec.align - 1)) != 0) {
    fields.fail("align", fmt::format("is {}, expected a power of two from 16", spec.align));
    spec.align = usual_align;
  }
  // Up to four segments are padded to the alignment.
  if (!build.take(4 * spec.align)) fields.fail("align", "takes the recipe over its limit of bytes");
  spec.misalign = fields.number("misalign", 0, kMostAlign);
}

void read_linking(Fields& fields, ElfSpec& spec, Build& build) {
  spec.soname = fields.maybe_text("soname");
  spec.needed = fields.texts("needed");
  spec.rpath = fields.maybe_text("rpath");
  spec.runpath = fields.maybe_text("runpath");
  spec.interpreter = fields.text("interpreter");
  spec.hash = fields.word("hash", "gnu", {"gnu", "sysv", "both", "none"});
  read_symbols(fields, spec, build);
  spec.relr = fields.flag("relr", false);
  // glibc from 2.36 refuses DT_RELR without this need; musl has no versions.
  const bool glibc =
      std::find(spec.needed.begin(), spec.needed.end(), "libc.so.6") != spec.needed.end();
  if (fields.flag("relr_marker", spec.relr && glibc)) {
    spec.needs.push_back({"libc.so.6", "GLIBC_ABI_DT_RELR", false});
  }
}

void read_habits(Fields& fields, ElfSpec& spec) {
  spec.stack = fields.word("stack", "rw", {"rw", "rwx", "none"});
  const Json* text = fields.find("text_relocations");
  if (text != nullptr && text->is_string()) {
    fields.word("text_relocations", "", {"flag"});
    spec.text_relocation_flag = true;
  } else {
    spec.text_relocation = fields.flag("text_relocations", false);
  }
  spec.bind_now = fields.flag("bind_now", true);
  spec.relro = fields.flag("relro", true);
  spec.static_tls = fields.flag("static_tls", false);
  spec.writable_code = fields.flag("writable_code", false);
  spec.isa_needed = fields.texts("isa_needed");
  spec.isa_used = fields.texts("isa_used");
  spec.build_id = fields.hex("build_id");
}

ExtraSection read_section(const Json& json, const std::string& place, Build& build,
                          Fields& parent) {
  Fields fields(json, place);
  ExtraSection section;
  section.name = fields.text("name", ".extra");
  section.allocated = fields.flag("allocated", false);
  section.writable = fields.flag("writable", false);
  section.content = read_content(fields, build);
  if (const Result<void> done = fields.finish(); !done) parent.fail(done.error());
  return section;
}

void read_payload(Fields& fields, ElfSpec& spec, Build& build) {
  spec.section_headers = fields.flag("section_headers", true);
  spec.symtab_bytes = fields.size("symtab_bytes", build);
  spec.debug_bytes = fields.size("debug_bytes", build);
  spec.debug_compressed = fields.flag("debug_compressed", false);
  spec.debug_link = fields.text("debug_link");
  spec.headers_at_end = fields.word("program_headers_at", "start", {"start", "end"}) == "end";
  spec.strings = fields.texts("strings");
  spec.text_bytes = fields.size("text_bytes", build);
  spec.pad_bytes = fields.size("pad_bytes", build);
  for (const Json& section : fields.array("sections_extra")) {
    spec.sections.push_back(read_section(section, fields.at("sections_extra"), build, fields));
  }
  if (const Json* gpu = fields.find("gpu")) {
    Result<std::vector<Container>> containers = read_containers(*gpu, fields.at("gpu"), build);
    if (containers) {
      spec.gpu = std::move(*containers);
    } else {
      fields.fail(containers.error());
    }
  }
  for (const auto& [key, value] : fields.object("corrupt")) {
    if (!value.is_integer() || value.as_int() < 0) fields.fail("corrupt", "expected numbers");
    spec.corrupt[key] = value.as_uint();
  }
}

}  // namespace

Result<ElfSpec> read_elf_spec(const Json& json, const std::string& place, Build& build) {
  Fields fields(json, place);
  ElfSpec spec;
  read_head(fields, spec, build);
  read_linking(fields, spec, build);
  read_habits(fields, spec);
  read_payload(fields, spec, build);
  if (spec.type == "rel") spec.dynamic = false;
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return spec;
}

}  // namespace wheel_audit::forge
