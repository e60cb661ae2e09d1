// Mutation tests of the rules: do the fixtures notice when a rule is weaker than it was, and do the
// rules notice when a fact is another one?
#pragma once

#include <map>
#include <string>
#include <vector>

namespace wheel_audit::mutation {

/// What was changed, of what, and whether anything noticed.
struct Mutant {
  std::string subject;   ///< a rule's id, or the path of a fact: `elf[].needed[]`
  std::string mutation;  ///< `params.deny[3] removed`
  bool noticed = false;
};

/// Each shipped rule silenced, and with each of its conditions and parameters removed, one at a
/// time; noticed by the rule's own fixtures.
std::vector<Mutant> weaken_rules();

/// Each fact of sound wheels changed, one at a time; noticed when the rules find other faults,
/// leave something unread, or the facts are refused.
std::vector<Mutant> change_facts();

}  // namespace wheel_audit::mutation
