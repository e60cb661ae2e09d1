// Questions about several wheels at once: those of one release that are given in one call.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// Two or more wheels of one distribution and version, in order of file name.
using Siblings = std::vector<const Subject*>;

/// Where a kind of sets puts what it sees: each fault on the wheel that it concerns.
class SetReport {
 public:
  void operator()(const Subject& wheel, Fault fault) { faults[&wheel].push_back(std::move(fault)); }
  /// Says that these wheels were compared: the rule had something to look at for each of them.
  void looked_at(const Siblings& wheels) { looked.insert(wheels.begin(), wheels.end()); }

  std::map<const Subject*, std::vector<Fault>> faults;
  std::set<const Subject*> looked;
};

/// A bound question about siblings.
using SetCheck = std::function<void(const Siblings&, SetReport&)>;

/// A kind of question about siblings: its name, and the function that binds it to parameters.
struct SetKind {
  std::string_view name;
  SetCheck (*bind)(Params&);
};

/// Every kind of sets, in order of name.
const std::vector<SetKind>& set_kinds();

/// The kind of that name, or null. Its rules have no `check`: they are bound where they are asked.
const SetKind* set_kind(std::string_view name);

/// Asks the rules of such kinds, once for each group of siblings for which their `when` holds,
/// after every wheel was audited by itself. `reports` are in the order of `subjects`, and get the
/// findings and what was asked; a rule is not applicable to a wheel that has no sibling to compare.
void audit_sets(const std::vector<const Subject*>& subjects, const RuleSet& rules,
                const std::vector<std::string>& require, std::vector<WheelReport>& reports);

}  // namespace wheel_audit
