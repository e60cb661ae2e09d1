// Questions about RECORD: rows and members, digests and sizes (PEP 376, PEP 427).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <vector>

#include "base/base64.hpp"
#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

Looked looked_at(const WheelFacts& wheel) {
  return wheel.record ? Looked::something : Looked::nothing;
}

/// RECORD itself and its signatures: they can have no digest, and need no row.
bool is_exempt(std::string_view path, std::string_view record) {
  return path == record || path == std::string(record) + ".jws" ||
         path == std::string(record) + ".p7s";
}

/// Whether a row's path leads out of the directory that it is read against.
std::string_view stray(std::string_view path) {
  const bool drive = path.size() > 1 && path[1] == ':';
  if (path.starts_with('/') || path.starts_with('\\') || drive) return "an absolute path";
  const std::vector<std::string_view> parts = split(path, '/');
  if (std::ranges::find(parts, "..") != parts.end()) return "a path that climbs by \"..\"";
  return {};
}

/// Whether an archive might spell a row's path otherwise.
bool may_be_unplain(std::string_view path) {
  return path.find('\\') != std::string_view::npos || path.find("//") != std::string_view::npos ||
         path.starts_with("./") || path.find("/.") != std::string_view::npos ||
         path.starts_with('/') || path.ends_with('/') || path == ".";
}

/// A row's path as an archive would spell it: `demo/x` of `./demo//x` and `demo\\x`.
std::string plain_path(std::string_view path) {
  if (!may_be_unplain(path)) return std::string(path);
  std::string slashes(path);
  std::ranges::replace(slashes, '\\', '/');
  std::string plain;
  for (const std::string_view part : split(slashes, '/')) {
    if (part.empty() || part == ".") continue;
    plain += (plain.empty() ? "" : "/") + std::string(part);
  }
  return plain;
}

/// `record.missing`: no RECORD, or members without a row. Where rows are malformed, which members
/// they meant is not known, and the rule on malformed rows speaks alone.
Check missing(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (wheel.dist_infos.empty()) return Looked::nothing;
    const std::string path = own_dist_info(wheel) + "/RECORD";
    if (!wheel.record) {
      if (wheel.member(path) == nullptr) {
        report(fault(std::nullopt, fmt::format("has no {}", path),
                     {{"found", "no RECORD"}, {"expected", path}}));
      }
      return Looked::something;
    }
    if (!wheel.record->problems.empty()) return Looked::something;
    std::vector<bool> listed(wheel.members.size());  // of equal paths, the first
    const auto number = [&](const MemberFacts& member) {
      return static_cast<std::size_t>(&member - wheel.members.data());
    };
    OwnNameSet spellings;  // of rows that name a member in another way
    for (const RecordRow& row : wheel.record->rows) {
      const MemberFacts* member = subject.index().of_row(row);
      if (member != nullptr) listed[number(*member)] = true;
      if (!may_be_unplain(row.path)) continue;
      std::string plain = plain_path(row.path);
      if (plain != row.path && stray(row.path).empty()) spellings.insert(std::move(plain));
    }
    for (const MemberFacts& member : wheel.members) {
      if (member.kind == MemberKind::directory || member.path.ends_with('/')) continue;
      const bool alone = !subject.index().repeated().contains(member.path);
      const MemberFacts& first = alone ? member : *subject.index().member(member.path);
      if (listed[number(first)] || is_exempt(member.path, wheel.record->path)) continue;
      if (spellings.contains(member.path)) continue;  // the rule on rows says so
      report(fault(member.path, "has no row in RECORD",
                   {{"found", "no row"}, {"expected", fmt::format("a row in {}", path)}}));
    }
    return Looked::something;
  };
}

/// Members' paths, and every directory that is a member or above one.
class Shipped {
 public:
  explicit Shipped(const WheelFacts& wheel) {
    for (const MemberFacts& member : wheel.members) {
      std::string_view path = member.path;
      if (path.ends_with('/')) {
        path.remove_suffix(1);
        directories_.insert(path);
      } else {
        files_.insert(path);
      }
      path = openable_directory(path);
      // What lies above a directory that is known is known too.
      while (!path.empty() && directories_.insert(path).second) path = directory_name(path);
    }
  }

  /// Directories with and without the slash at the end.
  bool has(std::string_view path) const {
    if (!path.ends_with('/')) return files_.contains(path) || directories_.contains(path);
    path.remove_suffix(1);
    return directories_.contains(path);
  }

 private:
  NameSet files_;
  NameSet directories_;
};

/// `record.ghost`: rows that no member answers to.
Check ghost(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!subject.wheel.record) return Looked::nothing;
    std::optional<Shipped> of_all;  // most wheels have no row that asks for it
    for (const RecordRow& row : subject.wheel.record->rows) {
      if (!row.path.ends_with('/') && subject.index().of_row(row) != nullptr) continue;
      if (!of_all) of_all.emplace(subject.wheel);
      const Shipped& shipped = *of_all;
      if (shipped.has(row.path)) continue;
      const std::string_view how = stray(row.path);
      const std::string plain = plain_path(row.path);
      const std::string message =
          !how.empty() ? fmt::format("has a row with {}: {}", how, row.path)
          : shipped.has(plain)
              ? fmt::format("has a row for {}, which the wheel spells {}", row.path, plain)
              : fmt::format("has a row for {}, which is not in the wheel", row.path);
      report(fault(subject.wheel.record->path, message,
                   {{"found", row.path}, {"expected", "a member of the wheel"}}, row.path));
    }
    return Looked::something;
  };
}

/// `record.malformed`: rows that are no CSV of three fields.
Check malformed(Params&) {
  return [](const Subject& subject, Report& report) {
    if (!subject.wheel.record) return Looked::nothing;
    for (const std::string& problem : subject.wheel.record->problems) {
      report(fault(subject.wheel.record->path, problem,
                   {{"found", problem}, {"expected", "path,algorithm=digest,size"}}, problem));
    }
    return Looked::something;
  };
}

constexpr std::array<std::string_view, 3> kChecked = {"sha256", "sha384", "sha512"};
// As strong, but not computed here.
constexpr std::array<std::string_view, 7> kStrong = {
    "blake2b", "blake2s", "sha3_256", "sha3_384", "sha3_512", "sha512_256", "blake3"};

template <typename Words>
bool is_among(std::string_view word, const Words& words) {
  return std::ranges::find(words, word) != words.end();
}

/// The digest that was computed of a member by an algorithm; empty when it was not.
std::string computed(const RecordFacts& record, const MemberFacts& member,
                     std::string_view algorithm) {
  if (algorithm == "sha256") return member.sha256;
  const auto found = record.other_digests.find(member.path);
  return found == record.other_digests.end() ? std::string() : found->second;
}

/// What is wrong with a row's digest; evidence goes to `evidence`. Without `hashed` the facts say
/// themselves that digests were left out.
std::string digest_problem(const RecordFacts& record, const RecordRow& row,
                           const MemberFacts& member, bool hashed, Evidence& evidence,
                           Report& report) {
  const auto wrong = [&](std::string found, std::string expected, std::string message) {
    evidence = {{"found", std::move(found)}, {"expected", std::move(expected)}};
    return message;
  };
  if (row.hash.empty()) {
    return wrong("no digest", "sha256=…", "has a row without a digest");
  }
  const std::size_t equals = row.hash.find('=');
  const std::string algorithm = lower(row.hash.substr(0, equals));
  if (equals == std::string::npos)
    return wrong(row.hash, "algorithm=digest", "has a digest that names no algorithm");
  if (is_among(algorithm, kStrong)) {
    report.unread(member.path,
                  fmt::format("its digest in RECORD is by {}, which is not computed", algorithm));
    return {};
  }
  if (!is_among(algorithm, kChecked)) {
    return wrong(algorithm, "sha256 or stronger",
                 fmt::format("has a digest by {}, expected sha256 or stronger", algorithm));
  }
  const std::string own = computed(record, member, algorithm);
  const std::optional<std::string> stated = hex_of_urlsafe_base64(row.hash.substr(equals + 1));
  if (row.hash.ends_with('=')) {
    return wrong(row.hash, "urlsafe base64 without padding",
                 "has a digest with padding, which installers compare as text");
  }
  if (!stated) {
    return wrong(row.hash, "urlsafe base64", "has a digest that is no urlsafe base64");
  }
  if (own.empty()) {
    if (hashed) report.unread(member.path, fmt::format("its {} was not computed", algorithm));
    return {};
  }
  if (*stated == own) return {};
  return wrong(
      fmt::format("{} {}", algorithm, own), fmt::format("{} {}", algorithm, *stated),
      fmt::format("is not what RECORD says: its {} is {}, expected {}", algorithm, own, *stated));
}

/// What is wrong with a row's size. PEP 376 lets it be empty.
std::string size_problem(const RecordRow& row, const MemberFacts& member, Evidence& evidence) {
  if (row.size.empty()) return {};
  std::uint64_t stated = 0;
  const char* end = std::to_address(row.size.end());
  const auto parsed = std::from_chars(row.size.data(), end, stated);
  if (parsed.ec == std::errc() && parsed.ptr == end && stated == member.size) return {};
  evidence = {{"found", std::to_string(member.size)}, {"expected", row.size}};
  return fmt::format("is not what RECORD says: it has {} bytes, expected {}", member.size,
                     row.size);
}

/// `record.digest`: digests that are missing, weak or wrong, and sizes that are wrong. A path that
/// is in the archive twice has no one content and is left to the rule on duplicates.
Check digest(Params&) {
  return [](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    if (!wheel.record) return looked_at(wheel);
    const bool hashed = std::ranges::none_of(
        wheel.unread, [](const Unread& unread) { return unread.what == "digest"; });
    for (const RecordRow& row : wheel.record->rows) {
      const MemberFacts* found = subject.index().of_row(row);
      if (found == nullptr || subject.index().repeated().contains(row.path)) continue;
      const MemberFacts& member = *found;
      if (member.kind == MemberKind::directory || subject.index().is_corrupt(member.path)) continue;
      if (row.hash.empty() && is_exempt(row.path, wheel.record->path)) continue;
      Evidence evidence;
      std::string problem = size_problem(row, member, evidence);
      const std::string worse =
          digest_problem(*wheel.record, row, member, hashed, evidence, report);
      if (!worse.empty()) problem = worse;
      if (!problem.empty()) report(fault(member.path, problem, evidence));
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> record_kinds() {
  return {{"record.missing", missing},
          {"record.ghost", ghost},
          {"record.malformed", malformed},
          {"record.digest", digest}};
}

}  // namespace wheel_audit
