#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "mutation/mutation.hpp"
#include "rules/load.hpp"
#include "rules/when.hpp"
#include "wheel_audit/embedded.hpp"
#include "wheel_audit/selftest.hpp"

namespace wheel_audit::mutation {

namespace {

/// The value with one part removed: a key of an object, an item of a list.
struct Part {
  std::string name;
  Json rest;
};

std::vector<Part> without_one(const Json& json, const std::string& place) {
  std::vector<Part> parts;
  for (const auto& [key, value] : json.entries()) {
    Part part{place + "." + key + " removed", json};
    part.rest.erase(key);
    parts.push_back(std::move(part));
    for (const Part& inner : without_one(value, place + "." + key)) {
      Part deeper{inner.name, json};
      deeper.rest.set(key, inner.rest);
      parts.push_back(std::move(deeper));
    }
  }
  for (std::size_t i = 0; i < json.items().size(); ++i) {
    Part part{place + "[" + std::to_string(i) + "] removed", Json::array()};
    for (std::size_t k = 0; k < json.items().size(); ++k)
      if (k != i) part.rest.push(json.items()[k]);
    parts.push_back(std::move(part));
  }
  if (json.is_bool()) parts.push_back({place + " turned", Json(!json.as_bool())});
  return parts;
}

/// A rule with its own fixtures.
class Bench {
 public:
  Bench(const RuleSet& rules, const Fixtures& all) : rules_(rules) { fixtures_.bases = all.bases; }

  void choose(const Rule& rule, const Fixtures& all) {
    fixtures_.fixtures.clear();
    std::ranges::copy_if(all.fixtures, std::back_inserter(fixtures_.fixtures),
                         [&](const Fixture& fixture) { return fixture.rule == rule.id; });
  }

  /// Whether the fixtures refuse the rule.
  bool notice(Rule rule) const {
    RuleSet alone;
    alone.tables = rules_.tables;
    alone.rules.push_back(std::move(rule));
    const SelftestResult result = selftest(alone, fixtures_);
    // Every other kind is used by no rule then, which says nothing.
    return std::ranges::any_of(
        result.failures, [](const SelftestFailure& failure) { return !failure.rule.empty(); });
  }

 private:
  const RuleSet& rules_;
  Fixtures fixtures_;
};

void weaken_params(const Rule& rule, const RuleSet& rules, const Bench& bench,
                   std::vector<Mutant>& mutants) {
  for (const Part& part : without_one(rule.params, "params")) {
    Rule weaker = rule;
    weaker.params = part.rest;
    // A rule that is refused without the parameter cannot be weakened by its absence.
    const bool noticed = !detail::bind(weaker, rules) || bench.notice(std::move(weaker));
    mutants.push_back({rule.id, part.name, noticed});
  }
}

void weaken_when(const Rule& rule, const Json& when, const Bench& bench,
                 std::vector<Mutant>& mutants) {
  for (const Part& part : without_one(when, "when")) {
    Rule other = rule;
    Result<When> parsed = parse_when(part.rest);
    const bool refused = !parsed;
    if (parsed) other.when = std::move(*parsed);
    mutants.push_back({rule.id, part.name, refused || bench.notice(std::move(other))});
  }
}

Json when_of(const Rule& rule) {
  for (const EmbeddedFile& file : embedded_rules()) {
    if (file.path != rule.origin) continue;
    const Result<Json> json = Json::parse(std::string_view(file.begin, file.end));
    if (json) return (*json)["when"];
  }
  return {};
}

}  // namespace

std::vector<Mutant> weaken_rules() {
  const Result<RuleSet> rules = load_all_rules();
  const Result<Fixtures> fixtures = load_fixtures({});
  if (!rules || !fixtures) {
    std::fputs("mutation: the shipped rules or fixtures do not load\n", stderr);
    std::exit(2);
  }
  std::vector<Mutant> mutants;
  Bench bench(*rules, *fixtures);
  for (const Rule& rule : rules->rules) {
    bench.choose(rule, *fixtures);
    if (bench.notice(rule)) {
      std::fprintf(stderr, "mutation: %s fails its fixtures unchanged\n", rule.id.c_str());
      std::exit(2);
    }
    Rule silent = rule;
    silent.when.claim = {"no wheel claims this"};  // a check of its own would be bound again
    mutants.push_back({rule.id, "silenced", bench.notice(std::move(silent))});
    weaken_when(rule, when_of(rule), bench, mutants);
    weaken_params(rule, *rules, bench, mutants);
  }
  return mutants;
}

}  // namespace wheel_audit::mutation
