// Facts as JSON: the settled keys of docs/design.md, section 4.5, then what else rules ask about.
#include <fmt/format.h>

#include <map>

#include "facts/parts.hpp"
#include "facts/words.hpp"
#include "wheel_audit/facts_json.hpp"

namespace wheel_audit {

namespace {

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
  std::map<std::string, std::string> by_key;
  for (const auto& [path, digest] : record.other_digests) by_key.emplace(as_key(path), digest);
  Json digests = Json::object();
  for (const auto& [path, digest] : by_key) digests.append(path, digest);
  json.append("other_digests", std::move(digests));
  return json;
}

Json member_json(const MemberFacts& member) {
  Json json = Json::object();
  json.append("path", member.path);
  json.append("size", member.size);
  json.append("compressed", member.compressed);
  json.append("mode", member.mode);
  json.append("crc32", fmt::format("{:08x}", member.crc32));
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
  std::map<std::string, std::uint64_t> by_key;
  for (const auto& [place, count] : gpu.places) by_key[as_key(place)] += count;
  Json places = Json::object();
  for (const auto& [place, count] : by_key) places.append(place, count);
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
  if (!wheel.variant_problem.empty()) json.append("variant_problem", wheel.variant_problem);
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

Json claim_to_json(const Claim& claim) {
  if (claim.accelerator.empty()) return {};
  Json json = Json::object();
  json.append("accelerator", claim.accelerator);
  json.append("train", or_null(claim.train));
  json.append("major", claim.major == 0 ? Json() : Json(claim.major));
  json.append("from", claim.from);
  return json;
}

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
  json.append("claim", claim_to_json(wheel.claim));
  json.append("members", array_of(wheel.members, member_json));
  json.append("elf", array_of(wheel.elves, elf_to_json));
  json.append("gpu", array_of(wheel.gpu, gpu_json));
  json.append("objects", array_of(wheel.objects, [](const ObjectFacts& object) {
                Json one = Json::object();
                one.append("path", object.path);
                one.append("format", object.format);
                one.append("machine", or_null(object.machine));
                return one;
              }));
  json.append("headers", array_of(wheel.headers, header_to_json));
  json.append("cmake", array_of(wheel.cmake, cmake_to_json));
  json.append("unread", array_of(wheel.unread, unread_json));
  append_own(json, wheel);
  return json;
}

}  // namespace wheel_audit
