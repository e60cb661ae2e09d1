// Fingerprints: what of a finding is the same in the next release of the wheel, as a digest.
#include <fmt/format.h>

#include <map>

#include "base/lasting_name.hpp"
#include "report/parts.hpp"
#include "wheel_audit/digest.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// Distribution and tags of a wheel; of a file that is named otherwise, the whole name.
std::string lasting_wheel_name(const std::string& file) {
  std::string name(base_name(file));
  const Result<NameFacts> parts = parse_wheel_name(name);
  if (!parts) return name;
  return fmt::format("{} {} {} {}", lower(parts->distribution), join(parts->python, "."),
                     join(parts->abi, "."), join(parts->platform, "."));
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
