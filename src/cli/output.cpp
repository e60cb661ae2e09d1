// Where reports go: standard output, devices and pipes as they are, and files whole or not at all.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace fs = std::filesystem;

namespace {

bool write_all(std::FILE* file, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

bool refused(const std::string& output, const std::string& why) {
  fmt::print(stderr, "wheel-audit: {}: cannot be written: {}\n", printable(output), why);
  return false;
}

/// What a path names in the end: links are followed, one to a file that is not there yet too.
std::string target_of(std::string path) {
  constexpr int kMostLinks = 40;  // as Linux does (path_resolution(7))
  std::error_code failed;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, failed)); ++i) {
    const fs::path link = fs::read_symlink(path, failed);
    if (failed) break;
    path = (fs::path(path).parent_path() / link).string();  // an absolute link replaces the path
  }
  return path;
}

/// Devices and pipes are written as they are, and so is /dev/stdout where it is a file: a file
/// put in its place would leave what the shell writes next behind.
bool is_written_in_place(const std::string& output) {
  if (output.starts_with("/dev/") || output.starts_with("/proc/")) return true;
  std::error_code failed;
  const fs::file_status status = fs::status(output, failed);
  return fs::exists(status) && !fs::is_regular_file(status);
}

bool write_in_place(const std::string& output, std::string_view text) {
  std::FILE* file = std::fopen(output.c_str(), "ab");
  const bool good = file != nullptr && write_all(file, text);
  const int why = errno;
  if (file != nullptr) std::fclose(file);
  if (!good && why == EPIPE) return false;
  return good || refused(output, std::strerror(why));
}

/// Writes beside the target and renames, so that no half-written file is ever seen.
bool write_file(const std::string& output, std::string_view text) {
  const std::string target = target_of(output);
  const std::string beside = fmt::format("{}.{}.part", target, ::getpid());
  // Never through something that someone else put there.
  const UnfinishedFile unfinished(beside);
  const int descriptor = unfinished.descriptor();
  if (descriptor < 0) return refused(output, std::strerror(errno));
  struct stat before {};
  if (::stat(target.c_str(), &before) == 0) ::fchmod(descriptor, before.st_mode & 0777U);
  std::FILE* file = ::fdopen(descriptor, "wb");
  bool good = file != nullptr && write_all(file, text);
  int why = errno;
  if (file != nullptr && std::fclose(file) != 0 && good) {
    good = false;
    why = errno;
  }
  if (good && std::rename(beside.c_str(), target.c_str()) != 0) {
    good = false;
    why = errno;
  }
  if (good) return true;
  std::remove(beside.c_str());
  return refused(output, std::strerror(why));
}

}  // namespace

Result<void> writable_place(const std::string& output) {
  if (output.empty() || output == "-") return {};
  std::error_code failed;
  if (fs::is_directory(output, failed)) return Error(output + ": is a directory, expected a file");
  const std::string directory = fs::path(target_of(output)).parent_path().string();
  if (directory.empty() || fs::is_directory(directory, failed)) return {};
  return Error(fmt::format("{}: cannot be written: there is no directory {}", output, directory));
}

bool write_output(const std::string& output, std::string_view text) {
  if (!output.empty() && output != "-")
    return is_written_in_place(output) ? write_in_place(output, text) : write_file(output, text);
  if (write_all(stdout, text)) return true;
  if (errno != EPIPE)
    fmt::print(stderr, "wheel-audit: standard output: {}\n", std::strerror(errno));
  return false;
}

bool append_output(const std::string& output, std::string_view text) {
  if (is_written_in_place(output)) return write_in_place(output, text);
  std::error_code failed;
  if (!fs::exists(output, failed)) return write_file(output, text);
  Result<std::string> before = read_text(output);
  if (!before) return refused(output, before.error().message());
  if (!before->empty() && before->back() != '\n') *before += '\n';
  return write_file(output, *before + std::string(text));
}

}  // namespace wheel_audit::cli
