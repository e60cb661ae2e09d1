// Arch lists as builds spell them: torch's TORCH_CUDA_ARCH_LIST (`8.0;9.0a;12.0+PTX`) and CMake's
// CMAKE_CUDA_ARCHITECTURES (`80;90a-real;120-virtual`), mixed at will.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "wheel_audit/gpu.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::string_view kSeparators = ";, \t\r\n";

/// What an entry stands for, before it is split into forms.
struct Parsed {
  Arch arch;
  bool sass = true;
  bool ptx = false;
};

bool ends(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

/// Names that stand for architectures which only the build knows.
std::optional<Error> refuse_name(std::string_view entry) {
  constexpr std::array<std::string_view, 4> kBuildWords = {"all", "all-major", "auto", "common"};
  constexpr std::array<std::string_view, 10> kFamilies = {"fermi",  "kepler",   "maxwell", "pascal",
                                                          "volta",  "turing",   "ampere",  "ada",
                                                          "hopper", "blackwell"};
  const std::string name = lower(entry);
  if (name == "native") {
    return Error(
        fmt::format("\"{}\" stands for the device of the machine that builds, expected "
                    "architectures such as 9.0 or 90-real",
                    printable(entry)));
  }
  if (std::ranges::find(kBuildWords, name) != kBuildWords.end()) {
    return Error(
        fmt::format("\"{}\" stands for what the compiler of the build knows, expected "
                    "architectures such as 9.0 or 90-real",
                    printable(entry)));
  }
  const std::string family = name.substr(0, name.find('+'));
  if (std::ranges::find(kFamilies, family) != kFamilies.end()) {
    return Error(
        fmt::format("\"{}\" stands for architectures that depend on the version of torch "
                    "that builds, expected numbers such as 9.0",
                    printable(entry)));
  }
  return std::nullopt;
}

/// `90a` as an architecture: two or three digits, the last one the minor version.
std::optional<Arch> parse_number(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits < 2 || digits > 3 || text.size() > digits + 1) return std::nullopt;
  const std::string spelled =
      fmt::format("{}.{}", text.substr(0, digits - 1), text.substr(digits - 1));
  return parse_arch(spelled);
}

std::optional<Parsed> parse_entry(std::string_view entry) {
  Parsed parsed;
  std::optional<Arch> arch;
  if (entry.find('.') != std::string_view::npos) {
    parsed.ptx = ends(entry, "+PTX") || ends(entry, "+ptx");
    arch = parse_arch(entry);
  } else {
    const bool real = ends(entry, "-real");
    const bool virtual_only = !real && ends(entry, "-virtual");
    parsed.sass = !virtual_only;
    parsed.ptx = !real;
    arch = parse_number(entry);
  }
  // 2.0 to 29.9: what lies outside is a slip such as `9` or `900`, not a device.
  if (!arch || arch->major < 2 || arch->major > 29) return std::nullopt;
  parsed.arch = *arch;
  return parsed;
}

}  // namespace

Result<std::vector<ArchEntry>> parse_arch_list(std::string_view text) {
  std::vector<ArchEntry> list;
  const auto add = [&list](ArchEntry entry) {
    if (std::ranges::find(list, entry) == list.end()) list.push_back(std::move(entry));
  };
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find_first_of(kSeparators));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    if (entry.empty()) continue;
    if (const std::optional<Error> refused = refuse_name(entry)) return *refused;
    const std::optional<Parsed> parsed = parse_entry(entry);
    if (!parsed) {
      return Error(
          fmt::format("\"{}\" is no architecture, expected one such as 9.0, 9.0a, 9.0+PTX, "
                      "90, 90-real or 90-virtual",
                      printable(entry)));
    }
    if (parsed->sass) add({"sass", parsed->arch});
    if (parsed->ptx) add({"ptx", parsed->arch});
  }
  if (list.empty())
    return Error("the arch list is empty, expected architectures such as 8.0;9.0+PTX");
  return list;
}

}  // namespace wheel_audit
