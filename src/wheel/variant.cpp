// variant.json (PEP 825): {"variants": {label: {namespace: {feature: [values]}}}}.
#include "wheel_audit/json.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

std::vector<VariantProperty> parse_variant(std::string_view json, std::string_view label) {
  std::vector<VariantProperty> properties;
  const Result<Json> document = Json::parse(json);
  if (!document) return properties;
  for (const auto& [space, features] : (*document)["variants"][label].entries()) {
    for (const auto& [feature, values] : features.entries()) {
      properties.push_back({space, feature, values.strings()});
    }
  }
  return properties;
}

}  // namespace wheel_audit
