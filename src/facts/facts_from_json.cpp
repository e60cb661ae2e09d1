// Facts read back. One sticky reader notes the first thing that is not as it should be; every
// value is then neutral, and the error names the place.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "facts/words.hpp"
#include "wheel_audit/facts_json.hpp"

namespace wheel_audit {

namespace {

class Reader {
 public:
  const std::string& error() const { return error_; }
  void fail(std::string_view key, std::string_view expected) {
    if (error_.empty()) error_ = fmt::format("\"{}\": expected {}", key, expected);
  }

  std::string text(const Json& json, std::string_view key) {
    const Json& value = json[key];
    if (!value.is_null() && !value.is_string()) fail(key, "a string or null");
    return value.as_string();
  }
  std::optional<std::string> optional(const Json& json, std::string_view key) {
    return json[key].is_null() ? std::nullopt : std::optional(text(json, key));
  }
  bool flag(const Json& json, std::string_view key, bool fallback = false) {
    const Json& value = json[key];
    if (value.is_null()) return fallback;
    if (!value.is_bool()) fail(key, "a boolean");
    return value.as_bool();
  }
  template <typename T>
  T number(const Json& value, std::string_view key) {
    if (value.is_null()) return 0;
    const bool fits = value.is_integer() && value.as_int() >= 0 &&
                      value.as_uint() <= std::numeric_limits<T>::max();
    if (!fits) fail(key, fmt::format("an integer from 0 to {}", std::numeric_limits<T>::max()));
    return fits ? static_cast<T>(value.as_uint()) : T{0};
  }
  template <typename T>
  T number_at(const Json& json, std::string_view key) {
    return number<T>(json[key], key);
  }

  std::vector<std::string> list(const Json& json, std::string_view key) {
    return list_of(json[key], key);
  }
  std::vector<std::string> list_of(const Json& value, std::string_view key) {
    const bool good = value.is_null() ||
                      (value.is_array() && std::ranges::all_of(value.items(), &Json::is_string));
    if (!good) fail(key, "a list of strings");
    return value.strings();
  }
  const Json::Array& array(const Json& json, std::string_view key) {
    if (!json[key].is_null() && !json[key].is_array()) fail(key, "a list");
    return json[key].items();
  }
  /// A row: a list of exactly `count` items; else a row of nulls.
  const Json::Array& row(const Json& value, std::string_view key, std::size_t count) {
    static const Json::Array kNulls(8);
    if (value.items().size() == count) return value.items();
    fail(key, fmt::format("rows of {} items", count));
    return kNulls;
  }
  template <std::size_t N>
  std::size_t word(const Json& json, std::string_view key,
                   const std::array<std::string_view, N>& words, std::size_t fallback) {
    if (json[key].is_null()) return fallback;
    const auto found = std::ranges::find(words, std::string_view(json[key].as_string()));
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    fail(key, "a known word");
    return fallback;
  }
  /// Whether an optional object is there.
  bool has(const Json& json, std::string_view key) {
    if (!json[key].is_null() && !json[key].is_object()) fail(key, "an object or null");
    return json[key].is_object();
  }

 private:
  std::string error_;
};

std::vector<Field> fields_from(Reader& in, const Json& json) {
  std::vector<Field> fields;
  for (const Json& item : in.array(json, "fields")) {
    const Json::Array& row = in.row(item, "fields", 2);
    fields.push_back({row[0].as_string(), row[1].as_string()});
  }
  return fields;
}

NameFacts name_from(Reader& in, const Json& json) {
  return {in.text(json, "distribution"), in.text(json, "version"), in.optional(json, "build"),
          in.list(json, "python"),       in.list(json, "abi"),     in.list(json, "platform"),
          in.optional(json, "variant")};
}

RecordFacts record_from(Reader& in, const Json& json) {
  RecordFacts record;
  record.path = in.text(json, "path");
  for (const Json& item : in.array(json, "rows")) {
    const Json::Array& row = in.row(item, "rows", 3);
    record.rows.push_back({row[0].as_string(), row[1].as_string(), row[2].as_string()});
  }
  record.problems = in.list(json, "problems");
  for (const auto& [path, digest] : json["other_digests"].entries())
    record.other_digests.emplace(path, digest.as_string());
  return record;
}

MemberFacts member_from(Reader& in, const Json& json) {
  MemberFacts member;
  member.path = in.text(json, "path");
  member.size = in.number_at<std::uint64_t>(json, "size");
  member.compressed = in.number_at<std::uint64_t>(json, "compressed");
  member.mode = in.number_at<std::uint32_t>(json, "mode");
  member.crc32 = in.number_at<std::uint32_t>(json, "crc32");
  member.sha256 = in.text(json, "sha256");
  member.kind = static_cast<MemberKind>(in.word(json, "kind", kMemberKinds, 0));
  member.method = in.number_at<std::uint16_t>(json, "method");
  member.host = in.number_at<std::uint8_t>(json, "host");
  member.utf8_name = in.flag(json, "utf8_name", true);
  member.secret = in.text(json, "secret");
  member.head = in.text(json, "head");
  member.mentions = in.list(json, "mentions");
  return member;
}

void versions_from(Reader& in, const Json& json, std::string_view key, bool weak,
                   std::vector<VersionNeed>& needs) {
  for (const auto& [library, versions] : json[key].entries()) {
    for (const std::string& version : in.list_of(versions, key))
      needs.push_back({library, version, weak});
  }
}

/// The symbols, and the pool that they view into.
void symbols_from(Reader& in, const Json& json, ElfFacts& elf) {
  std::size_t bytes = 0;
  const Json::Array& items = in.array(json, "symbols");
  for (const Json& item : items) {
    for (const char* key : {"name", "version", "library"}) bytes += in.text(item, key).size();
  }
  auto pool = std::make_shared<std::string>();
  pool->reserve(bytes);  // views stay good only because it never grows past this
  const auto pooled = [&](const std::string& text) {
    const std::size_t at = pool->size();
    pool->append(text);
    return std::string_view(*pool).substr(at, text.size());
  };
  for (const Json& item : items) {
    Symbol symbol;
    symbol.name = pooled(item["name"].as_string());
    symbol.version = pooled(item["version"].as_string());
    symbol.library = pooled(item["library"].as_string());
    symbol.binding = static_cast<Binding>(in.word(item, "binding", kBindings, 1));
    symbol.type = in.number_at<std::uint8_t>(item, "type");
    symbol.defined = in.flag(item, "defined");
    symbol.hidden = in.flag(item, "hidden");
    elf.symbols.push_back(symbol);
  }
  elf.pool = std::move(pool);
}

void tables_from(Reader& in, const Json& json, ElfFacts& elf) {
  const auto u64 = [&](const Json& value) {
    return in.number<std::uint64_t>(value, "segments or sections");
  };
  const auto u32 = [&](const Json& value) {
    return in.number<std::uint32_t>(value, "segments or sections");
  };
  for (const Json& item : in.array(json, "segments")) {
    const Json::Array& row = in.row(item, "segments", 6);
    elf.segments.push_back(
        {u64(row[0]), u64(row[1]), u64(row[2]), u64(row[3]), u64(row[4]), u32(row[5])});
  }
  for (const Json& item : in.array(json, "sections")) {
    const Json::Array& row = in.row(item, "sections", 5);
    elf.sections.push_back(
        {row[0].as_string(), u32(row[1]), u64(row[2]), u64(row[3]), u64(row[4])});
  }
}

ElfFacts elf_from(Reader& in, const Json& json) {
  ElfFacts elf;
  elf.path = in.text(json, "path");
  elf.bits = in.number_at<std::uint8_t>(json, "class");
  elf.machine = in.text(json, "machine");
  elf.type = in.text(json, "type");
  elf.soname = in.text(json, "soname");
  elf.needed = in.list(json, "needed");
  elf.rpath = in.list(json, "rpath");
  elf.runpath = in.list(json, "runpath");
  elf.has_rpath = !elf.rpath.empty();
  elf.has_runpath = !elf.runpath.empty();
  versions_from(in, json, "needs_versions", false, elf.version_needs);
  versions_from(in, json, "weak_versions", true, elf.version_needs);
  elf.defines_versions = in.list(json, "defines_versions");
  elf.stack = static_cast<Stack>(in.word(json, "stack", kStacks, 0));
  elf.text_relocations = in.flag(json, "text_relocations");
  elf.bind_now = in.flag(json, "bind_now");
  elf.interpreter = in.optional(json, "interpreter");
  elf.build_id = in.text(json, "build_id");
  elf.section_headers = in.flag(json, "section_headers");
  elf.symtab = in.flag(json, "symtab");
  elf.debug = in.flag(json, "debug");
  elf.exports = in.number_at<std::uint64_t>(json, "exports");
  elf.imports = in.number_at<std::uint64_t>(json, "imports");
  elf.big_endian = in.flag(json, "big_endian");
  elf.machine_code = in.number_at<std::uint16_t>(json, "machine_code");
  elf.os_abi = in.number_at<std::uint8_t>(json, "os_abi");
  elf.flags = in.number_at<std::uint32_t>(json, "flags");
  elf.dynamic = in.flag(json, "dynamic");
  elf.relro = in.flag(json, "relro");
  elf.static_tls = in.flag(json, "static_tls");
  elf.packed_relocations = in.flag(json, "packed_relocations");
  elf.isa_needed = in.list(json, "isa_needed");
  elf.symtab_bytes = in.number_at<std::uint64_t>(json, "symtab_bytes");
  elf.debug_bytes = in.number_at<std::uint64_t>(json, "debug_bytes");
  elf.all_symbols = in.flag(json, "all_symbols");
  tables_from(in, json, elf);
  symbols_from(in, json, elf);
  return elf;
}

GpuFacts gpu_from(Reader& in, const Json& json) {
  GpuFacts gpu;
  gpu.path = in.text(json, "path");
  gpu.containers = in.number_at<std::uint64_t>(json, "containers");
  for (const auto& [place, count] : json["places"].entries()) {
    gpu.places.emplace(place, in.number<std::uint64_t>(count, "places"));
  }
  gpu.bare_cubins = in.number_at<std::uint64_t>(json, "bare_cubins");
  for (const Json& item : in.array(json, "code")) {
    gpu.code.push_back({in.text(item, "form"), in.text(item, "arch"),
                        in.number_at<std::uint64_t>(item, "entries"),
                        in.number_at<std::uint64_t>(item, "containers"),
                        in.number_at<std::uint64_t>(item, "bytes"),
                        in.number_at<std::uint64_t>(item, "debug_entries"),
                        in.text(item, "newest_ptx_isa"), in.text(item, "newest_toolkit")});
  }
  for (const Json& item : in.array(json, "profiles")) {
    gpu.profiles.push_back({in.text(item, "place"), in.list(item, "code"),
                            in.number_at<std::uint64_t>(item, "containers")});
  }
  gpu.problems = in.list(json, "problems");
  return gpu;
}

void texts_from(Reader& in, const Json& json, WheelFacts& wheel) {
  if (in.has(json, "name")) wheel.name = name_from(in, json["name"]);
  wheel.name_problem = in.text(json, "name_problem");
  if (in.has(json, "metadata")) {
    const Json& metadata = json["metadata"];
    wheel.metadata = MetadataFacts{in.text(metadata, "path"), fields_from(in, metadata),
                                   in.flag(metadata, "has_body"), in.list(metadata, "problems")};
  }
  if (in.has(json, "wheel")) {
    wheel.wheel = WheelFileFacts{in.text(json["wheel"], "path"), fields_from(in, json["wheel"]),
                                 in.list(json["wheel"], "problems")};
  }
  if (in.has(json, "record")) wheel.record = record_from(in, json["record"]);
  if (in.has(json, "claim")) {
    const Json& claim = json["claim"];
    wheel.claim = {in.text(claim, "accelerator"), in.text(claim, "train"),
                   static_cast<int>(in.number_at<std::uint16_t>(claim, "major")),
                   in.text(claim, "from")};
  }
  for (const Json& item : in.array(json, "entry_points")) {
    const Json::Array& row = in.row(item, "entry_points", 3);
    wheel.entry_points.push_back({row[0].as_string(), row[1].as_string(), row[2].as_string()});
  }
  wheel.entry_point_problems = in.list(json, "entry_point_problems");
  for (const Json& item : in.array(json, "variant_properties")) {
    const Json::Array& row = in.row(item, "variant_properties", 3);
    wheel.variant_properties.push_back({row[0].as_string(), row[1].as_string(), row[2].strings()});
  }
}

}  // namespace

Result<WheelFacts> facts_from_json(const Json& json) {
  const std::string& schema = json["schema"].as_string();
  if (schema != kFactsSchema) {
    return Error(fmt::format("the schema is \"{}\", expected \"{}\" (a facts file of inspect)",
                             schema, kFactsSchema));
  }
  Reader in;
  WheelFacts wheel;
  const Json& file = json["file"];
  wheel.given = in.text(json, "given");
  wheel.file_name = in.text(file, "name");
  wheel.file_size = in.number_at<std::uint64_t>(file, "size");
  wheel.file_sha256 = in.text(file, "sha256");
  texts_from(in, json, wheel);
  wheel.dist_infos = in.list(json, "dist_infos");
  for (const Json& item : in.array(json, "archive_problems")) {
    wheel.archive_problems.push_back({in.text(item, "code"), in.optional(item, "where"),
                                      in.number_at<std::uint64_t>(item, "offset"),
                                      in.text(item, "message")});
  }
  for (const Json& item : in.array(json, "members")) wheel.members.push_back(member_from(in, item));
  for (const Json& item : in.array(json, "elf")) wheel.elves.push_back(elf_from(in, item));
  for (const Json& item : in.array(json, "gpu")) wheel.gpu.push_back(gpu_from(in, item));
  for (const Json& item : in.array(json, "objects")) {
    wheel.objects.push_back(
        {in.text(item, "path"), in.text(item, "format"), in.text(item, "machine")});
  }
  for (const Json& item : in.array(json, "unread")) {
    wheel.unread.push_back(
        {in.optional(item, "where"), in.text(item, "reason"), in.text(item, "what")});
  }
  if (!in.error().empty()) return Error(in.error());
  if (wheel.given.empty()) wheel.given = wheel.file_name;
  return wheel;
}

}  // namespace wheel_audit
