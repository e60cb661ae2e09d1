// variant.json (PEP 825): {"variants": {label: {namespace: {feature: [values]}}}}.
#include <fmt/format.h>

#include "wheel_audit/json.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

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
    for (const auto& [feature, values] : features.entries()) {
      properties.push_back({space, feature, values.strings()});
    }
  }
  return properties;
}

}  // namespace wheel_audit
