// Which CUDA train a soname, a package or a requirement tells.
#include "kinds/trains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/lasting_name.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

// CUDA majors that a version or a suffix can mean; `-cu3` is somebody's name.
constexpr int kFirstMajor = 9;
constexpr int kLastMajor = 29;

bool is_major(int number) { return number >= kFirstMajor && number <= kLastMajor; }

/// The number at the start of a text, which it is cut off of; -1 for none.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// What follows `.so.` in a soname; empty for none.
std::string_view version_part(std::string_view soname) {
  const std::size_t at = soname.find(".so.");
  return at == std::string_view::npos ? std::string_view() : soname.substr(at + 4);
}

/// The train of a version that no row has, where each row of the library has its train as its
/// version, over two trains at least; 0 otherwise.
int train_of_version(const Libraries& libraries, std::string_view plain) {
  std::string_view version = version_part(plain);
  const std::string_view name = plain.substr(0, plain.size() - version.size());
  const int number = take_number(version);
  if (!is_major(number) || (!version.empty() && version.front() != '.')) return 0;
  std::set<int> trains;
  for (const Provider& provider : libraries.all()) {
    if (!provider.nvidia() || !provider.soname.starts_with(name)) continue;
    std::string_view known = version_part(provider.soname);
    if (take_number(known) != provider.train) return 0;
    trains.insert(provider.train);
  }
  return trains.size() < 2 ? 0 : number;
}

}  // namespace

std::string release_of_soname(const Libraries& libraries, std::string_view soname) {
  const std::string plain = without_hash(soname);
  std::string_view version = version_part(plain);
  const std::string_view name = std::string_view(plain).substr(0, plain.size() - version.size());
  const bool tells = std::ranges::any_of(libraries.all(), [&](const Provider& provider) {
    return provider.tells_release && provider.soname.starts_with(name);
  });
  const int major = tells ? take_number(version) : -1;
  if (!is_major(major) || !version.starts_with('.')) return {};
  version.remove_prefix(1);
  const int minor = take_number(version);
  return minor < 0 ? std::string() : fmt::format("cu{}{}", major, minor);
}

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
  return train != 0 ? train : train_of_version(libraries, plain);
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

/// What the local version claims that a requirement is pinned to; nothing where it is to none.
Claim pinned_claim(const Requirement& requirement) {
  for (const Clause& clause : requirement.specifiers.clauses()) {
    const std::size_t plus = clause.version.find('+');
    if ((clause.op != "==" && clause.op != "===") || plus == std::string::npos) continue;
    Claim claim = claim_of_local_version(std::string_view(clause.version).substr(plus + 1));
    if (!claim.accelerator.empty()) return claim;
  }
  return {};
}

}  // namespace

std::string_view without_train_suffix(std::string_view name) {
  const std::size_t at = name.rfind("-cu");
  const bool has = at != std::string_view::npos && at + 3 < name.size() &&
                   name.find_first_not_of("0123456789", at + 3) == std::string_view::npos;
  return has ? name.substr(0, at) : name;
}

bool is_pinned_without_cuda(const Requirement& requirement) {
  const Claim pinned = pinned_claim(requirement);
  return !pinned.accelerator.empty() && pinned.accelerator != "cuda";
}

int train_told_by(const Libraries& libraries, const Requirement& requirement) {
  const int own = train_of_requirement(libraries, requirement);
  if (own != 0) return own;
  const Claim pinned = pinned_claim(requirement);
  if (pinned.accelerator == "cuda") return pinned.major;
  std::string_view name = requirement.name;
  if (name.ends_with('x')) name.remove_suffix(1);
  int told = suffix_train(name);
  const std::size_t at = name.rfind("-cuda");
  if (told == 0 && at != std::string_view::npos)
    told = suffix_train("-cu" + std::string(name.substr(at + 5)));
  return is_major(told) ? told : 0;
}

bool is_cuda_package(const Libraries& libraries, const Requirement& requirement) {
  return requirement.name == "cuda-toolkit" || train_of_package(libraries, requirement.name) != 0 ||
         (requirement.name.starts_with("nvidia-") && suffix_train(requirement.name) != 0);
}

int train_of_requirement(const Libraries& libraries, const Requirement& requirement) {
  if (!is_cuda_package(libraries, requirement)) return 0;
  if (requirement.name == "cuda-toolkit") {
    int train = 0;
    for (int major = kFirstMajor; major <= kLastMajor; ++major) {
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
