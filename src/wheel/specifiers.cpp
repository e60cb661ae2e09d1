// Specifier sets: each clause is one or two intervals on the line of versions, half open, whose
// ends are places of version_key. `===` alone compares text.
#include <algorithm>
#include <array>

#include "quoted.hpp"
#include "version_key.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kMostClauses = 1000;  // real sets have under twenty

/// [first, end) on the line of versions.
struct Interval {
  VersionKey first = VersionKey::minus_infinity();
  VersionKey end = VersionKey::plus_infinity();
};
using Intervals = std::vector<Interval>;

Intervals complement(const Interval& interval) {
  return {{VersionKey::minus_infinity(), interval.first},
          {interval.end, VersionKey::plus_infinity()}};
}

/// The version of a clause and whether it ended in `.*`; nothing where it does not parse (`===`).
struct Operand {
  Version version;
  bool wildcard = false;
};

Result<Operand> operand_of(const Clause& clause) {
  std::string_view text = clause.version;
  const bool wildcard = text.ends_with(".*");
  if (wildcard) text.remove_suffix(2);
  const Result<Version> version = Version::parse(text);
  if (!version) return version.error();
  return Operand{*version, wildcard};
}

/// Where the clause's allowed versions are; empty where nothing can be allowed.
Intervals intervals_of(const Clause& clause) {
  const Result<Operand> operand = operand_of(clause);
  if (!operand) return {};
  const Version& version = operand->version;
  const std::size_t count = version.release().size();
  const VersionKey key(version);
  if (operand->wildcard) {
    const Interval prefix = {VersionKey::before_prefix(version, count),
                             VersionKey::after_prefix(version, count)};
    return clause.op == "==" ? Intervals{prefix} : complement(prefix);
  }
  if (clause.op == ">=") return {{key, VersionKey::plus_infinity()}};
  if (clause.op == "<=") return {{VersionKey::minus_infinity(), VersionKey::after_locals(version)}};
  if (clause.op == "<") {
    // Pre-releases of a version are not below it, unless it is one itself.
    return {{VersionKey::minus_infinity(),
             version.is_prerelease() ? key : VersionKey::before_prereleases(version)}};
  }
  if (clause.op == ">") {
    // Post-releases of a version are not above it, unless it is one itself.
    return {{version.is_postrelease() || version.is_developmental()
                 ? VersionKey::after_locals(version)
                 : VersionKey::after_posts(version),
             VersionKey::plus_infinity()}};
  }
  if (clause.op == "~=") return {{key, VersionKey::after_prefix(version, count - 1)}};
  if (clause.op == "===") return {{key, VersionKey::after(version)}};
  const Interval exact = {key, version.local().empty() ? VersionKey::after_locals(version)
                                                       : VersionKey::after(version)};
  return clause.op == "==" ? Intervals{exact} : complement(exact);
}

/// What is in both; both are sorted and do not overlap.
Intervals intersect(const Intervals& a, const Intervals& b) {
  Intervals out;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval both = {std::max(a[i].first, b[j].first), std::min(a[i].end, b[j].end)};
    if (both.first < both.end) out.push_back(both);
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return out;
}

Result<Clause> parse_clause(std::string_view text) {
  constexpr std::array<std::string_view, 8> kOperators = {
      "===", "==", "!=", "<=", ">=", "~=", "<", ">"};
  const auto* const op = std::ranges::find_if(
      kOperators, [&](std::string_view word) { return text.starts_with(word); });
  if (op == kOperators.end()) {
    return Error(quoted(text) + " is not a version specifier: it does not start with one of " +
                 "==, !=, <=, >=, <, >, ~=, ===");
  }
  Clause clause = {std::string(*op), std::string(trim(text.substr(op->size())))};
  if (clause.op == "===") {
    if (clause.version.empty() ||
        clause.version.find_first_of(" \t\r\n\v\f;)") != std::string::npos) {
      return Error(quoted(text) + " is not a version specifier: === takes one word");
    }
    return clause;
  }
  const Result<Operand> operand = operand_of(clause);
  if (!operand) return operand.error().in(quoted(text) + " is not a version specifier");
  const bool equality = clause.op == "==" || clause.op == "!=";
  const Version& version = operand->version;
  if (operand->wildcard && !equality) {
    return Error(quoted(text) + " is not a version specifier: .* goes with == and != only");
  }
  if (operand->wildcard &&
      (version.is_prerelease() || version.is_postrelease() || !version.local().empty())) {
    return Error(quoted(text) + " is not a version specifier: .* follows a release only");
  }
  if (!version.local().empty() && !equality) {
    return Error(quoted(text) +
                 " is not a version specifier: a local version goes with == and != only");
  }
  if (clause.op == "~=" && version.release().size() < 2) {
    return Error(quoted(text) + " is not a version specifier: ~= takes a release of two numbers");
  }
  return clause;
}

}  // namespace

Result<Specifiers> Specifiers::parse(std::string_view text) {
  Specifiers specifiers;
  for (const std::string_view part : split(text, ',')) {
    const std::string_view word = trim(part);
    if (word.empty()) continue;
    Result<Clause> clause = parse_clause(word);
    if (!clause) return clause.error();
    if (specifiers.clauses_.size() == kMostClauses) {
      return Error("the version specifier has more than 1000 clauses");
    }
    specifiers.clauses_.push_back(std::move(*clause));
  }
  return specifiers;
}

bool Specifiers::allow(const Version& version) const {
  const VersionKey key(version);
  return std::ranges::all_of(clauses_, [&](const Clause& clause) {
    if (clause.op == "===") return lower(clause.version) == version.normalized();
    return std::ranges::any_of(intervals_of(clause), [&](const Interval& interval) {
      return interval.first <= key && key < interval.end;
    });
  });
}

bool Specifiers::allow_some_of_major(std::uint64_t major) const {
  const Result<Version> release = Version::parse(std::to_string(major));
  if (!release) return false;
  Intervals allowed = {
      {VersionKey::before_prefix(*release, 1), VersionKey::after_prefix(*release, 1)}};
  for (const Clause& clause : clauses_) allowed = intersect(allowed, intervals_of(clause));
  return !allowed.empty();
}

std::optional<Version> Specifiers::lower_bound() const {
  std::optional<Version> highest;
  for (const Clause& clause : clauses_) {
    if (clause.op == "!=" || clause.op.starts_with('<')) continue;
    const Result<Operand> operand = operand_of(clause);
    if (operand && (!highest || *highest < operand->version)) highest = operand->version;
  }
  return highest;
}

bool Specifiers::has_upper_bound() const {
  return std::ranges::any_of(clauses_, [](const Clause& clause) {
    return clause.op != "!=" && !clause.op.starts_with('>');
  });
}

}  // namespace wheel_audit
