// METADATA, WHEEL and the names of a forged wheel, sound unless the recipe says otherwise.
#include "forge/wheel_texts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// Drops what "omit" names, appends what "fields" gives, and prints the headers.
std::string print_headers(Fields& fields, Headers headers) {
  const std::vector<std::string> omit = fields.texts("omit");
  for (const std::string& name : omit) {
    const auto same = [&](const auto& header) { return lower(header.first) == lower(name); };
    if (std::none_of(headers.begin(), headers.end(), same)) {
      fields.fail("omit", fmt::format("no generated field \"{}\"", printable(name)));
    }
    headers.erase(std::remove_if(headers.begin(), headers.end(), same), headers.end());
  }
  for (const Json& pair : fields.array("fields")) {
    const std::vector<std::string> parts = pair.strings();
    if (parts.size() != 2 || pair.items().size() != 2) {
      fields.fail("fields", "expected pairs of strings, [\"Name\", \"value\"]");
      break;
    }
    headers.emplace_back(parts[0], parts[1]);
  }
  std::string text;
  for (const auto& [name, value] : headers) text += fmt::format("{}: {}\n", name, value);
  return text;
}

std::string with_line_ends(const std::string& text, bool crlf) {
  if (!crlf) return text;
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += '\r';
    out += c;
  }
  return out;
}

}  // namespace

std::string NameParts::file_name() const {
  std::string out = distribution + "-" + version;
  for (const std::string* part : {&build, &python, &abi, &platform, &variant}) {
    if (!part->empty()) out += "-" + *part;
  }
  return out + ".whl";
}

std::vector<std::string> NameParts::tags() const {
  std::vector<std::string> out;
  for (const std::string_view interpreter : split(python, '.')) {
    for (const std::string_view binary : split(abi, '.')) {
      for (const std::string_view system : split(platform, '.')) {
        out.push_back(fmt::format("{}-{}-{}", interpreter, binary, system));
      }
    }
  }
  return out;
}

Result<NameParts> read_name(const Json& spec) {
  Fields fields(spec, "name");
  NameParts name;
  name.distribution = fields.text("distribution", "demo");
  name.version = fields.text("version", "1.0");
  name.build = fields.text("build");
  name.python = fields.text("python", "py3");
  name.abi = fields.text("abi", "none");
  name.platform = fields.text("platform", "any");
  name.variant = fields.text("variant");
  // The product of the alternatives must stay a list that a person could have meant.
  std::size_t tags = 1;
  for (const std::string* part : {&name.python, &name.abi, &name.platform}) {
    tags *= std::min<std::size_t>(split(*part, '.').size(), 10001);
  }
  if (tags > 10000) fields.fail("", "expands to more than 10000 tags");
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return name;
}

Result<std::string> metadata_text(const Json& spec, const NameParts& name) {
  Fields fields(spec, "metadata");
  Headers headers = {{"Metadata-Version", fields.text("version", "2.1")},
                     {"Name", fields.text("name", name.distribution)},
                     {"Version", fields.text("release", name.version)}};
  const auto add = [&](const char* header, std::string_view key) {
    if (const std::optional<std::string> value = fields.maybe_text(key)) {
      headers.emplace_back(header, *value);
    }
  };
  const auto add_each = [&](const char* header, std::string_view key) {
    for (const std::string& value : fields.texts(key)) headers.emplace_back(header, value);
  };
  add("Summary", "summary");
  add("License", "license");
  add("License-Expression", "license_expression");
  add_each("License-File", "license_files");
  add("Requires-Python", "requires_python");
  add_each("Requires-Dist", "requires_dist");
  add_each("Provides-Extra", "provides_extra");
  add("Description-Content-Type", "description_content_type");
  std::string text = print_headers(fields, std::move(headers));
  if (const auto description = fields.maybe_text("description")) text += "\n" + *description;
  text = with_line_ends(text, fields.flag("crlf", false));
  if (const auto whole = fields.maybe_text("text")) text = *whole;
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return text;
}

Result<std::string> wheel_text(const Json& spec, const NameParts& name) {
  Fields fields(spec, "wheel");
  Headers headers = {{"Wheel-Version", fields.text("version", "1.0")},
                     {"Generator", fields.text("generator", "wheel-audit-forge (1)")}};
  const bool purelib = fields.flag("purelib", name.platform == "any");
  headers.emplace_back("Root-Is-Purelib", purelib ? "true" : "false");
  const std::vector<std::string> tags = fields.texts("tags");
  for (const std::string& tag : fields.find("tags") == nullptr ? name.tags() : tags) {
    headers.emplace_back("Tag", tag);
  }
  if (!name.build.empty()) headers.emplace_back("Build", name.build);
  std::string text = print_headers(fields, std::move(headers));
  text = with_line_ends(text, fields.flag("crlf", false));
  if (const auto whole = fields.maybe_text("text")) text = *whole;
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return text;
}

}  // namespace wheel_audit::forge
