// The smallest files that PE, Mach-O and `ar` readers take for one: headers, and for archives
// their members. Formats: Microsoft's PE specification, Apple's mach-o/loader.h, ar(5).
#include <fmt/format.h>

#include "forge/content.hpp"

namespace wheel_audit::forge {

namespace {

constexpr std::size_t kPeHeader = 0x80;
constexpr std::size_t kPeImage = 0x400;

struct ForeignMachine {
  std::string_view word;
  std::uint16_t pe;
  std::uint32_t macho;
};
constexpr ForeignMachine kMachines[] = {
    {"x86_64", 0x8664, 0x01000007}, {"aarch64", 0xaa64, 0x0100000c}, {"i686", 0x014c, 7}};

const ForeignMachine& machine_of(Fields& fields) {
  const std::string word = fields.word("machine", "x86_64", {"x86_64", "aarch64", "i686"});
  for (const ForeignMachine& machine : kMachines) {
    if (machine.word == word) return machine;
  }
  return kMachines[0];
}

}  // namespace

Result<Bytes> build_pe(const Json& spec, const std::string& place) {
  Fields fields(spec, place);
  const ForeignMachine& machine = machine_of(fields);
  const bool dll = fields.flag("dll", true);
  if (const Result<void> done = fields.finish(); !done) return done.error();
  const bool wide = machine.word != "i686";
  Out out;
  out.text("MZ");
  out.zeros(0x3c - out.size());
  out.u32(kPeHeader);
  out.zeros(kPeHeader - out.size());
  out.text(std::string_view("PE\0\0", 4));
  out.u16(machine.pe);
  out.u16(1);  // sections
  out.zeros(12);
  out.u16(wide ? 240 : 224);
  out.u16((dll ? 0x2000U : 0U) | (wide ? 0x22U : 0x102U));
  const std::uint64_t optional = out.size();
  out.u16(wide ? 0x20b : 0x10b);
  out.zeros((wide ? 240U : 224U) - 2);
  out.set(optional + 32, 0x1000, 4);               // section alignment
  out.set(optional + 36, 0x200, 4);                // file alignment
  out.set(optional + 56, 0x2000, 4);               // image size
  out.set(optional + 60, 0x200, 4);                // header size
  out.set(optional + 68, 3, 2);                    // console subsystem
  out.set(optional + (wide ? 108U : 92U), 16, 4);  // data directories
  out.text(std::string_view(".text\0\0\0", 8));
  for (const std::uint32_t value : {0x10U, 0x1000U, 0x200U, 0x200U, 0U, 0U, 0U, 0x60000020U}) {
    out.u32(value);
  }
  out.zeros(kPeImage - out.size());
  return out.bytes;
}

Result<Bytes> build_macho(const Json& spec, const std::string& place) {
  Fields fields(spec, place);
  const ForeignMachine& machine = machine_of(fields);
  if (const Result<void> done = fields.finish(); !done) return done.error();
  const bool wide = machine.word != "i686";
  Out out;
  out.u32(wide ? 0xfeedfacf : 0xfeedface);
  out.u32(machine.macho);
  out.u32(machine.word == "aarch64" ? 0 : 3);  // CPU subtype "all"
  out.u32(6);                                  // MH_DYLIB
  out.u32(1);                                  // load commands
  out.u32(24);
  out.u32(0x85);  // NOUNDEFS, DYLDLINK, TWOLEVEL
  if (wide) out.u32(0);
  out.u32(0x1b);  // LC_UUID
  out.u32(24);
  for (std::uint32_t i = 0; i < 16; ++i) out.u8(i);
  return out.bytes;
}

Result<Bytes> build_ar(const Json& spec, const std::string& place, Build& build) {
  Fields fields(spec, place);
  std::string long_names;
  Out members;
  for (const auto& [name, source] : fields.object("members")) {
    Fields member(source, fields.at("members") + "." + name);
    const Bytes content = read_content(member, build);
    if (const Result<void> done = member.finish(); !done) return done.error();
    std::string field = name + "/";
    if (field.size() > 16) {
      field = fmt::format("/{}", long_names.size());
      long_names += name + "/\n";
    }
    members.text(fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", field, 0, 0, 0, "100644",
                             content.size()));
    members.raw(content);
    if (content.size() % 2 != 0) members.text("\n");
  }
  if (const Result<void> done = fields.finish(); !done) return done.error();
  Out out;
  out.text("!<arch>\n");
  if (!long_names.empty()) {
    out.text(fmt::format("{:<48}{:<10}`\n", "//", long_names.size()));
    out.text(long_names);
    if (long_names.size() % 2 != 0) out.text("\n");
  }
  out.raw(members.bytes);
  return out.bytes;
}

}  // namespace wheel_audit::forge
