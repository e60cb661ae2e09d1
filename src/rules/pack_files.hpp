// The files of packs: those that are built in, and those of a user's folders.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wheel_audit/result.hpp"

namespace wheel_audit {

/// One file of a pack: `<pack>/<rest>`, and where it came from for messages.
struct PackFile {
  std::string pack;
  std::string rest;  ///< `runpath-empty.json`, `tables/sonames.json`, `pack.json`
  std::string origin;
  std::string text;
  bool built_in = false;
};

using PackFiles = std::map<std::string, std::vector<PackFile>>;

/// The packs that are built in.
const PackFiles& embedded_packs();

/// The files of a folder of a user: rules in it, or packs of rules below it.
Result<std::vector<PackFile>> folder_files(const std::string& folder);

/// A rule file, word for word, by the origin of its rule; errors name it.
Result<std::string> text_of_origin(const std::string& origin);

/// ` (did you mean "cuda/missing-hop"?)` for an id that no rule has, and for one without its pack;
/// empty where none is near.
std::string near_rule(const std::string& word, const std::vector<std::string>& ids);

/// The id of every rule of the packs.
std::vector<std::string> rule_ids(const PackFiles& packs);

}  // namespace wheel_audit
