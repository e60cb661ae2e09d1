#include "forge/fatbin_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "forge/content.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

constexpr std::uint64_t kFlag64Bit = 0x1;
constexpr std::uint64_t kFlagDebug = 0x2;
constexpr std::uint64_t kFlagLinux = 0x10;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagScrambled = 0x10000;
constexpr std::uint64_t kFlagSpecific = 0x100000;
constexpr std::uint64_t kFlagFamily = 0x200000;
constexpr std::uint64_t kFlagModernCubin = 0x1000000;  // every cubin of 10.0 and later

constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kCubin = 2;
constexpr std::uint16_t kLto = 8;

/// `9.0` in two numbers.
struct Dotted {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};

std::optional<Dotted> read_dotted(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() != 2) return std::nullopt;
  std::array<std::uint32_t, 2> numbers{};
  for (std::size_t i = 0; i < 2; ++i) {
    if (parts[i].empty() || parts[i].size() > 4) return std::nullopt;
    for (const char c : parts[i]) {
      if (c < '0' || c > '9') return std::nullopt;
      numbers[i] = numbers[i] * 10 + static_cast<std::uint32_t>(c - '0');
    }
  }
  return Dotted{numbers[0], numbers[1]};
}

/// One entry as the recipe wants it.
struct Entry {
  std::uint16_t kind = kCubin;
  Dotted arch;
  char suffix = 0;
  Dotted isa;
  std::uint64_t flags = 0;
  std::optional<Dotted> toolkit;
  std::string compressed;  // empty, `lz4`, `zstd`
  std::uint64_t bytes = 0;

  std::uint32_t number() const { return arch.major * 10 + arch.minor; }
  std::string word() const {
    return suffix == 0 ? std::to_string(number()) : fmt::format("{}{}", number(), suffix);
  }
};

/// The PTX version that first knew an architecture, 8.0 at least: what a compiler would write.
Dotted oldest_isa(const Entry& entry) {
  const std::uint32_t arch = entry.number();
  if (arch >= 110 && arch < 120) return {9, 0};
  if (arch == 103 || arch == 121 || entry.suffix == 'f') return {8, 8};
  if (arch >= 120) return {8, 7};
  if (arch >= 100) return {8, 6};
  return {8, 0};
}

void read_arch(Fields& fields, std::string_view key, std::string_view text, Entry& entry) {
  std::string_view number = text;
  if (text.ends_with('a') || text.ends_with('f')) {
    entry.suffix = text.back();
    number.remove_suffix(1);
  }
  const std::optional<Dotted> arch = read_dotted(number);
  if (!arch) {
    fields.fail(key, fmt::format("\"{}\" is no architecture, expected 9.0, 9.0a or 10.0f",
                                 printable(text)));
    return;
  }
  entry.arch = *arch;
}

void read_form(Fields& fields, std::string_view key, std::string_view form, Entry& entry) {
  if (form == "sass") {
    entry.kind = kCubin;
  } else if (form == "ptx") {
    entry.kind = kPtx;
  } else if (form == "lto") {
    entry.kind = kLto;
  } else {
    fields.fail(key,
                fmt::format("unknown form \"{}\", expected sass, ptx or lto", printable(form)));
  }
}

/// A version of a code object, `9.0`; absent: `otherwise`.
std::optional<Dotted> read_version(Fields& fields, std::string_view key) {
  const std::optional<std::string> text = fields.maybe_text(key);
  if (!text) return std::nullopt;
  const std::optional<Dotted> value = read_dotted(*text);
  if (!value) fields.fail(key, fmt::format("\"{}\" is not major.minor", printable(*text)));
  return value;
}

Result<Entry> read_entry(const Json& spec, const std::string& place, Build& build) {
  Entry entry;
  const bool brief = spec.is_string();
  Json object = spec;
  if (brief) {
    const std::vector<std::string_view> words = split(spec.as_string(), ' ');
    if (words.size() != 2) {
      return Error(fmt::format("\"{}\" is no code, expected \"sass 9.0\"",
                               printable(spec.as_string())))
          .in(place);
    }
    object = Json::object();
    object.set("form", words[0]);
    object.set("arch", words[1]);
  }
  Fields fields(object, place);
  read_form(fields, "form", fields.text("form", "sass"), entry);
  read_arch(fields, "arch", fields.text("arch"), entry);
  const Dotted fallback = entry.kind == kPtx ? oldest_isa(entry) : Dotted{1, 7};
  entry.isa = read_version(fields, "isa").value_or(fallback);
  entry.toolkit = read_version(fields, "toolkit");
  entry.bytes = fields.size("bytes", build);
  const Json* compressed = fields.find("compressed");
  if (compressed != nullptr && !compressed->is_bool()) {
    entry.compressed = fields.word("compressed", "", {"lz4", "zstd"});
  } else if (fields.flag("compressed", entry.kind == kLto)) {
    entry.compressed = "lz4";
  }
  entry.flags = kFlag64Bit | (fields.flag("windows", false) ? 0x40 : kFlagLinux);
  if (fields.flag("debug", false)) entry.flags |= kFlagDebug;
  if (entry.compressed == "lz4") entry.flags |= kFlagLz4;
  if (entry.compressed == "zstd") entry.flags |= kFlagZstd;
  if (entry.kind == kLto) entry.flags |= kFlagScrambled;
  if (entry.suffix == 'a') entry.flags |= kFlagSpecific;
  if (entry.suffix == 'f') entry.flags |= kFlagFamily;
  if (entry.kind == kCubin && entry.arch.major >= 10) entry.flags |= kFlagModernCubin;
  entry.flags = fields.number("flags", entry.flags, UINT64_MAX);
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return entry;
}

/// The header of a device ELF file. ABI version 7 carries the toolkit in e_version, 8 does not.
Bytes cubin_header(const Entry& entry) {
  const std::uint64_t version =
      entry.toolkit ? entry.toolkit->major * 10 + entry.toolkit->minor : 1;
  const std::uint64_t arch = entry.number();
  Out out;
  out.text(
      "\x7f"
      "ELF");
  out.u8(2);
  out.u8(1);
  out.u8(1);
  out.u8(entry.toolkit ? 0x33 : 0x41);
  out.u8(entry.toolkit ? 7 : 8);
  out.zeros(7);
  out.u16(2);
  out.u16(190);
  out.u32(version);
  out.zeros(24);
  out.u32(entry.toolkit ? (arch << 16U | 0x500U | arch) : (arch << 8U | 2U));
  out.u16(64);
  out.u16(56);
  out.u16(0);
  out.u16(64);
  out.u16(0);
  out.u16(0);
  return out.bytes;
}

/// Bytes that are no text and no magic, the same on every run.
Bytes noise(std::uint64_t size) {
  Bytes bytes(static_cast<std::size_t>(size));
  std::uint32_t state = 0x9e3779b9;
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return bytes;
}

/// What an entry holds before padding. A compressed one is noise under the promised size.
Bytes payload_of(const Entry& entry) {
  if (!entry.compressed.empty()) return noise(std::max<std::uint64_t>(entry.bytes, 40));
  Bytes bytes = entry.kind == kPtx
                    ? to_bytes(fmt::format("//\n.version {}.{}\n.target sm_{}\n.address_size 64\n",
                                           entry.isa.major, entry.isa.minor, entry.word()))
                : entry.kind == kLto ? noise(40)
                                     : cubin_header(entry);
  const std::uint8_t filler = entry.kind == kPtx ? ' ' : 0;
  if (bytes.size() < entry.bytes) bytes.resize(static_cast<std::size_t>(entry.bytes), filler);
  return bytes;
}

void write_entry(Out& out, const Entry& entry) {
  const Bytes payload = payload_of(entry);
  const bool compressed = !entry.compressed.empty();
  const std::uint64_t padded = (payload.size() + 7) / 8 * 8;
  out.u16(entry.kind);
  out.u16(0x0101);
  out.u32(64);
  out.u64(padded);
  out.u32(compressed ? payload.size() : 0);
  out.u32(0);
  out.u16(entry.isa.minor);
  out.u16(entry.isa.major);
  out.u32(entry.number());
  out.u32(0);
  out.u32(0);
  out.u64(entry.flags);
  out.u64(entry.kind == kLto ? 0x5eed5eed : 0);
  out.u64(compressed ? payload.size() * 4 : 0);
  out.raw(payload);
  out.pad(8);
}

/// Writes lies into a finished container. Those that start with `entry_` are of the first entry.
Result<void> corrupt(const Json& spec, const std::string& place, Out& out) {
  struct Place {
    std::string_view key;
    std::uint64_t offset;
    std::size_t width;
  };
  constexpr Place kPlaces[] = {{"magic", 0, 4},
                               {"version", 4, 2},
                               {"header_size", 6, 2},
                               {"total", 8, 8},
                               {"entry_kind", 16, 2},
                               {"entry_version", 18, 2},
                               {"entry_header_size", 20, 4},
                               {"entry_size", 24, 8},
                               {"entry_compressed", 32, 4},
                               {"entry_options", 36, 4},
                               {"entry_arch", 44, 4},
                               {"entry_name", 48, 4},
                               {"entry_name_length", 52, 4},
                               {"entry_flags", 56, 8}};
  Fields fields(spec, place);
  if (const std::int64_t delta = fields.whole("size", 0); delta != 0) {
    out.set(8, out.size() - 16 + static_cast<std::uint64_t>(delta), 8);
  }
  for (const Place& lie : kPlaces) {
    if (const auto value = fields.maybe_number(lie.key)) out.set(lie.offset, *value, lie.width);
  }
  if (const auto size = fields.maybe_number("truncate")) {
    if (*size < out.size()) out.bytes.resize(static_cast<std::size_t>(*size));
  }
  return fields.finish();
}

Result<Container> read_container(const Json& spec, const std::string& place,
                                 const std::string& section, Build& build) {
  Fields fields(spec, place);
  Container container;
  container.place = fields.text("place", section);
  Out out;
  out.u32(0xba55ed50);
  out.u16(1);
  out.u16(16);
  out.u64(0);
  const Json::Array& code = fields.array("code");
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Result<Entry> entry = read_entry(code[i], fmt::format("{}.code[{}]", place, i), build);
    if (!entry) return entry.error();
    write_entry(out, *entry);
  }
  out.set(8, out.size() - 16, 8);
  if (const Json* lies = fields.find("corrupt")) {
    if (const Result<void> done = corrupt(*lies, fields.at("corrupt"), out); !done) {
      return done.error();
    }
  }
  if (const Result<void> done = fields.finish(); !done) return done.error();
  container.bytes = std::move(out.bytes);
  return container;
}

}  // namespace

Result<std::vector<Container>> read_containers(const Json& spec, const std::string& place,
                                               Build& build) {
  Json object = spec;
  if (spec.is_array()) {
    Json container = Json::object();
    container.set("code", spec);
    object = Json::object();
    object.set("containers", Json(Json::Array{container}));
  }
  Fields fields(object, place);
  const std::string section = fields.text("section", ".nv_fatbin");
  std::vector<Container> containers;
  for (const Json& item : fields.array("containers")) {
    const std::string at = fmt::format("{}.containers[{}]", place, containers.size());
    Result<Container> container = read_container(item, at, section, build);
    if (!container) return container.error();
    containers.push_back(std::move(*container));
  }
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return containers;
}

Result<Bytes> build_fatbin(const Json& spec, const std::string& place, Build& build) {
  const Result<std::vector<Container>> containers = read_containers(spec, place, build);
  if (!containers) return containers.error();
  Out out;
  for (const Container& container : *containers) {
    out.pad(8);
    out.raw(container.bytes);
  }
  return out.bytes;
}

}  // namespace wheel_audit::forge
