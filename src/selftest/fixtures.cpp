// Loads fixtures, built in or of a folder, and forges the wheels that they describe.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>

#include "base/files.hpp"
#include "rules/load.hpp"
#include "wheel_audit/audit.hpp"
#include "wheel_audit/embedded.hpp"
#include "wheel_audit/forge.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/selftest.hpp"
#include "wheel_audit/set.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// Sorts one file into bases or fixtures: `_base/<name>.json` or `<pack>/<rule>/<name>.json`.
Result<void> add_file(Fixtures& all, std::string_view below, const std::string& origin,
                      const std::string& folder, std::string_view text) {
  Result<Json> json = Json::parse(text);
  if (!json) return json.error().in(origin);
  below.remove_suffix(std::string_view(".json").size());
  const std::vector<std::string_view> parts = split(below, '/');
  if (parts.front().starts_with("_")) {  // `_base`, and folders that tests use for themselves
    if (parts.front() == "_base" && parts.size() == 2)
      all.bases.insert_or_assign(std::string(parts[1]), *json);
    return {};
  }
  if (parts.size() != 3)
    return Error(fmt::format("{}: expected <pack>/<rule>/<fixture>.json", origin));
  all.fixtures.push_back({fmt::format("{}/{}", parts[0], parts[1]), std::string(parts[2]), origin,
                          folder, std::move(*json)});
  return {};
}

Result<void> add_folder(Fixtures& all, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path root = fs::path(folder) / "fixtures";
  all.roots.push_back(root.string());
  if (!fs::is_directory(root, failed)) return {};
  std::vector<fs::path> paths;
  for (fs::recursive_directory_iterator at(root, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().extension() == ".json") paths.push_back(at->path());
  }
  if (failed) return Error(fmt::format("{}: {}", root.string(), failed.message()));
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const Result<std::string> text = read_whole(path.string());
    if (!text) return text.error().in(path.string());
    const Result<void> added = add_file(all, path.lexically_relative(root).generic_string(),
                                        path.string(), path.parent_path().string(), *text);
    if (!added) return added.error();
  }
  return {};
}

/// The bases that are themselves a change to another base, as recipes of their own.
Result<void> resolve_bases(Fixtures& all) {
  for (auto& [name, json] : all.bases) {
    std::vector<const Json*> changes;
    const Json* at = &json;
    while (const Json* below = at->find("base")) {
      changes.push_back(&(*at)["change"]);
      const auto found = all.bases.find(below->as_string());
      if (found == all.bases.end() || changes.size() > all.bases.size()) {
        return Error(
            fmt::format("base \"{}\": there is no base \"{}\" below it", name, below->as_string()));
      }
      at = &found->second;
    }
    Json recipe = *at;
    for (auto change = changes.rbegin(); change != changes.rend(); ++change)
      recipe.merge_patch(**change);
    json = std::move(recipe);
  }
  return {};
}

Result<Json> merged(const Fixtures& fixtures, const Json& json) {
  const auto base = fixtures.bases.find(json["base"].as_string());
  if (base == fixtures.bases.end()) {
    std::vector<std::string> known;
    for (const auto& [name, recipe] : fixtures.bases) known.push_back(name);
    const std::string& name = json["base"].as_string();
    return Error(fmt::format("there is no base \"{}\"{}", name, did_you_mean(name, known)));
  }
  Json recipe = base->second;
  if (const Json* change = json.find("change")) recipe.merge_patch(*change);
  return recipe;
}

/// The facts of a base with its change, forged.
Result<WheelFacts> wheel_of(const Fixtures& fixtures, const Fixture& fixture, const Json& json,
                            const TextWishes& texts) {
  const Result<Json> recipe = merged(fixtures, json);
  if (!recipe) return recipe.error();
  Result<ForgedWheel> wheel = forge_wheel(*recipe, fixture.folder);
  if (!wheel) return wheel.error();
  ReadOptions options;
  options.all_symbols = true;
  options.texts = texts;
  return read_wheel_bytes(wheel->file_name, std::move(wheel->bytes), options);
}

/// The same of each of a list (`with`, `set`).
Result<std::vector<WheelFacts>> others_of(const Fixtures& fixtures, const Fixture& fixture,
                                          const Json& list, const TextWishes& texts) {
  std::vector<WheelFacts> wheels;
  for (const Json& item : list.items()) {
    Result<WheelFacts> wheel = wheel_of(fixtures, fixture, item, texts);
    if (!wheel) return wheel.error();
    wheels.push_back(std::move(*wheel));
  }
  return wheels;
}

}  // namespace

Result<Fixtures> load_fixtures(const std::vector<std::string>& folders) {
  Fixtures all;
  for (const EmbeddedFile& file : embedded_fixtures()) {
    const std::string_view path(file.path);
    const std::string_view text(file.begin, file.end);
    const Result<void> added =
        add_file(all, path.substr(path.find('/') + 1), std::string(path), std::string(), text);
    if (!added) return added.error();
  }
  for (const std::string& folder : folders) {
    const Result<void> added = add_folder(all, folder);
    if (!added) return added.error();
  }
  const Result<void> resolved = resolve_bases(all);
  if (!resolved) return resolved.error();
  std::ranges::stable_sort(all.fixtures, [](const Fixture& a, const Fixture& b) {
    return std::tie(a.rule, a.name) < std::tie(b.rule, b.name);
  });
  return all;
}

Result<Json> recipe_of(const Fixtures& fixtures, const Fixture& fixture) {
  return merged(fixtures, fixture.json);
}

Result<std::vector<WheelReport>> run_fixture(const Fixtures& fixtures, const Fixture& fixture,
                                             const Rule& rule, const RuleSet& rules) {
  const Json& options = fixture.json["options"];
  RuleSet alone;
  alone.tables = rules.tables;
  alone.rules.push_back(rule);
  Rule& asked = alone.rules.front();
  if (const Json* enable = options.find("enable")) {
    asked.params.merge_patch(*enable);
    const Result<void> bound = detail::bind(asked, rules);
    if (!bound) return bound.error();
  }
  Result<std::vector<WheelFacts>> others = others_of(fixtures, fixture, options["with"], {});
  if (!others) return others.error();
  Result<std::vector<WheelFacts>> judged =
      others_of(fixtures, fixture, options["set"], asked.texts);
  if (!judged) return judged.error();
  Result<WheelFacts> own = wheel_of(fixtures, fixture, fixture.json, asked.texts);
  if (!own) return own.error();
  judged->insert(judged->begin(), std::move(*own));
  Expectations expect;
  expect.train = options["train"].as_string();
  if (options["archs"].is_string()) {
    Result<std::vector<ArchEntry>> archs = parse_arch_list(options["archs"].as_string());
    if (!archs) return archs.error();
    expect.archs = std::move(*archs);
  }
  for (const auto& [soname, package] : options["provides"].entries()) {
    expect.provides.emplace(soname, package.as_string());
  }
  Context context;
  for (const WheelFacts& other : *others) context.wheels.push_back(&other);
  std::deque<Subject> subjects;
  std::vector<const Subject*> siblings;
  std::vector<WheelReport> reports;
  for (const WheelFacts& wheel : *judged) {
    siblings.push_back(&subjects.emplace_back(wheel, expect, context));
    reports.push_back(audit(*siblings.back(), alone));
  }
  audit_sets(siblings, alone, {}, reports);
  return reports;
}

}  // namespace wheel_audit
