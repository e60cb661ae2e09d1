#include "kinds/trains.hpp"

#include <charconv>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

int train_of_soname(const Libraries& libraries, std::string_view soname) {
  int train = 0;
  for (const Provider& provider : libraries.all()) {
    if (!provider.nvidia() || provider.soname != soname) continue;
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
