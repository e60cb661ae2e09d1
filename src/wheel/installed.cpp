// Reads an installed environment's site-packages as the wheels that it came from: which files a
// distribution has is told by its RECORD, what they are by the files. Nothing is run, no link to a
// directory is followed, and `.pth` files are not: what they lead to is not part of the directory.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <unordered_map>

#include "archive/input_file.hpp"
#include "base/base64.hpp"
#include "scan/object_kind.hpp"
#include "wheel/texts.hpp"
#include "wheel_audit/archive.hpp"
#include "wheel_audit/elf.hpp"
#include "wheel_audit/limits.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 64;  // directories below site-packages
constexpr std::size_t kHead = 4096;

/// Random access into a file; everything is there, so nothing is ever missed.
class FileRanges final : public Ranges {
 public:
  explicit FileRanges(const InputFile& file) : file_(file) {}
  std::uint64_t size() const override { return file_.size(); }
  std::optional<ByteView> at(std::uint64_t offset, std::uint64_t length) override {
    if (offset > size() || length > size() - offset) return std::nullopt;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(length));
    const Result<std::size_t> count = file_.read(offset, bytes);
    if (!count || *count != bytes.size()) return std::nullopt;
    kept_.push_back(std::move(bytes));
    return ByteView(std::span<const std::uint8_t>(kept_.back()));
  }
  std::optional<ByteView> peek(std::uint64_t offset, std::uint64_t length) override {
    return at(offset, length);
  }
  const std::vector<Range>& misses() const override { return misses_; }

 private:
  const InputFile& file_;
  std::deque<std::vector<std::uint8_t>> kept_;
  std::vector<Range> misses_;
};

/// The hex form of a RECORD row's `sha256=` digest, which is in the URL alphabet of base64; empty
/// for another.
std::string hex_of_digest(std::string_view hash) {
  constexpr std::string_view kPrefix = "sha256=";
  constexpr std::size_t kDigits = 64;
  if (!hash.starts_with(kPrefix)) return {};
  const std::optional<std::string> hex = hex_of_urlsafe_base64(hash.substr(kPrefix.size()));
  return hex && hex->size() == kDigits ? *hex : std::string();
}

/// A file of the environment, by its path below site-packages.
struct Installed {
  MemberFacts member;
  std::optional<ElfFacts> elf;
  std::optional<Unread> unread;
  bool owned = false;
};

class Environment {
 public:
  explicit Environment(fs::path root) : root_(std::move(root)) {}

  std::vector<WheelFacts> read() {
    walk(root_, "", 0);
    std::vector<WheelFacts> wheels;
    std::ranges::sort(dist_infos_);
    for (const std::string& directory : dist_infos_) wheels.push_back(distribution(directory));
    wheels.push_back(rest());
    return wheels;
  }

 private:
  void walk(const fs::path& directory, const std::string& below, int depth) {
    std::error_code failed;
    if (full_) return;
    fs::directory_iterator at(directory, failed);
    if (failed || depth > kDeepest) {
      unread(below, failed ? failed.message() : fmt::format("deeper than {} levels", kDeepest));
      return;
    }
    for (const fs::directory_iterator end; !failed && !full_ && at != end; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      const std::string path = below.empty() ? name : below + "/" + name;
      std::error_code gone;
      const fs::file_status link = at->symlink_status(gone);
      if (fs::is_directory(link)) {
        if (name == "__pycache__") continue;
        if (below.empty() && name.ends_with(".dist-info")) dist_infos_.push_back(name);
        walk(at->path(), path, depth + 1);
      } else if (!fs::is_symlink(link) || !fs::is_directory(at->path(), gone)) {
        if (has_room()) files_.emplace(path, look_at(at->path(), path));
      }
    }
    if (failed) unread(below, failed.message());
  }

  /// Whether one more file may be looked at; that it may not is said once.
  bool has_room() {
    if (full_ || files_.size() < limits().environment_files) return !full_;
    full_ = true;
    unread("", fmt::format("more than {} files; the others are not read{}",
                           limits().environment_files, limit_hint(&Limits::environment_files)));
    return false;
  }

  void unread(const std::string& path, std::string reason) {
    unread_.push_back(
        {path.empty() ? std::optional<std::string>() : path, std::move(reason), "member"});
  }

  static Installed look_at(const fs::path& file, const std::string& path) {
    Installed found;
    found.member.path = path;
    const Result<InputFile> input = InputFile::open(file.string());
    if (!input) {
      found.unread = Unread{path, input.error().message(), "member"};
      return found;
    }
    found.member.size = input->size();
    std::vector<std::uint8_t> head(kHead);
    const Result<std::size_t> count = input->read(0, head);
    if (!count) {
      found.unread = Unread{path, count.error().message(), "member"};
      return found;
    }
    head.resize(*count);
    found.member.kind = object_kind(ByteView(std::span<const std::uint8_t>(head))).kind;
    if (found.member.kind != MemberKind::elf) return found;
    FileRanges ranges(*input);
    Result<ElfFacts> elf = read_elf(ranges);
    if (elf) {
      elf->path = path;
      found.elf = std::move(*elf);
    } else {
      found.unread = Unread{path, elf.error().message(), "elf"};
    }
    return found;
  }

  std::optional<std::string> text(const std::string& path, WheelFacts& wheel) const {
    const auto found = files_.find(path);
    if (found == files_.end() || found->second.unread) return std::nullopt;
    const Result<InputFile> input = InputFile::open((root_ / path).string());
    if (!input || input->size() > limits().text_bytes) {
      const std::string reason = input ? too_many_bytes(input->size()) : input.error().message();
      wheel.unread.push_back({path, reason, "member"});
      return std::nullopt;
    }
    std::string bytes(static_cast<std::size_t>(input->size()), '\0');
    const Result<std::size_t> count =
        input->read(0, std::span(reinterpret_cast<std::uint8_t*>(bytes.data()),  // NOLINT
                                 bytes.size()));
    if (!count) {
      wheel.unread.push_back({path, count.error().message(), "member"});
      return std::nullopt;
    }
    bytes.resize(*count);
    if (const auto reason = too_many_lines(base_name(path), bytes)) {
      wheel.unread.push_back({path, *reason, "member"});
      return std::nullopt;
    }
    return bytes;
  }

  WheelFacts distribution(const std::string& directory) {
    WheelFacts wheel;
    wheel.given = (root_ / directory).string();
    wheel.file_name = directory;
    wheel.dist_infos = {directory};
    if (const auto found = text(directory + "/METADATA", wheel)) {
      wheel.metadata = parse_metadata(directory + "/METADATA", *found);
    }
    if (const auto found = text(directory + "/RECORD", wheel)) {
      wheel.record = parse_record(directory + "/RECORD", *found);
    } else if (!full_ && !files_.contains(directory + "/RECORD")) {
      wheel.unread.push_back({directory, "has no RECORD that tells its files", "member"});
    }
    wheel.name = name_of(wheel, directory);
    if (!wheel.record) return wheel;
    for (const RecordRow& row : wheel.record->rows) add_row(row, wheel);
    return wheel;
  }

  /// The project and version that METADATA names, else those of the directory's name.
  static NameFacts name_of(const WheelFacts& wheel, std::string_view directory) {
    directory.remove_suffix(std::string_view(".dist-info").size());
    const std::size_t dash = directory.rfind('-');
    NameFacts name;
    name.distribution = std::string(directory.substr(0, dash));
    if (dash != std::string_view::npos) name.version = std::string(directory.substr(dash + 1));
    if (wheel.metadata) {
      if (const std::string* field = wheel.metadata->first("Name")) name.distribution = *field;
      if (const std::string* field = wheel.metadata->first("Version")) name.version = *field;
    }
    name.python = {"py3"};
    name.abi = {"none"};
    name.platform = {"any"};
    return name;
  }

  void add_row(const RecordRow& row, WheelFacts& wheel) {
    const std::string path = normal_row(row.path);
    if (path.empty() || row.path.ends_with(".pyc")) return;
    auto found = files_.find(path);
    if (found == files_.end()) {
      if (!path.starts_with("../")) return;  // removed since
      std::error_code failed;
      const fs::path outside = root_ / path;
      if (!fs::exists(outside, failed) || fs::is_directory(outside, failed)) return;
      if (!has_room()) return;
      found = files_.emplace(path, look_at(outside, path)).first;
    }
    Installed& file = found->second;
    MemberFacts member = file.member;
    // What RECORD says of a file that has its size; a file that was changed since has no digest.
    if (row.size == std::to_string(member.size)) member.sha256 = hex_of_digest(row.hash);
    wheel.members.push_back(std::move(member));
    if (file.elf) wheel.elves.push_back(*file.elf);
    if (file.unread) wheel.unread.push_back(*file.unread);
    file.owned = true;
  }

  /// A row's path in normal form; empty for one that is absolute or climbs out of the prefix,
  /// which is three levels up (`lib/python3.12/site-packages`).
  static std::string normal_row(std::string_view row) {
    if (row.starts_with('/')) return {};
    std::vector<std::string_view> kept;
    for (const std::string_view part : split(row, '/')) {
      if (part.empty() || part == ".") continue;
      if (part == ".." && !kept.empty() && kept.back() != "..") {
        kept.pop_back();
      } else {
        kept.push_back(part);
      }
    }
    if (std::ranges::count(kept, "..") > 3) return {};
    std::string path;
    for (const std::string_view part : kept) {
      if (!path.empty()) path += '/';
      path += part;
    }
    return path;
  }

  /// The files that no RECORD lists, which loaders find all the same.
  WheelFacts rest() {
    WheelFacts wheel;
    wheel.given = root_.string();
    wheel.file_name = root_.filename().string();
    wheel.unread = std::move(unread_);
    for (auto& [path, file] : files_) {
      if (file.owned) continue;
      wheel.members.push_back(file.member);
      if (file.elf) wheel.elves.push_back(std::move(*file.elf));
      if (file.unread) wheel.unread.push_back(std::move(*file.unread));
    }
    return wheel;
  }

  fs::path root_;
  std::map<std::string, Installed, std::less<>> files_;
  std::vector<std::string> dist_infos_;
  std::vector<Unread> unread_;
  bool full_ = false;  ///< there are more files than the limit `environment-files`
};

}  // namespace

Result<std::vector<WheelFacts>> read_installed(const std::string& directory) {
  std::error_code failed;
  if (!fs::exists(directory, failed)) {
    return Error(
        fmt::format("{}: {}", directory, failed ? failed.message() : "No such file or directory"));
  }
  if (!fs::is_directory(directory, failed))
    return Error(directory + ": is no directory; expected an installed site-packages");
  std::vector<WheelFacts> wheels = Environment(fs::path(directory)).read();
  if (wheels.size() == 1 && wheels.front().unread.empty()) {  // files of no distribution alone
    return Error(directory +
                 ": holds no *.dist-info directory; expected an installed site-packages");
  }
  return wheels;
}

}  // namespace wheel_audit
