// What several commands do alike: refusing wrong use, finding the wheels that are meant.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/files.hpp"
#include "cli/commands.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace fs = std::filesystem;

int wrong_use(const std::string& message) {
  fmt::print(stderr, "wheel-audit: {}\n", printable(message));
  return kWrongUse;
}

Result<std::string> read_text(const std::string& path) {
  Result<std::string> text = read_whole(path);
  if (!text) return text.error().in(path == "-" ? "standard input" : path);
  return text;
}

namespace {

/// The wheels of a folder. One that may not be looked into stands for itself: it will be unread.
Result<std::vector<std::string>> wheels_in(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> found;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == ".whl") found.push_back(at->path().string());
  }
  if (failed) return std::vector{folder};
  if (found.empty()) return Error(fmt::format("{}: holds no *.whl", folder));
  std::ranges::sort(found);
  return found;
}

}  // namespace

Result<std::vector<std::string>> wheel_paths(const std::vector<std::string>& arguments) {
  std::vector<std::string> given;
  for (const std::string& argument : arguments) {
    if (argument != "-") {
      given.push_back(argument);
      continue;
    }
    const Result<std::string> lines = read_text("-");
    if (!lines) return lines.error();
    for (const std::string_view line : split(*lines, '\n'))
      if (!line.empty()) given.emplace_back(line);
  }
  std::vector<std::string> paths;
  for (const std::string& path : given) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    const bool is_hidden = failed && failed != std::errc::no_such_file_or_directory &&
                           failed != std::errc::not_a_directory;
    if (!fs::exists(status) && !is_hidden) {
      const bool is_glob = path.find_first_of("*?[") != std::string::npos;
      return Error(fmt::format(
          "{}: {}", path,
          is_glob ? "no such file; the pattern matched nothing" : "No such file or directory"));
    }
    if (!fs::is_directory(status)) {
      paths.push_back(path);
      continue;
    }
    Result<std::vector<std::string>> found = wheels_in(path);
    if (!found) return found.error();
    std::ranges::move(*found, std::back_inserter(paths));
  }
  if (paths.empty()) return Error("no wheel given");
  return paths;
}

unsigned jobs_or_cores(unsigned jobs) {
  return jobs > 0 ? jobs : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace wheel_audit::cli
