// Which of the loaded rules are asked: selection, opt-in rules, changed severities.
#include <fmt/format.h>

#include <algorithm>

#include "rules/load.hpp"
#include "rules/pack_files.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::vector<std::string> ids_of(const RuleSet& set) {
  std::vector<std::string> ids;
  for (const Rule& rule : set.rules) ids.push_back(rule.id);
  return ids;
}

/// The nearest id, or the nearest pack's glob for a glob.
std::string near_pattern(const std::string& pattern, const std::vector<std::string>& ids) {
  if (!pattern.ends_with("/*")) return near_rule(pattern, ids);
  std::vector<std::string> known;
  known.reserve(ids.size());
  for (const std::string& id : ids) known.push_back(id.substr(0, id.find('/')) + "/*");
  return did_you_mean(pattern, known);
}

/// Why a pattern names no rule: rules of a pack that is not asked are the usual reason.
std::string why_unknown(const Selection& selection, const std::string& pattern,
                        const std::vector<std::string>& ids) {
  for (const std::string& id : rule_ids(embedded_packs())) {
    if (!glob_match(pattern, id)) continue;
    const std::string pack = id.substr(0, id.find('/'));
    return fmt::format("\"{}\" is of pack {}, which is not in force: --pack {},{}", pattern, pack,
                       join(selection.packs, ","), pack);
  }
  return fmt::format("no rule is named \"{}\"{}", pattern, near_pattern(pattern, ids));
}

/// A pattern that names no rule is a mistake.
Result<void> all_known(const Selection& selection, const std::string& list,
                       const std::vector<std::string>& patterns,
                       const std::vector<std::string>& ids) {
  for (const std::string& pattern : patterns) {
    const bool known =
        std::ranges::any_of(ids, [&](const std::string& id) { return glob_match(pattern, id); });
    if (known) continue;
    return Error(why_unknown(selection, pattern, ids))
        .in(detail::label_of(selection, list, pattern));
  }
  return {};
}

/// What is enabled is named one by one: a glob would enable whatever a later version brings.
Result<void> all_exact(const Selection& selection, const std::vector<std::string>& ids) {
  for (const auto& [id, params] : selection.enable) {
    if (std::ranges::find(ids, id) != ids.end()) continue;
    const bool is_glob = id.find_first_of("*?[") != std::string::npos;
    return Error(is_glob
                     ? fmt::format("no rule is named \"{}\"; rules are enabled one by one, each "
                                   "by its own id",
                                   id)
                     : why_unknown(selection, id, ids))
        .in(detail::label_of(selection, "enable", id));
  }
  return {};
}

/// The severity that the longest pattern for a rule gives it; of equally long ones, the first.
std::optional<Severity> severity_of(const Selection& selection, const std::string& id) {
  const std::pair<const std::string, Severity>* best = nullptr;
  for (const auto& choice : selection.severity) {
    if (choice.first == id) return choice.second;
    if (!glob_match(choice.first, id)) continue;
    if (best == nullptr || choice.first.size() > best->first.size()) best = &choice;
  }
  return best == nullptr ? std::nullopt : std::optional<Severity>(best->second);
}

template <typename Value>
std::vector<std::string> keys_of(const std::map<std::string, Value>& map) {
  std::vector<std::string> keys;
  keys.reserve(map.size());
  for (const auto& [key, value] : map) keys.push_back(key);
  return keys;
}

}  // namespace

Result<RuleSet> load_rules(const Selection& selection) {
  Result<RuleSet> set = detail::read_packs(selection);
  if (!set) return set;
  const std::vector<std::string> ids = ids_of(*set);
  for (const auto& [list, patterns] :
       std::initializer_list<std::pair<const char*, std::vector<std::string>>>{
           {"select", selection.select},
           {"ignore", selection.ignore},
           {"severity", keys_of(selection.severity)},
           {"require", selection.require}}) {
    const Result<void> known = all_known(selection, list, patterns, ids);
    if (!known) return known.error();
  }
  const Result<void> exact = all_exact(selection, ids);
  if (!exact) return exact.error();
  std::erase_if(set->rules, [&](const Rule& rule) {
    const bool named = std::ranges::find(selection.select, rule.id) != selection.select.end();
    const bool asked = !rule.opt_in || named || selection.enable.contains(rule.id);
    const bool selected = selection.select.empty() || matches_any(selection.select, rule.id);
    return !asked || !selected || matches_any(selection.ignore, rule.id);
  });
  for (Rule& rule : set->rules) {
    const auto enabled = selection.enable.find(rule.id);
    if (enabled != selection.enable.end()) rule.params.merge_patch(enabled->second);
    rule.severity = severity_of(selection, rule.id).value_or(rule.severity);
    const Result<void> bound = detail::bind(rule, *set);
    if (!bound && enabled != selection.enable.end())
      return bound.error().in(detail::label_of(selection, "enable", rule.id));
    if (!bound) return bound.error();
  }
  return set;
}

Result<RuleSet> load_all_rules(const std::vector<std::string>& folders) {
  Selection all;
  all.packs = built_in_packs();
  all.folders = folders;
  Result<RuleSet> set = detail::read_packs(all);
  if (!set) return set;
  for (Rule& rule : set->rules) {
    const Result<void> bound = detail::bind(rule, *set);
    if (!bound) return bound.error();
  }
  return set;
}

const Rule* RuleSet::find(std::string_view id) const {
  const auto found = std::ranges::find(rules, id, &Rule::id);
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace wheel_audit
