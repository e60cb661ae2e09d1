// What a wheel says of its accelerator. The names are habits, not standards: `+cu130` (torch),
// `+cu13torch2.9` (flash-attn), `+pt24cu121` (PyG), `+cuda12.cudnn89` (jaxlib), `-cuda13x` (cupy).
#include <algorithm>
#include <array>

#include "quoted.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

/// A word of a local version and the accelerator that it names.
struct Word {
  std::string_view word;
  std::string_view accelerator;
};
constexpr std::array<Word, 12> kOthers = {{{"cpu", "cpu"},
                                           {"rocm", "rocm"},
                                           {"hip", "rocm"},
                                           {"xpu", "xpu"},
                                           {"sycl", "xpu"},
                                           {"hpu", "hpu"},
                                           {"npu", "npu"},
                                           {"tpu", "tpu"},
                                           {"musa", "musa"},
                                           {"metal", "metal"},
                                           {"mps", "metal"},
                                           {"vulkan", "vulkan"}}};

std::vector<std::string> segments_of(std::string_view local) {
  std::string text = lower(local);
  std::ranges::replace(text, '_', '.');
  std::ranges::replace(text, '-', '.');
  std::vector<std::string> segments;
  for (const std::string_view part : split(text, '.')) segments.emplace_back(part);
  return segments;
}

std::string_view leading_digits(std::string_view text) {
  return text.substr(0, text.find_first_not_of("0123456789"));
}

/// What follows the word in the segment, where the word stands at its start or after a digit.
std::optional<std::string_view> after_word(std::string_view segment, std::string_view word) {
  for (std::size_t at = segment.find(word); at != std::string_view::npos;
       at = segment.find(word, at + 1)) {
    if (at == 0 || is_digit(segment[at - 1])) return segment.substr(at + word.size());
  }
  return std::nullopt;
}

/// `130` → cu130 of CUDA 13; `13` → CUDA 13 and no train; `92` → cu92 of CUDA 9.
Claim cuda_claim(std::string_view digits) {
  Claim claim;
  claim.accelerator = "cuda";
  const bool old = digits.size() == 2 && (digits.front() == '8' || digits.front() == '9');
  const std::size_t major_digits = old || digits.size() < 2 ? 1 : 2;
  for (const char c : digits.substr(0, major_digits)) claim.major = claim.major * 10 + (c - '0');
  if (old || digits.size() > 2) claim.train = "cu" + std::string(digits);
  return claim;
}

/// The CUDA claim of one segment; `next` is the segment after it (`cuda12` and `6`).
std::optional<Claim> cuda_segment(std::string_view segment, std::string_view next) {
  for (const std::string_view word : {"cuda", "cu"}) {
    const std::optional<std::string_view> rest = after_word(segment, word);
    if (!rest) continue;
    std::string digits(leading_digits(*rest));
    if (digits.empty()) continue;
    const bool major_alone = digits.size() == 2 && digits.size() == rest->size();
    if (word == "cuda" && major_alone && next.size() == 1 && is_digit(next.front())) {
      digits += next;
    }
    return cuda_claim(digits);
  }
  if (segment == "cuda") return cuda_claim({});
  return std::nullopt;
}

std::optional<Claim> other_segment(std::string_view segment) {
  for (const Word& word : kOthers) {
    const std::optional<std::string_view> rest = after_word(segment, word.word);
    if (!rest || (!rest->empty() && !is_digit(rest->front()))) continue;
    Claim claim;
    claim.accelerator = word.accelerator;
    return claim;
  }
  return std::nullopt;
}

/// `12.8` → cu128, `13` → CUDA 13.
Claim claim_of_cuda_version(std::string_view version) {
  const std::vector<std::string_view> parts = split(version, '.');
  const auto number = [](std::string_view part) {
    return !part.empty() && part.size() <= 2 && leading_digits(part) == part;
  };
  if (!number(parts[0])) return cuda_claim({});
  if (parts.size() < 2 || !number(parts[1])) return cuda_claim(parts[0]);
  Claim claim = cuda_claim(parts[0]);
  claim.major = 0;
  for (const char c : parts[0]) claim.major = claim.major * 10 + (c - '0');
  claim.train = "cu" + std::string(parts[0]) + std::string(parts[1]);
  return claim;
}

Claim claim_of_variant(const std::vector<VariantProperty>& properties) {
  Claim claim;
  for (const VariantProperty& property : properties) {
    if (property.space == "nvidia") {
      if (claim.accelerator != "cuda") claim = cuda_claim({});
      if (property.feature == "cuda_version_lower_bound" && !property.values.empty()) {
        claim = claim_of_cuda_version(property.values.front());
      }
    } else if (claim.accelerator.empty() && property.space == "amd") {
      claim.accelerator = "rocm";
    } else if (claim.accelerator.empty() && property.space == "intel") {
      claim.accelerator = "xpu";
    }
  }
  if (!claim.accelerator.empty()) claim.from = "variant";
  return claim;
}

Claim claim_of_distribution(std::string_view distribution) {
  const std::string name = normalize_name(distribution);
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos) return {};
  std::string_view suffix = std::string_view(name).substr(dash + 1);
  if (!suffix.starts_with("cu")) return {};
  suffix.remove_prefix(suffix.starts_with("cuda") ? 4 : 2);
  const std::string_view digits = leading_digits(suffix);
  suffix.remove_prefix(digits.size());
  if (digits.empty() || (!suffix.empty() && suffix != "x")) return {};
  Claim claim = cuda_claim(digits);
  claim.train.clear();
  claim.from = "distribution suffix";
  return claim;
}

}  // namespace

Claim claim_of_local_version(std::string_view local) {
  const std::vector<std::string> segments = segments_of(local);
  std::optional<Claim> found;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::string_view next = i + 1 < segments.size() ? segments[i + 1] : std::string_view();
    std::optional<Claim> claim = cuda_segment(segments[i], next);
    if (!claim && !found) claim = other_segment(segments[i]);
    if (!claim) continue;
    // The first word counts, but the bare word `cuda` gives way to one with a number.
    const bool more_precise = found && found->accelerator == "cuda" && found->major == 0;
    if (!found || more_precise) found = std::move(claim);
  }
  if (!found) return {};
  found->from = "local version";
  return *found;
}

Claim read_claim(const WheelFacts& wheel) {
  if (!wheel.name) return {};
  const std::string& version = wheel.name->version;
  const std::size_t plus = version.find('+');
  if (plus != std::string::npos) {
    Claim claim = claim_of_local_version(std::string_view(version).substr(plus + 1));
    if (!claim.accelerator.empty()) return claim;
  }
  Claim claim = claim_of_variant(wheel.variant_properties);
  if (!claim.accelerator.empty()) return claim;
  return claim_of_distribution(wheel.name->distribution);
}

}  // namespace wheel_audit
