// Facts read back. Every key that facts_to_json always writes must be there: an absent list would
// pass for an empty one, and an empty wheel for a clean one. Unknown keys are left alone.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "facts/parts.hpp"
#include "facts/words.hpp"
#include "wheel_audit/facts_json.hpp"

namespace wheel_audit {

namespace {

std::vector<Field> fields_from(const Place& in) {
  return vector_from(in, [](const Place& row) {
    if (!row.row(2)) return Field{};
    return Field{row.item(0).text(), row.item(1).text()};
  });
}

NameFacts name_from(const Place& in) {
  return {in["distribution"].text(),    in["version"].text(), in["build"].optional_text(),
          in["python"].texts(),         in["abi"].texts(),    in["platform"].texts(),
          in["variant"].optional_text()};
}

/// The raw fields; the keys that are derived from them are for other readers.
MetadataFacts metadata_from(const Place& in) {
  return {in["path"].text(), fields_from(in["fields"]), in["has_body"].flag(),
          in["problems"].texts()};
}

WheelFileFacts wheel_file_from(const Place& in) {
  return {in["path"].text(), fields_from(in["fields"]), in["problems"].texts()};
}

RecordFacts record_from(const Place& in) {
  RecordFacts record;
  record.path = in["path"].text();
  record.rows = vector_from(in["rows"], [](const Place& row) {
    if (!row.row(3)) return RecordRow{};
    return RecordRow{row.item(0).text(), row.item(1).text(), row.item(2).text()};
  });
  record.problems = in["problems"].texts();
  in["other_digests"].entries([&](const std::string& path, const Place& digest) {
    record.other_digests.emplace(path, digest.text());
  });
  return record;
}

Claim claim_from(const Place& in) {
  const Place major = in["major"];
  return {in["accelerator"].text(), in["train"].text_or_null(),
          major.is_null() ? 0 : major.number<int>(), in["from"].text()};
}

std::uint32_t crc_from(const Place& in) {
  const std::string text = in.text();
  std::uint32_t value = 0;
  const char* end = std::to_address(text.end());
  const auto [stop, failed] = std::from_chars(text.data(), end, value, 16);
  if (text.size() != 8 || stop != end || failed != std::errc()) in.fail("8 hexadecimal digits");
  return value;
}

MemberFacts member_from(const Place& in) {
  MemberFacts member;
  member.path = in["path"].text();
  member.size = in["size"].number<std::uint64_t>();
  member.compressed = in["compressed"].number<std::uint64_t>();
  member.mode = in["mode"].number<std::uint32_t>();
  member.crc32 = crc_from(in["crc32"]);
  member.sha256 = in["sha256"].text_or_null();
  member.kind = static_cast<MemberKind>(in["kind"].word(kMemberKinds));
  member.method = in["method"].number<std::uint16_t>();
  member.host = in["host"].number<std::uint8_t>();
  const Place utf8_name = in.maybe("utf8_name");
  member.utf8_name = utf8_name.is_null() || utf8_name.flag();
  member.secret = in.maybe("secret").text_or_null();
  member.head = in.maybe("head").text_or_null();
  const Place mentions = in.maybe("mentions");
  if (!mentions.is_null()) member.mentions = mentions.texts();
  return member;
}

GpuCode code_from(const Place& in) {
  const Place debug = in.maybe("debug_entries");
  return {in["form"].text(),
          in["arch"].text(),
          in["entries"].number<std::uint64_t>(),
          in["containers"].number<std::uint64_t>(),
          in["bytes"].number<std::uint64_t>(),
          debug.is_null() ? 0 : debug.number<std::uint64_t>(),
          in.maybe("newest_ptx_isa").text_or_null(),
          in.maybe("newest_toolkit").text_or_null()};
}

GpuFacts gpu_from(const Place& in) {
  GpuFacts gpu;
  gpu.path = in["path"].text();
  gpu.containers = in["containers"].number<std::uint64_t>();
  in["places"].entries([&](const std::string& place, const Place& count) {
    gpu.places.emplace(place, count.number<std::uint64_t>());
  });
  gpu.bare_cubins = in["bare_cubins"].number<std::uint64_t>();
  gpu.code = vector_from(in["code"], code_from);
  gpu.profiles = vector_from(in["profiles"], [](const Place& one) {
    return GpuProfile{one["place"].text(), one["code"].texts(),
                      one["containers"].number<std::uint64_t>()};
  });
  gpu.problems = in["problems"].texts();
  return gpu;
}

/// What the wheel's own texts and name say.
void texts_from(const Place& in, WheelFacts& wheel) {
  if (const Place name = in["name"]; !name.is_null()) wheel.name = name_from(name);
  wheel.name_problem = in["name_problem"].text_or_null();
  if (const Place metadata = in["metadata"]; !metadata.is_null())
    wheel.metadata = metadata_from(metadata);
  if (const Place file = in["wheel"]; !file.is_null()) wheel.wheel = wheel_file_from(file);
  if (const Place record = in["record"]; !record.is_null()) wheel.record = record_from(record);
  if (const Place claim = in["claim"]; !claim.is_null()) wheel.claim = claim_from(claim);
  wheel.dist_infos = in["dist_infos"].texts();
  wheel.entry_points = vector_from(in["entry_points"], [](const Place& row) {
    if (!row.row(3)) return EntryPoint{};
    return EntryPoint{row.item(0).text(), row.item(1).text(), row.item(2).text()};
  });
  wheel.entry_point_problems = in["entry_point_problems"].texts();
  wheel.variant_properties = vector_from(in["variant_properties"], [](const Place& row) {
    if (!row.row(3)) return VariantProperty{};
    return VariantProperty{row.item(0).text(), row.item(1).text(), row.item(2).texts()};
  });
  wheel.variant_problem = in.maybe("variant_problem").text_or_null();
}

WheelFacts wheel_from(const Place& in) {
  WheelFacts wheel;
  wheel.given = in["given"].text();
  wheel.file_name = in["file"]["name"].text();
  wheel.file_size = in["file"]["size"].number<std::uint64_t>();
  wheel.file_sha256 = in["file"]["sha256"].text_or_null();
  texts_from(in, wheel);
  wheel.archive_problems = vector_from(in["archive_problems"], [](const Place& one) {
    return ArchiveProblem{one["code"].text(), one["where"].optional_text(),
                          one["offset"].number<std::uint64_t>(), one["message"].text()};
  });
  wheel.members = vector_from(in["members"], member_from);
  wheel.elves = vector_from(in["elf"], elf_from_json);
  wheel.gpu = vector_from(in["gpu"], gpu_from);
  wheel.objects = vector_from(in["objects"], [](const Place& one) {
    return ObjectFacts{one["path"].text(), one["format"].text(), one["machine"].text_or_null()};
  });
  wheel.headers = vector_from(in["headers"], header_from_json);
  wheel.cmake = vector_from(in["cmake"], cmake_from_json);
  wheel.unread = vector_from(in["unread"], [](const Place& one) {
    return Unread{one["where"].optional_text(), one["reason"].text(), one["what"].text()};
  });
  return wheel;
}

}  // namespace

Result<WheelFacts> facts_from_json(const Json& json) {
  if (!json.is_object()) {
    return Error(
        fmt::format("found {}, expected an object of schema {}", json.type(), kFactsSchema));
  }
  const Json& schema = json["schema"];
  if (schema.as_string() != kFactsSchema) {
    return Error(fmt::format("the schema is {}, expected \"{}\"",
                             schema.is_null() ? "missing" : schema.dump(), kFactsSchema));
  }
  std::string error;
  WheelFacts wheel = wheel_from(Place(json, error));
  if (!error.empty()) return Error(std::move(error));
  return wheel;
}

}  // namespace wheel_audit
