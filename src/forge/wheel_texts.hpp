// The texts of a wheel that a recipe describes field by field: METADATA, WHEEL, RECORD, and the
// file name with its tags (PEP 427, 425, 566, 639, 825).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forge/fields.hpp"
#include "forge/zip_writer.hpp"

namespace wheel_audit::forge {

/// The parts of a wheel's file name, as given: nothing is normalised.
struct NameParts {
  std::string distribution;
  std::string version;
  std::string build;
  std::string python;
  std::string abi;
  std::string platform;
  std::string variant;

  std::string file_name() const;
  /// Every combination of the three tag parts' alternatives.
  std::vector<std::string> tags() const;
};

Result<NameParts> read_name(const Json& spec);

/// METADATA's text; `spec` is the recipe's "metadata".
Result<std::string> metadata_text(const Json& spec, const NameParts& name);

/// WHEEL's text; `spec` is the recipe's "wheel".
Result<std::string> wheel_text(const Json& spec, const NameParts& name);

/// RECORD's text for the members so far; `path` is RECORD's own. `spec` is the recipe's "record".
Result<std::string> record_text(const Json& spec, const std::vector<ZipMember>& members,
                                const std::string& path, const Build& build);

}  // namespace wheel_audit::forge
