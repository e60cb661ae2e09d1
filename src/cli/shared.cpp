#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <thread>

#include "cli/commands.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace fs = std::filesystem;

int wrong_use(const std::string& message) {
  fmt::print(stderr, "wheel-audit: {}\n", printable(message));
  return kWrongUse;
}

Result<std::string> read_text(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::error_code failed;
  if (fs::is_directory(path, failed)) return Error(fmt::format("{}: is a directory", path));
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error(fmt::format("{}: {}", path, std::strerror(errno)));
  text << in.rdbuf();
  return text.str();
}

namespace {

Result<std::vector<std::string>> wheels_in(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> found;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == ".whl") found.push_back(at->path().string());
  }
  if (failed) return Error(fmt::format("{}: {}", folder, failed.message()));
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
    for (std::string line; std::getline(std::cin, line);) {
      if (!line.empty()) given.push_back(line);
    }
  }
  std::vector<std::string> paths;
  for (const std::string& path : given) {
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (!fs::exists(status)) {
      const bool is_glob = path.find_first_of("*?[") != std::string::npos;
      return Error(fmt::format("{}: {}", path,
                               is_glob  ? "no such file; the pattern matched nothing"
                               : failed ? failed.message()
                                        : "No such file or directory"));
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

std::vector<std::string> asked_symbols(const RuleSet& rules) {
  std::vector<std::string> symbols;
  for (const Rule& rule : rules.rules) {
    symbols.insert(symbols.end(), rule.symbols.begin(), rule.symbols.end());
  }
  std::ranges::sort(symbols);
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

TextWishes asked_texts(const RuleSet& rules) {
  TextWishes all;
  for (const Rule& rule : rules.rules) {
    for (const std::string& glob : rule.texts.headers) all.headers.push_back(glob);
    for (const std::string& glob : rule.texts.cmake) all.cmake.push_back(glob);
  }
  for (std::vector<std::string>* globs : {&all.headers, &all.cmake}) {
    std::ranges::sort(*globs);
    globs->erase(std::unique(globs->begin(), globs->end()), globs->end());
  }
  return all;
}

}  // namespace wheel_audit::cli
