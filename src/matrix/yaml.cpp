// The one file that includes yaml-cpp.
#include "matrix/yaml.hpp"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/yaml.h>

#include <set>

#include "wheel_audit/text.hpp"

namespace wheel_audit::matrix {

namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kMostNodes = 100'000;

/// Copies nodes until a limit or fault; an alias is copied wherever it is used.
class Copier {
 public:
  Yaml copy(const YAML::Node& node, int depth) {
    Yaml out;
    out.line = node.Mark().line + 1;
    if (depth > kDeepest) fail(out.line, fmt::format("more than {} levels deep", kDeepest));
    if (++nodes_ > kMostNodes) fail(out.line, fmt::format("more than {} nodes", kMostNodes));
    if (!error_.empty()) return out;
    if (node.IsScalar()) {
      out.type = Yaml::Type::scalar;
      out.text = node.Scalar();
    } else if (node.IsSequence()) {
      out.type = Yaml::Type::list;
      for (const auto& item : node) out.items.push_back(copy(item, depth + 1));
    } else if (node.IsMap()) {
      out.type = Yaml::Type::mapping;
      copy_entries(node, depth, out);
    }
    return out;
  }
  const std::string& error() const { return error_; }

 private:
  void copy_entries(const YAML::Node& node, int depth, Yaml& out) {
    std::set<std::string> keys;
    for (const auto& entry : node) {
      const int line = entry.first.Mark().line + 1;
      if (!entry.first.IsScalar()) return fail(line, "a key is no scalar");
      const std::string& key = entry.first.Scalar();
      if (!keys.insert(key).second)
        return fail(line, fmt::format("key \"{}\" stands twice", printable(key)));
      out.entries.push_back({key, copy(entry.second, depth + 1)});
    }
  }
  void fail(int line, std::string_view why) {
    if (error_.empty()) error_ = fmt::format("line {}: {}", line, why);
  }

  std::size_t nodes_ = 0;
  std::string error_;
};

}  // namespace

const Yaml* Yaml::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

Result<Yaml> parse_yaml(std::string_view text) {
  // yaml-cpp ends a document at such bytes without a word.
  if (!is_utf8(text) || text.find('\0') != std::string_view::npos)
    return Error("is no text in UTF-8, expected YAML");
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(std::string(text));
    if (documents.size() != 1) {
      return Error(fmt::format("holds {} YAML documents, expected one", documents.size()));
    }
    Copier copier;
    Yaml out = copier.copy(documents.front(), 0);
    if (!copier.error().empty()) return Error(copier.error());
    return out;
  } catch (const YAML::DeepRecursion&) {
    return Error(fmt::format("more than {} levels deep", kDeepest));
  } catch (const YAML::Exception& error) {
    return Error(fmt::format("line {}, column {}: {}", error.mark.line + 1, error.mark.column + 1,
                             error.msg));
  }
}

}  // namespace wheel_audit::matrix
