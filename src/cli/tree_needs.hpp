// What becomes of the needs that no given wheel meets, in the words of tree.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "wheel_audit/rules.hpp"

namespace wheel_audit::cli {

/// One need without a file: the word of JSON (`promised`, `undeclared`…), the words of text, and
/// whether the loader would fail for it.
struct Outside {
  std::string state;
  std::string words;
  std::string package;  ///< that ships it; empty where none is known
  bool unresolved = false;
};

/// The needs of a wheel's own libraries by library and name, judged with the shipped tables.
class OutsideNeeds {
 public:
  OutsideNeeds(const Subject& subject, const RuleSet& rules);
  /// What is known of an absent edge; needs of other wheels' libraries are only `outside`.
  const Outside& of(const Edge& edge) const;

 private:
  std::map<std::pair<const Placed*, std::string>, Outside> known_;
  Outside other_{"outside", "outside the wheels", {}, false};
};

/// The platform tag that a wheel's needs deserve: the lowest that promises every symbol version
/// that its files need of libraries which it does not ship.
std::string honest_tag_of(const Subject& subject, const RuleSet& rules);

}  // namespace wheel_audit::cli
