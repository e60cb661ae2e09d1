// The question whether a wheel declares exactly the packages that its row of the release says.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/release.hpp"
#include "kinds/shipped_files.hpp"
#include "kinds/trains.hpp"
#include "wheel_audit/search_entry.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

std::set<std::pair<std::string, std::string>> clause_set(const Specifiers& specifiers) {
  std::set<std::pair<std::string, std::string>> clauses;
  for (const Clause& clause : specifiers.clauses()) clauses.emplace(clause.op, clause.version);
  return clauses;
}

/// A marker's text without blanks and with one kind of quote.
std::string plain_marker(const Requirement& requirement) {
  std::string plain;
  for (const char c : requirement.marker_text) {
    if (c != ' ' && c != '\t') plain += c == '"' ? '\'' : c;
  }
  return plain;
}

bool differs_by_train(std::string_view a, std::string_view b) {
  return a != b && without_train_suffix(a) == without_train_suffix(b);
}

/// What other rules find in the libraries when the train's package is not declared as it should be.
void cover_needs(const Subject& subject, const ReleaseTrain& train, Fault& into) {
  for (const Placed& file : subject.site().files()) {
    if (file.elf == nullptr || file.wheel != &subject.wheel) continue;
    if (file.elf->needs(train.runtime)) into.covers.emplace_back(file.member->path, train.runtime);
    for (const std::string& text : file.elf->search_path()) {
      const SearchEntry entry = search_entry(text, file);
      const bool leads = std::ranges::any_of(entry.directories, [&](const std::string& directory) {
        return std::ranges::find(train.directories, directory) != train.directories.end();
      });
      if (leads) into.covers.emplace_back(file.member->path, text);
    }
  }
}

Fault package_fault(std::string message, std::string found, std::string expected,
                    const std::string& name) {
  return {.where = std::nullopt,
          .message = std::move(message),
          .evidence = {{"package", name},
                       {"found", std::move(found)},
                       {"expected", std::move(expected)}},
          .subject = name,
          .fix = {}};
}

using Requirements = std::vector<const Requirement*>;

/// Judges one requirement of the row; what it took from `declared` is removed.
void judge_expected(const Subject& subject, const ReleaseTrain& train, const Requirement& expected,
                    Requirements& declared, Report& report) {
  const auto same = std::ranges::find(declared, expected.name, &Requirement::name);
  if (same != declared.end()) {
    const Requirement& found = **same;
    declared.erase(same);
    const bool bounds = clause_set(found.specifiers) != clause_set(expected.specifiers);
    const bool marker = plain_marker(found) != plain_marker(expected);
    if (!bounds && !marker) return;
    Fault fault = package_fault(fmt::format("declares {} {}", found.name,
                                            bounds ? "with other bounds than its row"
                                                   : "under another marker than its row"),
                                found.text, expected.text, found.name);
    cover_needs(subject, train, fault);
    return report(std::move(fault));
  }
  const auto other = std::ranges::find_if(
      declared, [&](const Requirement* one) { return differs_by_train(one->name, expected.name); });
  Fault fault = other == declared.end()
                    ? package_fault(fmt::format("does not declare {}", expected.name),
                                    "no such requirement", expected.text, expected.name)
                    : package_fault(fmt::format("declares {}, the package of another train than {}",
                                                (*other)->name, train.name),
                                    (*other)->text, expected.text, (*other)->name);
  fault.covers.emplace_back(std::nullopt, expected.name);
  cover_needs(subject, train, fault);
  if (other != declared.end()) declared.erase(other);
  report(std::move(fault));
}

/// `release.packages`: declared packages (names by glob) unlike those of the wheel's row, in either
/// direction; a wheel that ships none of the files in `beside` declares none.
Check packages(Params& params) {
  const Release release(params.table("release"));
  const std::vector<std::string> names = params.list("names");
  const std::vector<std::string> beside = params.list("beside");
  return [release, names, beside](const Subject& subject, Report& report) {
    if (!subject.wheel.metadata) return Looked::nothing;
    const bool ships = ships_member(subject, beside);
    const ReleaseTrain* train = release.train_of(subject);
    // Of a train that is not in the table, or of none: the question about the train says so.
    if (ships && train == nullptr) return Looked::nothing;
    Requirements declared;
    for (const Requirement& requirement : subject.requirements()) {
      if (matches_any(names, requirement.name)) declared.push_back(&requirement);
    }
    if (ships) {
      for (const Requirement& expected : train->packages)
        judge_expected(subject, *train, expected, declared, report);
    }
    for (const Requirement* surplus : declared) {
      report(package_fault(fmt::format("declares {}, which {}", surplus->name,
                                       ships ? "is not of its row"
                                             : "a wheel without CUDA libraries has no use for"),
                           surplus->text, "no such requirement", surplus->name));
    }
    return Looked::something;
  };
}

}  // namespace

std::vector<Kind> release_package_kinds() { return {{"release.packages", packages}}; }

}  // namespace wheel_audit
