// Evaluates markers: variables that hold versions compare as versions where the other side is one,
// everything else as text, for which only equality and `in` have a meaning.
#include <algorithm>
#include <array>

#include "marker_parser.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit {

namespace {

bool is_literal(const std::string& operand) { return operand.starts_with('"'); }

bool is_extra(std::string_view operand) { return operand == "extra" || operand == "extras"; }

bool holds_version(std::string_view variable) {
  return variable == "python_version" || variable == "python_full_version" ||
         variable == "implementation_version" || variable == "platform_release";
}

/// Known on the machine alone: no tag tells the release of its kernel.
bool is_of_kernel(std::string_view variable) {
  return variable == "platform_release" || variable == "platform_version";
}

std::string value_of(const std::string& operand, const Environment& environment) {
  if (is_literal(operand)) return operand.substr(1);
  const auto found = environment.find(operand);
  return found == environment.end() ? std::string() : found->second;
}

/// Whether the comparison is one of text and true.
bool compare_text(const std::string& left, std::string_view op, const std::string& right) {
  if (op == "in") return right.find(left) != std::string::npos;
  if (op == "not in") return right.find(left) == std::string::npos;
  if (op == "!=") return left != right;
  // The order of text is undefined: `<=` and `>=` hold where both are equal, `<` and `>` never.
  return (op == "==" || op == "<=" || op == ">=") && left == right;
}

}  // namespace

Result<Marker> Marker::parse(std::string_view text) {
  if (trim(text).empty()) return Marker();
  TextWalk walk(text);
  return MarkerParser(walk).parse();
}

std::set<std::string> Marker::extras() const {
  std::set<std::string> names;
  for (const Node& node : nodes_) {
    if (is_extra(node.left) && is_literal(node.right)) names.insert(node.right.substr(1));
    if (is_extra(node.right) && is_literal(node.left)) names.insert(node.left.substr(1));
  }
  return names;
}

bool Marker::uses_extra() const {
  return std::ranges::any_of(
      nodes_, [](const Node& node) { return is_extra(node.left) || is_extra(node.right); });
}

bool Marker::evaluate(const Environment& environment) const {
  return MarkerParser::evaluate(*this, environment, std::nullopt);
}

bool MarkerParser::evaluate(const Marker& marker, const Environment& environment,
                            std::optional<bool> if_unknown) {
  using Node = Marker::Node;
  std::vector<bool> values;
  values.reserve(marker.nodes_.size());
  for (const Node& node : marker.nodes_) {
    if (node.type != Node::Type::compare) {
      const bool first = values[static_cast<std::size_t>(node.first)];
      const bool second = values[static_cast<std::size_t>(node.second)];
      values.push_back(node.type == Node::Type::both ? first && second : first || second);
      continue;
    }
    const std::string left = value_of(node.left, environment);
    const std::string right = value_of(node.right, environment);
    const std::string& variable = is_literal(node.left) ? node.right : node.left;
    if (if_unknown && is_of_kernel(variable) && value_of(variable, environment).empty()) {
      values.push_back(*if_unknown);
      continue;
    }
    if (holds_version(variable)) {
      const Result<Specifiers> clause = right.find(',') == std::string::npos
                                            ? Specifiers::parse(node.op + right)
                                            : Error("a list is no version");
      if (clause) {
        const Result<Version> version = Version::parse(left);
        values.push_back(node.op == "===" ? lower(left) == lower(right)
                                          : version && clause->allow(*version));
        continue;
      }
    }
    values.push_back(compare_text(left, node.op, right));
  }
  return values.empty() || values.back();
}

}  // namespace wheel_audit
