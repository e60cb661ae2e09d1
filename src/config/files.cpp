// Finds and reads the file: which one is in force, and what it says.
#include "base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "config/keys.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kOwnFile = "wheel-audit.toml";
constexpr std::string_view kProjectFile = "pyproject.toml";

Result<std::string> text_of(const std::string& file) {
  Result<std::string> text = read_whole(file);
  if (!text) return text.error().in(file);
  return text;
}

/// Whether a file is there. One that cannot be looked at, or a link that leads nowhere, may be the
/// configuration that somebody relies on: an error, not an absence.
Result<bool> is_there(const std::string& file) {
  const auto refused = [&](const std::error_code& failed) {
    return Error(fmt::format("{}: cannot be looked at: {} (--no-config passes it over)", file,
                             failed.message()));
  };
  std::error_code failed;
  const fs::file_status itself = fs::symlink_status(file, failed);
  if (itself.type() == fs::file_type::not_found) return false;
  if (failed) return refused(failed);
  const fs::file_status meant = fs::status(file, failed);
  if (meant.type() == fs::file_type::not_found) {
    return Error(fmt::format(
        "{}: is a link to a file that is not there (--no-config passes it over)", file));
  }
  if (failed) return refused(failed);
  return true;
}

/// The configuration of a file that is there; nothing where a pyproject.toml has no table of ours.
Result<std::optional<Config>> read_config(const std::string& file) {
  const Result<std::string> text = text_of(file);
  if (!text) return text.error();
  return parse_config(*text, file);
}

/// The configuration of one folder, with the file that it hides.
Result<std::optional<Config>> config_in(const std::string& folder) {
  const std::string own = folder + std::string(kOwnFile);
  const std::string project = folder + std::string(kProjectFile);
  std::optional<Config> beside;
  const Result<bool> project_there = is_there(project);
  if (!project_there) return project_there.error();
  if (*project_there) {
    Result<std::optional<Config>> read = read_config(project);
    if (!read) return read;
    beside = std::move(*read);
  }
  const Result<bool> own_there = is_there(own);
  if (!own_there) return own_there.error();
  if (!*own_there) return beside;
  Result<std::optional<Config>> read = read_config(own);
  if (read && *read && beside) (*read)->passed_over = project;
  return read;
}

}  // namespace

Result<std::optional<Config>> parse_config(std::string_view text, const std::string& file) {
  const bool is_project = base_name(file) == kProjectFile;
  const std::vector<std::string> below =
      is_project ? std::vector<std::string>{"tool", "wheel-audit"} : std::vector<std::string>();
  const Result<std::optional<toml_text::Document>> parsed = toml_text::parse(text, below);
  if (!parsed) return Error(fmt::format("{}:{}", file, parsed.error().message()));
  if (!*parsed) return std::optional<Config>();
  const toml_text::Document& document = **parsed;
  const detail::Source source{document, file, std::string(directory_name(file))};
  Config config;
  config.file = file;
  std::vector<std::string> names;
  for (const ConfigKey& key : config_keys()) names.emplace_back(key.name);
  for (const auto& [name, value] : document.root.entries()) {
    const auto key = std::ranges::find(config_keys(), name, &ConfigKey::name);
    if (key == config_keys().end())
      return source.error(name, "unknown key" + did_you_mean(name, names));
    Result<Json> read = detail::read_value(source, *key, value);
    if (!read) return read.error();
    config.values.append(name, std::move(*read));
  }
  for (const auto& [path, place] : document.places)
    config.places.emplace(path, fmt::format("{}:{}", file, place));
  // A list of ids is a table in the values: its items are found by their ids.
  if (document.root["enable"].is_array()) {
    std::size_t index = 0;
    for (const std::string& id : document.root["enable"].strings()) {
      config.places.emplace("enable/" + id, config.places[fmt::format("enable/{}", index++)]);
    }
  }
  return std::optional<Config>(std::move(config));
}

Result<Config> load_config(const std::string& file) {
  Result<std::optional<Config>> config = read_config(file);
  if (!config) return config.error();
  if (!*config) return Error(fmt::format("{}: has no table [tool.wheel-audit]", file));
  return std::move(**config);
}

Result<Config> find_config() {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed) return Error(fmt::format("the working directory: {}", failed.message()));
  const auto is_root = [&](const fs::path& folder) { return fs::exists(folder / ".git", failed); };
  fs::path root = here;
  while (!is_root(root) && root.has_relative_path()) root = root.parent_path();
  const bool in_repository = is_root(root);
  std::string prefix;
  for (fs::path folder = here;; folder = folder.parent_path(), prefix += "../") {
    Result<std::optional<Config>> config = config_in(prefix);
    if (!config) return config.error();
    if (*config) return std::move(**config);
    if (!in_repository || folder == root) return Config();
  }
}

}  // namespace wheel_audit
