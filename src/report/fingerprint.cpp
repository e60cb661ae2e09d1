// Fingerprints: what of a finding is the same in the next release of the wheel, as a digest.
#include <fmt/format.h>

#include <map>

#include "kinds/hashed_name.hpp"
#include "report/parts.hpp"
#include "wheel_audit/digest.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// Distribution and tags of a wheel; of a file that is named otherwise, the whole name.
std::string lasting_wheel_name(const std::string& file) {
  const std::string name(base_name(file));
  const Result<NameFacts> parts = parse_wheel_name(name);
  if (!parts) return name;
  return fmt::format("{} {} {} {}", lower(parts->distribution), join(parts->python, "."),
                     join(parts->abi, "."), join(parts->platform, "."));
}

/// A member's path without the version in the name of its dist-info or data directory, and without
/// hashes in names: `demo-1.0.dist-info/RECORD` → `demo.dist-info/RECORD`.
std::string lasting_path(std::string_view path) {
  std::vector<std::string> parts;
  for (const std::string_view part : split(path, '/')) parts.push_back(without_hash(part));
  for (const std::string_view suffix : {".dist-info", ".data"}) {
    const std::size_t dash = parts.front().find('-');
    if (parts.front().ends_with(suffix) && dash != std::string::npos)
      parts.front().replace(dash, std::string::npos, suffix);
  }
  return join(parts, "/");
}

}  // namespace

std::vector<std::string> fingerprints(const std::string& file,
                                      const std::vector<Finding>& findings) {
  constexpr std::size_t kDigits = 32;
  const std::string wheel = lasting_wheel_name(file);
  std::map<std::string, std::size_t> seen;
  std::vector<std::string> all;
  for (const Finding& finding : findings) {
    // Parts are apart by line ends, which printable text has none of.
    std::string text = fmt::format("{}\n{}\n{}\n{}", printable(finding.rule), printable(wheel),
                                   printable(finding.where ? lasting_path(*finding.where) : ""),
                                   printable(without_hash(finding.subject)));
    const std::size_t before = seen[text]++;
    if (before > 0) text += fmt::format("\n{}", before);
    all.push_back(text_sha256(text).substr(0, kDigits));
  }
  return all;
}

}  // namespace wheel_audit
