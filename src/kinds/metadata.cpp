// Questions about METADATA (core metadata specification, PEP 345, 566, 639, 643).
#include <fmt/format.h>

#include <algorithm>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Reports faults of one METADATA, one for each subject.
class MetadataReport {
 public:
  MetadataReport(const MetadataFacts& metadata, Report& report)
      : metadata_(metadata), report_(report) {}

  void operator()(std::string message, std::string found, std::string expected,
                  std::string subject) {
    report_(fault(metadata_.path, std::move(message),
                  {{"found", std::move(found)}, {"expected", std::move(expected)}},
                  std::move(subject)));
  }

 private:
  const MetadataFacts& metadata_;
  Report& report_;
};

void say_repeated(const std::vector<std::string>& values, const std::string& field,
                  MetadataReport& say) {
  say(fmt::format("has {} {} times: {}", field, values.size(), clipped(shortened(values))),
      clipped(shortened(values)), "one value", field);
}

/// The one value of a required field; faults where it is not there once.
const std::string* required(const MetadataFacts& metadata, const std::string& field,
                            MetadataReport& say) {
  const std::vector<std::string> values = metadata.all(field);
  if (values.empty() || trim(values.front()).empty()) {
    say(fmt::format("has no {}", field), "nothing", field, field);
    return nullptr;
  }
  if (values.size() > 1) {
    say_repeated(values, field, say);
    return nullptr;
  }
  return metadata.first(field);
}

/// Further fields that may stand once (`single`): readers take the first, the last, or refuse.
void check_repeated(const MetadataFacts& metadata, const std::vector<std::string>& single,
                    MetadataReport& say) {
  for (const std::string& field : single) {
    const std::vector<std::string> values = metadata.all(field);
    if (values.size() > 1) say_repeated(values, field, say);
  }
}

void check_name(const WheelFacts& wheel, const std::string& found, MetadataReport& say) {
  if (!wheel.name) return;
  const std::string& expected = wheel.name->distribution;
  if (normalize_name(trim(found)) == normalize_name(expected)) return;
  say(fmt::format("says Name: {}, and the file name {}", found, expected), found, expected, "Name");
}

void check_version(const WheelFacts& wheel, const std::string& found, MetadataReport& say) {
  const Result<Version> version = Version::parse(trim(found));
  if (!version) {
    say(fmt::format("says Version: {}: {}", found, version.error().message()), found,
        "a PEP 440 version", "Version");
    return;
  }
  if (!wheel.name) return;
  const Result<Version> expected = escaped_version(wheel.name->version);
  if (!expected || *expected == *version) return;
  say(fmt::format("says Version: {}, and the file name {}", found, wheel.name->version), found,
      wheel.name->version, "Version");
}

void check_requirements(const MetadataFacts& metadata, MetadataReport& say) {
  for (const std::string& text : metadata.all("Requires-Dist")) {
    const Result<Requirement> parsed = parse_requirement(text);
    if (parsed) continue;
    say(fmt::format("Requires-Dist: {}: {}", clipped(text), clipped(parsed.error().message(), 300)),
        clipped(text, 300), "a PEP 508 requirement", text);
  }
  for (const std::string& text : metadata.all("Requires-Python")) {
    const Result<Specifiers> parsed = Specifiers::parse(trim(text));
    if (parsed) continue;
    say(fmt::format("Requires-Python: {}: {}", clipped(text),
                    clipped(parsed.error().message(), 300)),
        clipped(text, 300), "PEP 440 specifiers", "Requires-Python");
  }
}

/// `metadata.invalid`: what keeps an index or installer from reading METADATA.
Check invalid(Params& params) {
  const std::vector<std::string> versions = params.list("versions");
  const std::vector<std::string> single = params.list("single");
  return [versions, single](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (wheel.dist_infos.empty()) return Looked::nothing;
    if (!wheel.metadata) {
      const std::string path = own_dist_info(wheel) + "/METADATA";
      if (wheel.member(path) == nullptr) {
        report(fault(std::nullopt, fmt::format("has no {}", path),
                     {{"found", "nothing"}, {"expected", path}}));
      }
      return Looked::something;
    }
    const MetadataFacts& metadata = *wheel.metadata;
    MetadataReport say(metadata, report);
    for (const std::string& problem : metadata.problems) {
      say(problem, problem, "lines of \"Field: value\" in UTF-8", problem);
    }
    const std::string* own = required(metadata, "Metadata-Version", say);
    if (own != nullptr && std::ranges::find(versions, trim(*own)) == versions.end()) {
      say(fmt::format("says Metadata-Version: {}, which no standard defines", *own), *own,
          join(versions, ", "), "Metadata-Version");
    }
    const std::string* name = required(metadata, "Name", say);
    if (name != nullptr) check_name(wheel, *name, say);
    const std::string* version = required(metadata, "Version", say);
    if (version != nullptr) check_version(wheel, *version, say);
    check_repeated(metadata, single, say);
    check_requirements(metadata, say);
    return Looked::something;
  };
}

/// `metadata.direct-url`: requirements that name an address, which an index refuses.
Check direct_url(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!subject.wheel.metadata) return Looked::nothing;
    for (const Requirement& requirement : subject.requirements()) {
      if (requirement.url.empty()) continue;
      report(fault(subject.wheel.metadata->path,
                   fmt::format("requires {} from an address: {}", requirement.name,
                               clipped(requirement.url)),
                   {{"found", clipped(requirement.text, 300)}, {"expected", "a version specifier"}},
                   requirement.text));
    }
    return Looked::something;
  };
}

/// `metadata.field-version`: fields that a later Metadata-Version brought in, but for those that
/// parameter `except` lists; with parameter `versions`, a Metadata-Version that is none of these.
Check field_version(Params& params) {
  const std::vector<std::string> versions = params.list("versions");
  const std::vector<std::string> except = params.list("except");
  std::vector<std::pair<std::string, std::string>> fields;
  for (const auto& [field, since] : params.table("table")["since"].entries()) {
    if (std::ranges::find(except, field) == except.end())
      fields.emplace_back(field, since.as_string());
  }
  return [fields, versions](const Subject& subject, Report& report) {
    if (!subject.wheel.metadata) return Looked::nothing;
    const MetadataFacts& metadata = *subject.wheel.metadata;
    const std::string* stated = metadata.first("Metadata-Version");
    const std::string text(stated == nullptr ? "" : trim(*stated));
    // What tools wrote under the name 2.0 is what 2.1 made a standard.
    const Result<Version> own = Version::parse(text == "2.0" ? "2.1" : text);
    if (!own) return Looked::nothing;
    MetadataReport say(metadata, report);
    if (!versions.empty() && std::ranges::find(versions, text) == versions.end()) {
      say(fmt::format("says Metadata-Version: {}, which is not one of {}", text,
                      join(versions, ", ")),
          text, "2.1", "Metadata-Version");
    }
    for (const auto& [field, since] : fields) {
      if (metadata.first(field) == nullptr) continue;
      const Result<Version> first = Version::parse(since);
      if (!first || *first <= *own) continue;
      say(fmt::format("has {} under Metadata-Version {}; it came with {}", field, text, since),
          text, since, field);
    }
    return Looked::something;
  };
}

bool says_something(const std::string* value) {
  return value != nullptr && !trim(*value).empty() && lower(trim(*value)) != "unknown";
}

bool is_licence_field(const MetadataFacts& metadata) {
  const std::vector<std::string> classifiers = metadata.all("Classifier");
  return says_something(metadata.first("License")) ||
         says_something(metadata.first("License-Expression")) ||
         says_something(metadata.first("License-File")) ||
         std::ranges::any_of(classifiers, [](const std::string& classifier) {
           return trim(classifier).starts_with("License ::");
         });
}

/// `metadata.license`: no licence in METADATA's fields, and no text in the dist-info directory.
Check license(Params& params) {
  const std::vector<std::string> globs = params.list("files");
  return [globs](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (!wheel.metadata) return Looked::nothing;
    const auto is_text = [&](const MemberFacts& member) {
      const std::string name = lower(base_name(member.path));
      const bool in_dist_info = top_level(member.path).ends_with(".dist-info");
      const bool in_folder = member.path.find(".dist-info/licenses/") != std::string::npos;
      return member.kind != MemberKind::directory && in_dist_info &&
             (in_folder || matches_any(globs, name));
    };
    if (!is_licence_field(*wheel.metadata) && std::ranges::none_of(wheel.members, is_text)) {
      report(fault(wheel.metadata->path,
                   "names no licence, and the dist-info directory holds no licence text",
                   {{"found", "nothing"}, {"expected", "License-Expression or License-File"}}));
    }
    return Looked::something;
  };
}

/// A value like `text/markdown; charset=UTF-8; variant=GFM`, in lower case and taken apart.
struct ContentType {
  std::string type;
  std::string charset;
  std::string variant;
};

ContentType content_type(std::string_view text) {
  ContentType content;
  const std::string small = lower(text);
  const std::vector<std::string_view> parts = split(small, ';');
  content.type = trim(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string_view part = trim(parts[i]);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    std::string_view value = trim(part.substr(equals + 1));
    if (value.size() > 1 && value.starts_with('"') && value.ends_with('"'))
      value = value.substr(1, value.size() - 2);
    if (trim(part.substr(0, equals)) == "charset") content.charset = value;
    if (trim(part.substr(0, equals)) == "variant") content.variant = value;
  }
  return content;
}

/// `metadata.description`: a description of no type, or of one that the index does not render.
Check description(Params& params) {
  const std::vector<std::string> types = params.list("types");
  return [types](const Subject& subject, Report& report) {
    if (!subject.wheel.metadata) return Looked::nothing;
    const MetadataFacts& metadata = *subject.wheel.metadata;
    const std::string* stated = metadata.first("Description-Content-Type");
    const bool described = metadata.has_body || says_something(metadata.first("Description"));
    if (stated == nullptr && !described) return Looked::nothing;
    MetadataReport say(metadata, report);
    if (stated == nullptr) {
      say("has a description and no Description-Content-Type", "nothing", join(types, ", "), "");
      return Looked::something;
    }
    const ContentType content = content_type(*stated);
    const bool known = std::ranges::find(types, content.type) != types.end();
    const bool right_charset = content.charset.empty() || content.charset == "utf-8";
    const bool right_variant = content.type != "text/markdown" || content.variant.empty() ||
                               content.variant == "gfm" || content.variant == "commonmark";
    if (!known || !right_charset || !right_variant) {
      say(fmt::format("says Description-Content-Type: {}, which the index does not render",
                      *stated),
          *stated, join(types, ", "), "");
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> metadata_kinds() {
  return {{"metadata.invalid", invalid},
          {"metadata.field-version", field_version},
          {"metadata.direct-url", direct_url},
          {"metadata.license", license},
          {"metadata.description", description}};
}

}  // namespace wheel_audit
