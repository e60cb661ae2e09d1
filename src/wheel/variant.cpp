// variant.json (PEP 825): {"variants": {label: {namespace: {feature: [values]}}}}.
#include "wheel_audit/variant.hpp"

#include <fmt/format.h>

#include "wheel_audit/json.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// Why a feature's values cannot be what its namespace gives them; nothing where they can be, or
/// where we know nothing of the feature.
std::optional<Error> refuse_values(const VariantProperty& property) {
  const std::string name = fmt::format("{} :: {}", property.space, property.feature);
  for (const std::string& value : property.values) {
    if (name == "nvidia :: sm_arch") {
      const Result<std::vector<ArchEntry>> archs = parse_sm_arch(value);
      if (!archs) {
        return Error(
            fmt::format("variant.json gives {} the value \"{}\", which is no architecture; "
                        "expected one such as 90_real or 90_virtual",
                        name, printable(value)));
      }
    } else if (name == "x86_64 :: level" && !parse_x86_64_level(value)) {
      return Error(fmt::format("variant.json gives {} the value \"{}\", expected v1, v2, v3 or v4",
                               name, printable(value)));
    }
  }
  return std::nullopt;
}

/// The values of a feature, a list of texts.
Result<VariantProperty> read_property(const std::string& space, const std::string& feature,
                                      const Json& values) {
  const std::string name = fmt::format("{} :: {}", space, feature);
  if (!values.is_array()) {
    return Error(fmt::format("variant.json gives {} a value of type {}, expected a list of texts",
                             name, values.type()));
  }
  for (const Json& value : values.items()) {
    if (value.is_string()) continue;
    return Error(
        fmt::format("variant.json gives {} a list with a value of type {}, expected texts alone",
                    name, value.type()));
  }
  VariantProperty property{space, feature, values.strings()};
  if (const std::optional<Error> refused = refuse_values(property)) return *refused;
  return property;
}

}  // namespace

Result<std::vector<ArchEntry>> parse_sm_arch(std::string_view value) {
  bool ptx = false;
  for (const std::string_view prefix : {"sm_", "compute_"}) {
    if (!value.starts_with(prefix)) continue;
    value.remove_prefix(prefix.size());
    ptx = prefix == "compute_";
  }
  for (const std::string_view suffix : {"_real", "-real", "_virtual", "-virtual"}) {
    if (!value.ends_with(suffix)) continue;
    value.remove_suffix(suffix.size());
    ptx = suffix.ends_with("virtual");
  }
  return parse_arch_list(std::string(value) + (ptx ? "-virtual" : "-real"));
}

std::optional<int> parse_x86_64_level(std::string_view value) {
  if (value.size() != 2 || value[0] != 'v' || value[1] < '1' || value[1] > '4') return std::nullopt;
  return value[1] - '0';
}

Result<std::vector<VariantProperty>> parse_variant(std::string_view json, std::string_view label) {
  const Result<Json> document = Json::parse(json);
  if (!document) return Error("variant.json does not parse: " + document.error().message());
  const Json& variants = (*document)["variants"];
  if (!variants.is_object()) return Error("variant.json has no object \"variants\"");
  std::vector<std::string> labels;
  for (const auto& [name, features] : variants.entries()) labels.push_back(name);
  const Json& own = variants[label];
  if (!own.is_object()) {
    return Error(fmt::format("variant.json has no properties of the label \"{}\"{}", label,
                             labels.empty() ? "" : ", only of " + shortened(labels)));
  }
  std::vector<VariantProperty> properties;
  for (const auto& [space, features] : own.entries()) {
    if (!features.is_object()) {
      return Error(
          fmt::format("variant.json gives the namespace {} a value of type {}, expected an "
                      "object of features",
                      printable(space), features.type()));
    }
    for (const auto& [feature, values] : features.entries()) {
      Result<VariantProperty> property = read_property(space, feature, values);
      if (!property) return property.error();
      properties.push_back(std::move(*property));
    }
  }
  return properties;
}

}  // namespace wheel_audit
