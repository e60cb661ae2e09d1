// `fuzz TARGET [libFuzzer's options]`: the executable of every target. The name is handed on in the
// environment too, because libFuzzer's -jobs and -fork start it again without the first word.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "fuzz/targets.hpp"

namespace wheel_audit::fuzz {

namespace {

constexpr std::array<Target, 8> kTargets = {{{"archive", archive},
                                             {"config", config},
                                             {"elf", elf},
                                             {"facts", facts},
                                             {"gpu", gpu},
                                             {"metadata", metadata},
                                             {"rule", rule},
                                             {"wheel", wheel}}};
constexpr const char* kVariable = "WHEEL_AUDIT_FUZZ_TARGET";

const Target* chosen = nullptr;

const Target* target_named(std::string_view name) {
  const auto found = std::ranges::find(kTargets, name, &Target::name);
  return found == kTargets.end() ? nullptr : &*found;
}

void choose(int& argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  if (words.size() > 1) chosen = target_named(words[1]);
  if (chosen != nullptr) {
    ::setenv(kVariable, words[1], 1);
    std::ranges::copy(words.subspan(2), words.begin() + 1);
    --argc;
    return;
  }
  const char* name = std::getenv(kVariable);
  if (name != nullptr) chosen = target_named(name);
  if (chosen != nullptr) return;
  std::fputs("fuzz: expected a target as the first word:", stderr);
  for (const Target& target : kTargets) std::fprintf(stderr, " %s", target.name.data());
  std::fputs("\n", stderr);
  std::exit(2);
}

}  // namespace

}  // namespace wheel_audit::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  ::setenv("TZ", "UTC0", 1);  // as main does
  wheel_audit::fuzz::choose(*argc, *argv);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wheel_audit::fuzz::chosen->run(wheel_audit::ByteView(std::span(data, size)));
  return 0;
}
