// The file and the command line put together, and what the values mean.
#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/config.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

const std::string kDefault = "default";
const std::string kCommandLine = "command line";

/// Lists that the command line adds to.
bool adds_up(std::string_view key) { return key == "rules" || key == "require"; }

std::string path_of(std::string_view key, std::string_view below) {
  return below.empty() ? std::string(key) : fmt::format("{}/{}", key, below);
}

Json default_of(std::string_view key) {
  if (key == "packs") return Selection().packs;
  if (key == "fail-on") return to_string(Severity::error);
  if (key == "notes") return false;
  return {};
}

}  // namespace

const std::string& InForce::origin(std::string_view key, std::string_view below) const {
  auto found = from.find(path_of(key, below));
  if (found == from.end()) found = from.find(std::string(key));
  return found == from.end() ? kDefault : found->second;
}

std::string InForce::label(std::string_view key, std::string_view below) const {
  const std::string& place = origin(key, below);
  if (place == kDefault) return std::string(key);
  if (place != kCommandLine) return fmt::format("{}: {}", place, key);
  return key == "packs" ? "--pack" : fmt::format("--{}", key);
}

InForce in_force(const Config& file, const Json& command_line) {
  InForce all;
  all.file = file.file;
  all.passed_over = file.passed_over;
  all.from = file.places;
  for (const ConfigKey& key : config_keys()) {
    const Json* said = file.values.find(key.name);
    const Json* given = command_line.find(key.name);
    Json value = said != nullptr ? *said : given != nullptr ? Json() : default_of(key.name);
    if (given == nullptr) {
      all.values.append(std::string(key.name), std::move(value));
      continue;
    }
    if (given->is_object()) {
      for (const auto& [name, one] : given->entries()) {
        value.set(name, one);
        all.from[path_of(key.name, name)] = kCommandLine;
      }
    } else if (adds_up(key.name)) {
      for (const Json& one : given->items()) {
        all.from[fmt::format("{}/{}", key.name, value.items().size())] = kCommandLine;
        value.push(one);
      }
    } else {
      value = *given;
      std::erase_if(all.from, [&](const auto& place) {
        return place.first.starts_with(fmt::format("{}/", key.name));
      });
      all.from[std::string(key.name)] = kCommandLine;
    }
    all.values.append(std::string(key.name), std::move(value));
  }
  return all;
}

namespace {

/// `key/index` of each text, for messages about it.
void note_origins(const InForce& force, std::string_view key, const std::vector<std::string>& texts,
                  Selection& selection) {
  std::size_t index = 0;
  for (const std::string& text : texts) {
    selection.origins.insert_or_assign({std::string(key), text},
                                       force.label(key, fmt::format("{}", index++)));
  }
}

Selection selection_of(const InForce& force) {
  Selection selection;
  selection.packs = force.values["packs"].strings();
  selection.folders = force.values["rules"].strings();
  selection.select = force.values["select"].strings();
  selection.ignore = force.values["ignore"].strings();
  note_origins(force, "packs", selection.packs, selection);
  note_origins(force, "rules", selection.folders, selection);
  note_origins(force, "select", selection.select, selection);
  note_origins(force, "ignore", selection.ignore, selection);
  selection.require = force.values["require"].strings();
  note_origins(force, "require", selection.require, selection);
  for (const auto& [id, params] : force.values["enable"].entries()) {
    selection.enable.emplace(id, params);
    selection.origins.insert_or_assign({"enable", id}, force.label("enable", id));
  }
  for (const auto& [id, word] : force.values["severity"].entries()) {
    selection.severity.emplace(id, parse_severity(word.as_string()).value_or(Severity::error));
    selection.origins.insert_or_assign({"severity", id}, force.label("severity", id));
  }
  return selection;
}

/// A word and its number (`cu130`, `cpu`, `rocm6.4`): what a local version may hold beside a train
/// (`cu13O`, `gitcu130`) is no expectation.
bool is_train(std::string_view text) {
  if (claim_of_local_version(text).accelerator.empty()) return false;
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  return text.find_first_not_of("0123456789.") == std::string_view::npos;
}

Result<Expectations> expectations_of(const InForce& force) {
  Expectations expect;
  expect.train = force.values["train"].as_string();
  if (!expect.train.empty() && !is_train(expect.train)) {
    return Error(fmt::format("{} {}: expected a train such as cu130 or cpu", force.label("train"),
                             expect.train));
  }
  for (const auto& [soname, package] : force.values["provides"].entries())
    expect.provides.emplace(soname, package.as_string());
  const std::string& archs = force.values["archs"].as_string();
  if (archs.empty()) return expect;
  Result<std::vector<ArchEntry>> entries = parse_arch_list(archs);
  if (!entries) return entries.error().in(force.label("archs"));
  expect.archs = std::move(*entries);
  return expect;
}

/// `file:12:1` taken apart: the file may hold colons itself.
std::pair<std::string, std::string> file_and_line(const std::string& place) {
  const std::size_t column = place.rfind(':');
  const std::size_t line = place.rfind(':', column - 1);
  return {place.substr(0, line), place.substr(line + 1, column - line - 1)};
}

std::vector<Waiver> waivers_of(const InForce& force) {
  std::vector<Waiver> waivers;
  for (const Json& item : force.values["waive"].items()) {
    Waiver waiver;
    waiver.rule = item["rule"].as_string();
    waiver.wheel = item["wheel"].strings();
    waiver.where = item["where"].strings();
    for (const auto& [key, glob] : item["evidence"].entries())
      waiver.evidence.emplace(key, glob.as_string());
    waiver.reason = item["reason"].as_string();
    waiver.until = item["until"].as_string();
    std::tie(waiver.file, waiver.line) =
        file_and_line(force.origin("waive", fmt::format("{}", waivers.size())));
    waivers.push_back(std::move(waiver));
  }
  return waivers;
}

}  // namespace

Result<Settings> settings_of(const InForce& force) {
  Settings settings;
  const std::string& fail_on = force.values["fail-on"].as_string();
  const std::optional<Severity> severity = parse_severity(fail_on);
  if (!severity) {
    return Error(
        fmt::format("{} {}: expected error, warning or note", force.label("fail-on"), fail_on));
  }
  settings.fail_on = *severity;
  Result<Expectations> expect = expectations_of(force);
  if (!expect) return expect.error();
  settings.expect = std::move(*expect);
  settings.selection = selection_of(force);
  settings.with = force.values["with"].strings();
  settings.with_label = force.label("with");
  settings.waivers = waivers_of(force);
  settings.baseline = force.values["baseline"].as_string();
  settings.jobs = static_cast<unsigned>(force.values["jobs"].as_uint());
  for (const auto& [name, value] : force.values["limits"].entries())
    settings.limits.emplace_back(name, value.as_uint());
  settings.notes = force.values["notes"].as_bool();
  return settings;
}

}  // namespace wheel_audit
