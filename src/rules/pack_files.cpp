// The texts of packs, built in or in a folder.
#include "rules/pack_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "wheel_audit/embedded.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

const PackFiles& embedded_packs() {
  static const PackFiles kPacks = [] {
    PackFiles packs;
    for (const EmbeddedFile& file : embedded_rules()) {
      const std::string_view path(file.path);
      const std::string_view below = path.substr(path.find('/') + 1);
      const std::size_t slash = below.find('/');
      const std::string pack(below.substr(0, slash));
      packs[pack].push_back({pack, std::string(below.substr(slash + 1)), std::string(path),
                             std::string(file.begin, file.end), true});
    }
    return packs;
  }();
  return kPacks;
}

namespace {

Result<std::string> file_text(const std::filesystem::path& path) {
  Result<std::string> text = read_whole(path.string());
  if (!text) return text.error().in(path.string());
  return text;
}

}  // namespace

Result<std::vector<PackFile>> folder_files(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    return Error(fmt::format("{}: no such folder of rules", folder));
  const fs::path root = fs::absolute(folder, failed).lexically_normal();
  if (failed) return Error(fmt::format("{}: {}", folder, failed.message()));
  std::vector<fs::path> paths;
  for (fs::recursive_directory_iterator at(root, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->path().extension() == ".json" && at->is_regular_file(failed))
      paths.push_back(at->path());
  }
  if (failed) return Error(fmt::format("{}: {}", folder, failed.message()));
  std::ranges::sort(paths);
  // A folder whose own files are rules is one pack, named like the folder; else its folders are.
  const bool is_pack =
      std::ranges::any_of(paths, [&](const fs::path& p) { return p.parent_path() == root; });
  const std::string own = (root.has_filename() ? root : root.parent_path()).filename().string();
  std::vector<PackFile> files;
  for (const fs::path& path : paths) {
    const std::string below = path.lexically_relative(root).generic_string();
    if (below.starts_with("fixtures/") || below.find("/fixtures/") != std::string::npos) continue;
    const std::size_t slash = below.find('/');
    Result<std::string> text = file_text(path);
    if (!text) return text.error();
    files.push_back({is_pack ? own : below.substr(0, slash),
                     is_pack ? below : below.substr(slash + 1), path.string(), std::move(*text)});
  }
  if (files.empty()) return Error(fmt::format("{}: holds no rule files (*.json)", folder));
  return files;
}

Result<std::string> text_of_origin(const std::string& origin) {
  for (const auto& [pack, files] : embedded_packs()) {
    const auto found = std::ranges::find(files, origin, &PackFile::origin);
    if (found != files.end()) return found->text;
  }
  return file_text(origin);
}

std::string near_rule(const std::string& word, const std::vector<std::string>& ids) {
  if (word.find('/') != std::string::npos) return did_you_mean(word, ids);
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const std::string& id : ids) names.push_back(id.substr(id.find('/') + 1));
  const std::string near(nearest(word, names));
  if (near.empty()) return {};
  std::vector<std::string> meant;
  for (const std::string& id : ids)
    if (id.substr(id.find('/') + 1) == near) meant.push_back("\"" + id + "\"");
  return fmt::format(" (did you mean {}?)", join(meant, " or "));
}

std::vector<std::string> rule_ids(const PackFiles& packs) {
  std::vector<std::string> ids;
  for (const auto& [pack, files] : packs) {
    for (const PackFile& file : files) {
      if (file.rest == "pack.json" || file.rest.starts_with("tables/")) continue;
      ids.push_back(pack + "/" + file.rest.substr(0, file.rest.rfind('.')));
    }
  }
  return ids;
}

}  // namespace wheel_audit
