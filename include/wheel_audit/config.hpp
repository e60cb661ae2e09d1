// Configuration: wheel-audit.toml, or [tool.wheel-audit] of pyproject.toml, read strictly, and put
// together with what the command line says. Keys and their meaning: docs/config.md.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"
#include "wheel_audit/rules.hpp"
#include "wheel_audit/triage.hpp"

namespace wheel_audit {

/// What one source says: a file, or the command line. Each value has its key's form, and paths are
/// as the working directory sees them.
struct Config {
  std::string file;         ///< empty: no file
  std::string passed_over;  ///< a pyproject.toml whose table a wheel-audit.toml beside it hides
  Json values = Json::object();
  /// Path of a value (`fail-on`, `select/0`, `enable/linux/x`, `waive/1/until`) to `file:line:col`.
  std::map<std::string, std::string> places;
};

/// The configuration in a text. `file` is named in errors, its folder is what relative paths begin
/// at, and its name decides whether the table is the whole file or `[tool.wheel-audit]`.
/// Unknown keys and wrong types are refused with `file:line:column` and the nearest known word.
/// Nothing where a pyproject.toml has no such table.
Result<std::optional<Config>> parse_config(std::string_view text, const std::string& file);

/// Reads a file that must be there and hold a configuration.
Result<Config> load_config(const std::string& file);

/// The nearest file from the working directory up to the repository's root (the folder with
/// `.git`); outside a repository only the working directory is looked at, so that nobody's file
/// further up has a say. An empty configuration where there is none.
Result<Config> find_config();

/// Every key with its value, and where each value comes from: `default`, `command line`, or
/// `file:line:column`.
struct InForce {
  std::string file;         ///< as in Config
  std::string passed_over;  ///< as in Config
  Json values = Json::object();
  /// By path, as in Config; a value without a path of its own comes from where its key does.
  std::map<std::string, std::string> from;
  /// Where a value comes from.
  const std::string& origin(std::string_view key, std::string_view below = {}) const;
  /// How messages call a value: `--fail-on`, or `wheel-audit.toml:3:1: fail-on`.
  std::string label(std::string_view key, std::string_view below = {}) const;
};

/// The command line beats the file. Folders of rules and required rules add up; tables are merged
/// key by key; any other list replaces that of the file.
InForce in_force(const Config& file, const Json& command_line);

/// What the values mean.
struct Settings {
  Selection selection;
  Severity fail_on = Severity::error;
  Expectations expect;
  std::vector<std::string> with;
  std::string with_label;  ///< what messages call it
  std::vector<Waiver> waivers;
  std::string baseline;
  unsigned jobs = 0;  ///< 0: one for each core
  std::vector<std::pair<std::string, std::uint64_t>> limits;
  bool notes = false;
};

/// Refuses values that mean nothing, named by their origin.
Result<Settings> settings_of(const InForce& values);

/// A key of the configuration.
enum class ConfigType : std::uint8_t {
  text,
  word,  ///< error, warning or note
  flag,
  count,  ///< 1 to 1024
  path,
  texts,
  paths,
  archs,       ///< "8.0;9.0+PTX", or a list of its parts
  enable,      ///< ids, or ids with parameters
  limits,      ///< limits by name, each a number from 1
  severities,  ///< ids or globs with a word each
  text_table,  ///< names with a text each
  waivers,
};
struct ConfigKey {
  std::string_view name;
  ConfigType type;
  std::string_view about;
};

/// Every key, in the order in which `wheel-audit config` prints them.
const std::vector<ConfigKey>& config_keys();

}  // namespace wheel_audit
