// Reads packs: rule files strictly, tables as text.
#include "rules/load.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rules/pack_files.hpp"
#include "rules/pack_json.hpp"
#include "rules/when.hpp"
#include "wheel_audit/rules.hpp"
#include "wheel_audit/set.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

const std::vector<std::string> kRuleKeys = {"kind",       "when", "params", "severity", "opt_in",
                                            "supersedes", "why",  "fix",    "mend",     "refs"};

Result<void> bind_kind(Rule& rule, const Tables& tables) {
  if (const SetKind* of_sets = set_kind(rule.kind)) {
    Params params(rule.params, tables);
    static_cast<void>(of_sets->bind(params));  // what is wrong with them is told before any wheel
    return params.done();
  }
  const auto found = std::ranges::find(kinds(), rule.kind, &Kind::name);
  if (found == kinds().end()) {
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) names.emplace_back(kind.name);
    for (const SetKind& kind : set_kinds()) names.emplace_back(kind.name);
    return Error(fmt::format("unknown kind \"{}\"{}", rule.kind, did_you_mean(rule.kind, names)));
  }
  Params params(rule.params, tables);
  rule.check = found->bind(params);
  if (found->symbols != nullptr) rule.symbols = found->symbols(params);
  if (found->texts != nullptr) found->texts(params, rule.texts);
  rule.every_symbol = found->every_symbol;
  return params.done();
}

Result<Rule> parse_rule(const PackFile& file, const Json& json) {
  Rule rule;
  rule.id =
      file.pack + "/" + file.rest.substr(0, file.rest.size() - std::string_view(".json").size());
  rule.origin = file.origin;
  const Result<void> keys = only_keys(json, kRuleKeys);
  if (!keys) return keys.error();
  for (const auto& [key, place] : std::initializer_list<std::pair<const char*, std::string*>>{
           {"kind", &rule.kind}, {"why", &rule.why}, {"fix", &rule.fix}}) {
    Result<std::string> text = text_of(json, key);
    if (!text) return text.error();
    *place = std::move(*text);
  }
  const std::optional<Severity> severity = parse_severity(json["severity"].as_string());
  if (!severity) {
    return Error(fmt::format("\"severity\" is \"{}\", expected error, warning or note",
                             json["severity"].as_string()));
  }
  rule.severity = *severity;
  for (const char* key : {"supersedes", "mend", "refs"}) {
    const Json& list = json[key];
    if (!list.is_null() &&
        (!list.is_array() || !std::ranges::all_of(list.items(), &Json::is_string))) {
      return Error(fmt::format("\"{}\" is no list of strings", key));
    }
  }
  if (!json["opt_in"].is_null() && !json["opt_in"].is_bool())
    return Error("\"opt_in\" is no boolean");
  rule.opt_in = json["opt_in"].as_bool();
  rule.supersedes = json["supersedes"].strings();
  rule.mend = json["mend"].strings();
  rule.refs = json["refs"].strings();
  rule.params = json["params"].is_null() ? Json::object() : json["params"];
  if (!rule.params.is_object()) return Error("\"params\" is no object");
  Result<When> when = parse_when(json["when"]);
  if (!when) return when.error();
  rule.when = std::move(*when);
  return rule;
}

Result<Rule> read_rule_file(const PackFile& file) {
  const Result<Json> json = Json::parse(file.text);
  if (!json) return json.error().in(file.origin);
  Result<Rule> rule = parse_rule(file, *json);
  if (!rule) return rule.error().in(file.origin);
  return rule;
}

/// Adds the rules of a pack to the set, not bound yet.
Result<void> add_rules(const std::vector<PackFile>& files, RuleSet& set) {
  for (const PackFile& file : files) {
    if (file.rest == "pack.json" || file.rest.starts_with("tables/")) continue;
    Result<Rule> rule = read_rule_file(file);
    if (!rule) return rule.error();
    set.rules.push_back(std::move(*rule));
  }
  return {};
}

Error no_such_pack(const std::string& name, const PackFiles& packs) {
  std::vector<std::string> known;
  for (const auto& [pack, files] : packs) known.push_back(pack);
  return Error(fmt::format("there is no pack \"{}\"{}; known packs: {}", name,
                           did_you_mean(name, known), join(known, ", ")));
}

/// Adds a pack and what it extends, each once.
Result<void> add_pack(const std::string& name, const PackFiles& packs, std::set<std::string>& added,
                      RuleSet& set) {
  if (!added.insert(name).second) return {};
  const auto found = packs.find(name);
  if (found == packs.end()) return no_such_pack(name, packs);
  for (const PackFile& file : found->second) {
    if (file.rest != "pack.json") continue;
    const Result<std::vector<std::string>> extends = read_pack_json(file, set);
    if (!extends) return extends.error();
    for (const std::string& other : *extends) {
      const Result<void> done = add_pack(other, packs, added, set);
      if (!done) return done.error().in(file.origin);
    }
  }
  return add_rules(found->second, set);
}

/// The tables of all packs, loaded or not: rules share them.
void add_all_tables(const PackFiles& packs, RuleSet& set) {
  for (const auto& [pack, files] : packs) {
    for (const PackFile& file : files) {
      if (!file.rest.starts_with("tables/")) continue;
      set.tables->add(pack + "/" + file.rest.substr(7, file.rest.size() - 7 - 5), file.origin,
                      file.text, file.built_in);
    }
  }
}

/// Whether a rule stands for another, directly or through rules that it stands for.
bool stands_for(const Rule& rule, const std::string& id, const RuleSet& set,
                std::set<std::string>& asked) {
  if (!asked.insert(rule.id).second) return false;
  return std::ranges::any_of(rule.supersedes, [&](const std::string& other) {
    if (other == id) return true;
    const auto next = std::ranges::find(set.rules, other, &Rule::id);
    return next != set.rules.end() && stands_for(*next, id, set, asked);
  });
}

/// Ids that rules and packs speak of must be rules of some pack, loaded or not: a renamed rule
/// would otherwise be superseded or adjusted no longer, and nobody told.
Result<void> check_references(const PackFiles& packs, const RuleSet& set) {
  const std::vector<std::string> ids = rule_ids(packs);
  for (const Rule& rule : set.rules) {
    for (const std::string& other : rule.supersedes) {
      if (other == rule.id)
        return Error(fmt::format("{}: supersedes: a rule cannot stand for itself", rule.origin));
      const auto weaker = std::ranges::find(set.rules, other, &Rule::id);
      std::set<std::string> asked;
      // Two that stand for each other would both vanish.
      if (weaker != set.rules.end() && stands_for(*weaker, rule.id, set, asked))
        return Error(
            fmt::format("{}: supersedes: {} stands for {} itself", rule.origin, other, rule.id));
      if (std::ranges::find(ids, other) != ids.end()) continue;
      return Error(fmt::format("{}: supersedes: no rule is named \"{}\"{}", rule.origin, other,
                               did_you_mean(other, ids)));
    }
  }
  for (const Adjustment& adjustment : set.adjustments) {
    const bool known = std::ranges::any_of(
        ids, [&](const std::string& id) { return glob_match(adjustment.rule, id); });
    if (known) continue;
    return Error(fmt::format("pack {}: adjust: no rule is named \"{}\"{}", adjustment.pack,
                             adjustment.rule, did_you_mean(adjustment.rule, ids)));
  }
  return {};
}

}  // namespace

namespace detail {

std::string label_of(const Selection& selection, const std::string& list, const std::string& item) {
  const auto origin = selection.origins.find({list, item});
  return origin == selection.origins.end() ? "--" + list : origin->second;
}

Result<RuleSet> read_packs(const Selection& selection) {
  RuleSet set;
  set.tables = std::make_shared<Tables>();
  PackFiles packs = embedded_packs();
  std::vector<std::string> wanted = selection.packs;
  for (const std::string& folder : selection.folders) {
    Result<std::vector<PackFile>> files = folder_files(folder);
    if (!files && selection.origins.contains({"rules", folder}))
      return files.error().in(label_of(selection, "rules", folder));
    if (!files) return files.error();
    for (PackFile& file : *files) {
      if (std::ranges::find(wanted, file.pack) == wanted.end()) wanted.push_back(file.pack);
      if (embedded_packs().contains(file.pack)) {
        return Error(fmt::format("{}: a pack \"{}\" is built in; give yours another name",
                                 file.origin, file.pack));
      }
      packs[file.pack].push_back(std::move(file));
    }
  }
  for (const std::string& name : selection.packs) {
    if (!packs.contains(name))
      return no_such_pack(name, packs).in(label_of(selection, "packs", name));
  }
  add_all_tables(packs, set);
  std::set<std::string> added;
  for (const std::string& name : wanted) {
    const Result<void> done = add_pack(name, packs, added, set);
    if (!done) return done.error();
  }
  std::ranges::sort(set.rules, {}, &Rule::id);
  const Result<void> known = check_references(packs, set);
  if (!known) return known.error();
  return set;
}

Result<Rule> read_rule(const std::string& pack, const std::string& file, std::string_view text) {
  return read_rule_file({pack, file, file, std::string(text), false});
}

Result<void> bind(Rule& rule, const RuleSet& set) {
  const Result<void> bound = bind_kind(rule, *set.tables);
  if (!bound) return bound.error().in(rule.origin);
  return {};
}

}  // namespace detail

std::vector<std::string> built_in_packs() {
  std::vector<std::string> names;
  for (const auto& [pack, files] : embedded_packs()) names.push_back(pack);
  return names;
}

}  // namespace wheel_audit
