// From a recipe to a wheel, in order: name, files, METADATA and WHEEL, the operations that RECORD
// has to see, RECORD, the other operations, the archive.
#include "wheel_audit/forge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "forge/archive_ops.hpp"
#include "forge/content.hpp"
#include "forge/expand.hpp"
#include "forge/wheel_texts.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace forge {
namespace {

constexpr std::uint32_t kRegular = 0100000;
constexpr std::uint32_t kLink = 0120000;
constexpr std::uint16_t kUtf8Flag = 0x800;

ZipMember make_member(const std::string& path, Bytes content) {
  ZipMember member;
  member.path = path;
  member.name = path;
  member.content = std::move(content);
  member.mode = kRegular | 0644U;
  const bool ascii = std::all_of(path.begin(), path.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii) member.flags = kUtf8Flag;
  return member;
}

std::uint16_t method_of(Fields& fields) {
  const Json* method = fields.find("method");
  if (method != nullptr && method->is_integer()) {
    return static_cast<std::uint16_t>(fields.number("method", 0, 0xffff));
  }
  const std::string word = fields.word("method", "deflate", {"stored", "deflate", "bzip2"});
  return word == "stored" ? kStored : word == "bzip2" ? kBzip2 : kDeflate;
}

/// `"0755"`, with the file type where the text has one.
std::uint32_t mode_of(Fields& fields) {
  std::uint32_t mode = 0;
  const std::string text = fields.text("mode", "0644");
  for (const char c : text) {
    if (c < '0' || c > '7' || mode > 0xffff) {
      fields.fail("mode", fmt::format("is \"{}\", expected octal digits", printable(text)));
      return 0;
    }
    mode = mode * 8 + static_cast<std::uint32_t>(c - '0');
  }
  if (mode > 0xffff) fields.fail("mode", "is over 0177777");
  return mode;
}

Result<ZipMember> read_file(const std::string& path, const Json& spec, Build& build) {
  Fields fields(spec, "files." + printable(path));
  ZipMember member = make_member(build.path(path), read_content(fields, build));
  const std::uint32_t mode = mode_of(fields);
  const std::uint32_t type = fields.flag("link", false) ? kLink : kRegular;
  member.mode = (mode & 0170000U) == 0 && mode != 0 ? mode | type : mode;
  member.method = method_of(fields);
  member.row = fields.flag("record", true);
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return member;
}

/// A recipe that is being built.
struct Job {
  Fields fields;
  Build build;
  NameParts name;
  std::string dist_info;
  ZipPlan plan;

  bool has(const std::string& path) const {
    return std::any_of(plan.members.begin(), plan.members.end(),
                       [&](const ZipMember& member) { return member.path == path; });
  }
  /// Adds a generated text of the dist-info directory unless the recipe's files have it.
  void add_text(std::string_view name_of_file, const std::string& text) {
    const std::string path = fmt::format("{}/{}", dist_info, name_of_file);
    if (!has(path)) plan.members.push_back(make_member(path, to_bytes(text)));
  }
};

Result<void> add_files(Job& job) {
  for (const auto& [path, spec] : job.fields.object("files")) {
    if (spec.is_null()) continue;
    Result<ZipMember> member = read_file(path, spec, job.build);
    if (!member) return member.error();
    job.plan.members.push_back(std::move(*member));
  }
  return {};
}

Result<void> add_texts(Job& job) {
  if (const Json* spec = job.fields.find("metadata")) {
    const Result<std::string> text = metadata_text(*spec, job.name);
    if (!text) return text.error();
    job.add_text("METADATA", *text);
  }
  if (const Json* spec = job.fields.find("wheel")) {
    const Result<std::string> text = wheel_text(*spec, job.name);
    if (!text) return text.error();
    job.add_text("WHEEL", *text);
  }
  if (const auto text = job.fields.maybe_text("entry_points")) {
    job.add_text("entry_points.txt", *text);
  }
  return {};
}

Result<void> add_record(Job& job) {
  const Json* spec = job.fields.find("record");
  const std::string path = job.dist_info + "/RECORD";
  if (spec == nullptr || job.has(path)) return {};
  const Result<std::string> text = record_text(*spec, job.plan.members, path, job.build);
  if (!text) return text.error();
  const bool first = (*spec)["first"].as_bool();
  std::vector<ZipMember>& members = job.plan.members;
  members.insert(first ? members.begin() : members.end(), make_member(path, to_bytes(*text)));
  return {};
}

Result<void> run_operations(Job& job, bool before_record) {
  const Json::Array& operations = job.fields.array("archive");
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (runs_before_record(operations[i]) != before_record) continue;
    const Result<void> done =
        apply_operation(operations[i], fmt::format("archive[{}]", i), job.plan, job.build);
    if (!done) return done.error();
  }
  return {};
}

Result<ForgedWheel> build_wheel(const Json& recipe, const std::string& folder) {
  Job job{Fields(recipe, ""), {}, {}, {}, {}};
  job.build.folder = folder;
  job.fields.text("about");
  const Json* name = job.fields.find("name");
  Result<NameParts> parts = read_name(name == nullptr ? Json::object() : *name);
  if (!parts) return parts.error();
  job.name = std::move(*parts);
  const std::string stem = job.name.distribution + "-" + job.name.version;
  job.dist_info = job.fields.text("dist_info", stem + ".dist-info");
  job.build.words = {{"{dist-info}", job.dist_info}, {"{data}", stem + ".data"}};
  const std::string file_name = job.fields.text("file_name", job.name.file_name());
  if (const Result<void> done = add_files(job); !done) return done.error();
  if (const Result<void> done = add_texts(job); !done) return done.error();
  if (const Result<void> done = run_operations(job, true); !done) return done.error();
  if (const Result<void> done = add_record(job); !done) return done.error();
  if (const Result<void> done = run_operations(job, false); !done) return done.error();
  if (const Result<void> done = job.fields.finish(); !done) return done.error();
  return ForgedWheel{file_name, write_zip(job.plan)};
}

}  // namespace
}  // namespace forge

Result<ForgedWheel> forge_wheel(const Json& recipe, const std::string& folder) {
  const Result<Json> whole = forge::expanded(recipe);
  if (!whole) return whole.error();
  return forge::build_wheel(*whole, folder);
}

}  // namespace wheel_audit
