// Facts as JSON: the settled keys of docs/design.md, section 4.5, then what else rules ask about.
#include <algorithm>
#include <map>

#include "facts/words.hpp"
#include "wheel_audit/facts_json.hpp"

namespace wheel_audit {

namespace {

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

template <typename T, typename Make>
Json array_of(const std::vector<T>& items, const Make& make) {
  Json::Array array;
  array.reserve(items.size());
  for (const T& item : items) array.push_back(make(item));
  return Json(std::move(array));
}

Json fields_json(const std::vector<Field>& fields) {
  return array_of(fields, [](const Field& field) {
    return Json(Json::Array{field.name, field.value});
  });
}

Json first_or_null(const std::string* text) { return text != nullptr ? Json(*text) : Json(); }

Json name_json(const NameFacts& name) {
  Json json = Json::object();
  json.append("distribution", name.distribution);
  json.append("version", name.version);
  json.append("build", or_null(name.build));
  json.append("python", name.python);
  json.append("abi", name.abi);
  json.append("platform", name.platform);
  json.append("variant", or_null(name.variant));
  return json;
}

Json metadata_json(const MetadataFacts& metadata) {
  Json json = Json::object();
  json.append("path", metadata.path);
  json.append("name", first_or_null(metadata.first("Name")));
  json.append("version", first_or_null(metadata.first("Version")));
  json.append("requires_python", first_or_null(metadata.first("Requires-Python")));
  json.append("requires_dist", metadata.all("Requires-Dist"));
  json.append("fields", fields_json(metadata.fields));
  json.append("has_body", metadata.has_body);
  json.append("problems", metadata.problems);
  return json;
}

Json wheel_file_json(const WheelFileFacts& wheel) {
  const std::optional<bool> purelib = wheel.root_is_purelib();
  Json json = Json::object();
  json.append("path", wheel.path);
  json.append("root_is_purelib", purelib ? Json(*purelib) : Json());
  json.append("tags", wheel.all("Tag"));
  json.append("fields", fields_json(wheel.fields));
  json.append("problems", wheel.problems);
  return json;
}

Json record_json(const RecordFacts& record) {
  Json json = Json::object();
  json.append("path", record.path);
  json.append("rows", array_of(record.rows, [](const RecordRow& row) {
                return Json(Json::Array{row.path, row.hash, row.size});
              }));
  json.append("problems", record.problems);
  Json digests = Json::object();
  for (const auto& [path, digest] : record.other_digests) digests.append(path, digest);
  json.append("other_digests", std::move(digests));
  return json;
}

Json claim_json(const Claim& claim) {
  if (claim.accelerator.empty()) return {};
  Json json = Json::object();
  json.append("accelerator", claim.accelerator);
  json.append("train", or_null(claim.train));
  json.append("major", claim.major == 0 ? Json() : Json(claim.major));
  json.append("from", claim.from);
  return json;
}

Json member_json(const MemberFacts& member) {
  Json json = Json::object();
  json.append("path", member.path);
  json.append("size", member.size);
  json.append("compressed", member.compressed);
  json.append("mode", member.mode);
  json.append("crc32", member.crc32);
  json.append("sha256", or_null(member.sha256));
  json.append("kind", kMemberKinds[static_cast<std::size_t>(member.kind)]);
  json.append("method", int{member.method});
  json.append("host", int{member.host});
  if (!member.utf8_name) json.append("utf8_name", false);
  if (!member.secret.empty()) json.append("secret", member.secret);
  if (!member.head.empty()) json.append("head", member.head);
  if (!member.mentions.empty()) json.append("mentions", member.mentions);
  return json;
}

/// Version needs by library, versions sorted; `weak` chooses those that may be absent.
Json versions_json(const std::vector<VersionNeed>& needs, bool weak) {
  std::map<std::string, std::vector<std::string>> by_library;
  for (const VersionNeed& need : needs) {
    if (need.weak == weak) by_library[need.library].push_back(need.version);
  }
  Json json = Json::object();
  for (auto& [library, versions] : by_library) {
    std::ranges::sort(versions);
    json.append(library, versions);
  }
  return json;
}

Json symbol_json(const Symbol& symbol) {
  Json json = Json::object();
  json.append("name", symbol.name);
  if (!symbol.version.empty()) json.append("version", symbol.version);
  if (!symbol.library.empty()) json.append("library", symbol.library);
  if (symbol.binding != Binding::global)
    json.append("binding", kBindings[static_cast<std::size_t>(symbol.binding)]);
  json.append("type", int{symbol.type});
  if (symbol.defined) json.append("defined", true);
  if (symbol.hidden) json.append("hidden", true);
  return json;
}

Json segment_json(const Segment& s) {
  return Json(Json::Array{s.offset, s.address, s.file_size, s.memory_size, s.align, s.flags});
}

Json section_json(const Section& s) {
  return Json(Json::Array{s.name, s.type, s.flags, s.offset, s.size});
}

Json elf_json(const ElfFacts& elf) {
  Json json = Json::object();
  json.append("path", elf.path);
  json.append("class", elf.bits);
  json.append("machine", elf.machine);
  json.append("type", elf.type);
  json.append("soname", or_null(elf.soname));
  json.append("needed", elf.needed);
  json.append("rpath", elf.rpath);
  json.append("runpath", elf.runpath);
  json.append("needs_versions", versions_json(elf.version_needs, false));
  json.append("defines_versions", elf.defines_versions);
  json.append("stack", elf.stack == Stack::absent
                           ? Json()
                           : Json(kStacks[static_cast<std::size_t>(elf.stack)]));
  json.append("text_relocations", elf.text_relocations);
  json.append("bind_now", elf.bind_now);
  json.append("interpreter", or_null(elf.interpreter));
  json.append("build_id", or_null(elf.build_id));
  json.append("section_headers", elf.section_headers);
  json.append("symtab", elf.symtab);
  json.append("debug", elf.debug);
  json.append("exports", elf.exports);
  json.append("imports", elf.imports);
  json.append("big_endian", elf.big_endian);
  json.append("machine_code", int{elf.machine_code});
  json.append("os_abi", int{elf.os_abi});
  json.append("flags", elf.flags);
  json.append("dynamic", elf.dynamic);
  json.append("weak_versions", versions_json(elf.version_needs, true));
  json.append("relro", elf.relro);
  json.append("static_tls", elf.static_tls);
  json.append("packed_relocations", elf.packed_relocations);
  json.append("isa_needed", elf.isa_needed);
  json.append("segments", array_of(elf.segments, segment_json));
  json.append("sections", array_of(elf.sections, section_json));
  json.append("symtab_bytes", elf.symtab_bytes);
  json.append("debug_bytes", elf.debug_bytes);
  json.append("all_symbols", elf.all_symbols);
  json.append("symbols", array_of(elf.symbols, symbol_json));
  return json;
}

Json code_json(const GpuCode& code) {
  Json json = Json::object();
  json.append("form", code.form);
  json.append("arch", code.arch);
  json.append("entries", code.entries);
  json.append("containers", code.containers);
  json.append("bytes", code.bytes);
  if (code.debug_entries > 0) json.append("debug_entries", code.debug_entries);
  if (!code.newest_ptx_isa.empty()) json.append("newest_ptx_isa", code.newest_ptx_isa);
  if (!code.newest_toolkit.empty()) json.append("newest_toolkit", code.newest_toolkit);
  return json;
}

Json gpu_json(const GpuFacts& gpu) {
  Json places = Json::object();
  for (const auto& [place, count] : gpu.places) places.append(place, count);
  Json json = Json::object();
  json.append("path", gpu.path);
  json.append("containers", gpu.containers);
  json.append("places", std::move(places));
  json.append("bare_cubins", gpu.bare_cubins);
  json.append("code", array_of(gpu.code, code_json));
  json.append("profiles", array_of(gpu.profiles, [](const GpuProfile& profile) {
                Json one = Json::object();
                one.append("place", profile.place);
                one.append("code", profile.code);
                one.append("containers", profile.containers);
                return one;
              }));
  json.append("problems", gpu.problems);
  return json;
}

Json unread_json(const Unread& unread) {
  Json json = Json::object();
  json.append("where", or_null(unread.where));
  json.append("reason", unread.reason);
  json.append("what", unread.what);
  return json;
}

/// The parts that only this project reads.
void append_own(Json& json, const WheelFacts& wheel) {
  json.append("given", wheel.given);
  json.append("name_problem", or_null(wheel.name_problem));
  json.append("dist_infos", wheel.dist_infos);
  json.append("record", wheel.record ? record_json(*wheel.record) : Json());
  json.append("entry_points", array_of(wheel.entry_points, [](const EntryPoint& entry) {
                return Json(Json::Array{entry.group, entry.name, entry.target});
              }));
  json.append("entry_point_problems", wheel.entry_point_problems);
  json.append("variant_properties",
              array_of(wheel.variant_properties, [](const VariantProperty& property) {
                return Json(Json::Array{property.space, property.feature, property.values});
              }));
  json.append("archive_problems",
              array_of(wheel.archive_problems, [](const ArchiveProblem& problem) {
                Json one = Json::object();
                one.append("code", problem.code);
                one.append("where", or_null(problem.where));
                one.append("offset", problem.offset);
                one.append("message", problem.message);
                return one;
              }));
}

}  // namespace

Json facts_to_json(const WheelFacts& wheel) {
  Json file = Json::object();
  file.append("name", wheel.file_name);
  file.append("size", wheel.file_size);
  file.append("sha256", or_null(wheel.file_sha256));
  Json json = Json::object();
  json.append("schema", kFactsSchema);
  json.append("file", std::move(file));
  json.append("name", wheel.name ? name_json(*wheel.name) : Json());
  json.append("metadata", wheel.metadata ? metadata_json(*wheel.metadata) : Json());
  json.append("wheel", wheel.wheel ? wheel_file_json(*wheel.wheel) : Json());
  json.append("claim", claim_json(wheel.claim));
  json.append("members", array_of(wheel.members, member_json));
  json.append("elf", array_of(wheel.elves, elf_json));
  json.append("gpu", array_of(wheel.gpu, gpu_json));
  json.append("objects", array_of(wheel.objects, [](const ObjectFacts& object) {
                Json one = Json::object();
                one.append("path", object.path);
                one.append("format", object.format);
                one.append("machine", or_null(object.machine));
                return one;
              }));
  json.append("unread", array_of(wheel.unread, unread_json));
  append_own(json, wheel);
  return json;
}

}  // namespace wheel_audit
