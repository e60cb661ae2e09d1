#include <cstdio>
#include <cstdlib>
#include <functional>
#include <set>

#include "mutation/mutation.hpp"
#include "wheel_audit/audit.hpp"
#include "wheel_audit/facts_json.hpp"
#include "wheel_audit/forge.hpp"
#include "wheel_audit/selftest.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::mutation {

namespace {

/// What the rules say of facts, as lines that can be compared.
class Judge {
 public:
  explicit Judge(const RuleSet& rules) : rules_(rules) {}

  std::multiset<std::string> say(const WheelFacts& wheel) const {
    const WheelReport report = audit(Subject(wheel, expect_, context_), rules_);
    std::multiset<std::string> lines;
    for (const Finding& finding : report.findings)
      lines.insert(finding.rule + " " + finding.where.value_or("") + " " + finding.message);
    for (const Unread& unread : report.unread) lines.insert("unread " + unread.reason);
    return lines;
  }

 private:
  const RuleSet& rules_;
  Expectations expect_;
  Context context_;
};

/// The other values that a leaf is given.
std::vector<std::pair<std::string, Json>> others(const Json& value) {
  if (value.is_bool()) return {{"turned", Json(!value.as_bool())}};
  if (value.is_integer()) {
    const std::uint64_t number = value.as_uint();
    return {{"plus one", Json(number + 1)}, {"zero", Json(number == 0 ? 7 : 0)}, {"null", Json()}};
  }
  if (value.is_string()) {
    return {{"another", Json(value.as_string() + "x")}, {"empty", Json("")}, {"null", Json()}};
  }
  if (value.is_null()) return {{"a text", Json("x")}, {"a number", Json(1)}, {"true", Json(true)}};
  return {};
}

/// Walks a document and calls `visit` with each change of it: the document changed, the path with
/// `[]` for indices, and what was done.
class Walk {
 public:
  using Visit = std::function<void(const std::string&, const std::string&)>;

  Walk(Json& root, Visit visit) : root_(root), visit_(std::move(visit)) {}

  void run() { at(root_, ""); }

 private:
  // `value` is part of the root and is changed in place, and back.
  void at(Json& value, const std::string& path) {
    const Json kept = value;
    if (kept.is_object()) {
      for (const auto& [key, inner] : kept.entries())
        at(value.at_or_add(key), path.empty() ? key : path + "." + key);
      return;
    }
    if (!kept.is_array()) {
      for (auto& [name, other] : others(kept)) change(value, std::move(other), path, name);
      value = kept;
      return;
    }
    change(value, Json::array(), path + "[]", "all removed");
    if (!kept.items().empty()) {
      Json::Array fewer(kept.items().begin() + 1, kept.items().end());
      change(value, Json(std::move(fewer)), path + "[]", "first removed");
      Json::Array twice = kept.items();
      twice.push_back(kept.items().front());
      change(value, Json(std::move(twice)), path + "[]", "first twice");
    } else {
      change(value, Json(Json::Array{Json("x")}), path + "[]", "one added");
    }
    for (std::size_t i = 0; i < kept.items().size(); ++i) {
      // Items are reached through a copy: a Json hands out no reference to them.
      Json item = kept.items()[i];
      each_of_item(value, kept, i, item, path + "[]");
    }
    value = kept;
  }

  void each_of_item(Json& list, const Json& kept, std::size_t index, Json& item,
                    const std::string& path) {
    Walk inner(item, [&](const std::string& below, const std::string& what) {
      Json::Array items = kept.items();
      items[index] = item;
      list = Json(std::move(items));
      visit_(below.empty() ? path : path + "." + below, what);
    });
    inner.run();
  }

  void change(Json& value, Json other, const std::string& path, const std::string& what) {
    if (value == other) return;
    value = std::move(other);
    visit_(path, what);
  }

  Json& root_;
  Visit visit_;
};

}  // namespace

std::vector<Mutant> change_facts() {
  Selection selection;
  selection.packs = {"base", "linux", "cuda", "pypi"};
  const Result<RuleSet> rules = load_rules(selection);
  const Result<Fixtures> fixtures = load_fixtures({});
  if (!rules || !fixtures) {
    std::fputs("mutation: the shipped rules or fixtures do not load\n", stderr);
    std::exit(2);
  }
  ReadOptions options;
  options.all_symbols = true;
  const Judge judge(*rules);
  std::vector<Mutant> mutants;
  for (const char* base : {"native", "abi3", "musl", "cuda13", "pure"}) {
    const Result<ForgedWheel> forged = forge_wheel(fixtures->bases.at(base), {});
    if (!forged) std::exit(2);
    const WheelFacts sound = read_wheel_bytes(forged->file_name, forged->bytes, options);
    Json json = facts_to_json(sound);
    const std::multiset<std::string> before = judge.say(sound);
    Walk(json, [&](const std::string& path, const std::string& what) {
      const Result<WheelFacts> changed = facts_from_json(json);
      mutants.push_back({path, what, !changed || judge.say(*changed) != before});
    }).run();
  }
  return mutants;
}

}  // namespace wheel_audit::mutation
