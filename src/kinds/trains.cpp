#include "kinds/trains.hpp"

#include <charconv>

#include "base/lasting_name.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

int train_of_soname(const Libraries& libraries, std::string_view soname) {
  // A repaired wheel needs its copies under names with a hash, and often with the full version.
  const std::string plain = without_hash(soname);
  const auto is_of = [&](const std::string& known) {
    return plain.starts_with(known) && (plain.size() == known.size() || plain[known.size()] == '.');
  };
  int train = 0;
  for (const Provider& provider : libraries.all()) {
    if (!provider.nvidia() || !is_of(provider.soname)) continue;
    if (train != 0 && train != provider.train) return 0;
    train = provider.train;
  }
  return train;
}

namespace {

/// The number of a `-cuNN` suffix, or 0.
int suffix_train(std::string_view name) {
  const std::size_t at = name.rfind("-cu");
  if (at == std::string_view::npos) return 0;
  const std::string_view digits = name.substr(at + 3);
  int number = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return failed == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

int train_of_package(const Libraries& libraries, std::string_view package) {
  for (const Provider& provider : libraries.all()) {
    if (provider.nvidia() && provider.package == package) return provider.train;
  }
  return 0;
}

}  // namespace

int train_told_by(const Libraries& libraries, const Requirement& requirement) {
  const int own = train_of_requirement(libraries, requirement);
  if (own != 0) return own;
  for (const Clause& clause : requirement.specifiers.clauses()) {
    const std::size_t plus = clause.version.find('+');
    if ((clause.op != "==" && clause.op != "===") || plus == std::string::npos) continue;
    const Claim claim = claim_of_local_version(std::string_view(clause.version).substr(plus + 1));
    if (claim.accelerator == "cuda") return claim.major;
  }
  // Majors that a suffix can mean; `-cu3` is somebody's name.
  constexpr int kFirst = 9;
  constexpr int kLast = 29;
  std::string_view name = requirement.name;
  if (name.ends_with('x')) name.remove_suffix(1);
  int told = suffix_train(name);
  const std::size_t at = name.rfind("-cuda");
  if (told == 0 && at != std::string_view::npos)
    told = suffix_train("-cu" + std::string(name.substr(at + 5)));
  return told >= kFirst && told <= kLast ? told : 0;
}

bool is_cuda_package(const Libraries& libraries, const Requirement& requirement) {
  return requirement.name == "cuda-toolkit" || train_of_package(libraries, requirement.name) != 0 ||
         (requirement.name.starts_with("nvidia-") && suffix_train(requirement.name) != 0);
}

int train_of_requirement(const Libraries& libraries, const Requirement& requirement) {
  if (!is_cuda_package(libraries, requirement)) return 0;
  if (requirement.name == "cuda-toolkit") {
    int train = 0;
    for (const int major : {11, 12, 13, 14}) {
      if (!requirement.specifiers.allow_some_of_major(static_cast<std::uint64_t>(major))) continue;
      if (train != 0) return 0;
      train = major;
    }
    return train;
  }
  const int suffix = suffix_train(requirement.name);
  return suffix != 0 ? suffix : train_of_package(libraries, requirement.name);
}

}  // namespace wheel_audit
