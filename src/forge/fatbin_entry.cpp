// One entry of a fat binary from its recipe (docs/fatbin.md).
#include "forge/fatbin_entry.hpp"

#include <fmt/format.h>

#include <array>

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

}  // namespace

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
  entry.note = fields.flag("note", false);
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

}  // namespace wheel_audit::forge
