// Which device loads what: the table against a log of what a device really loaded, coverage, and
// the spelling of architectures.
#include <fstream>

#include "catch.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/ptx_isa.hpp"

using namespace wheel_audit;

namespace {

GpuFacts library(const std::vector<GpuProfile>& profiles) {
  GpuFacts facts;
  for (const GpuProfile& profile : profiles) {
    for (const std::string& code : profile.code) {
      GpuCode one;
      one.form = code.substr(0, code.find(' '));
      one.arch = code.substr(code.find(' ') + 1);
      facts.code.push_back(one);
    }
  }
  facts.profiles = profiles;
  return facts;
}

}  // namespace

TEST_CASE("architectures are spelled as majors, minors and a suffix") {
  CHECK(parse_arch("9.0") == Arch{9, 0, 0});
  CHECK(parse_arch("12.1a") == Arch{12, 1, 'a'});
  CHECK(parse_arch("10.0f") == Arch{10, 0, 'f'});
  for (const char* text : {"", "9", "9.", ".0", "9.0b", "9.00", "9.0aa", "a", "-9.0", "9.-",
                           "123.0", "0.5", "9.0 ", "9,0"}) {
    CHECK_FALSE(parse_arch(text));
  }
  CHECK(to_string(Arch{12, 1, 'a'}) == "12.1a");
  CHECK(to_string(Arch{7, 5, 0}) == "7.5");
}

TEST_CASE("the loading table") {
  const auto devices = [](std::string_view form, std::string_view code) {
    std::string out;
    for (const Arch& device : known_devices()) {
      if (loads(form, *parse_arch(code), device)) out += to_string(device) + " ";
    }
    return out;
  };
  CHECK(devices("sass", "7.5") == "7.5 ");
  CHECK(devices("sass", "8.0") == "8.0 8.6 8.9 ");  // 8.7 is Tegra
  CHECK(devices("sass", "8.6") == "8.6 8.9 ");
  CHECK(devices("sass", "8.7") == "8.7 ");
  CHECK(devices("sass", "9.0") == "9.0 ");
  CHECK(devices("sass", "9.0a") == "9.0 ");
  CHECK(devices("sass", "10.0") == "10.0 10.3 ");
  CHECK(devices("sass", "10.0a") == "10.0 ");
  CHECK(devices("sass", "10.0f") == "10.0 10.3 ");
  CHECK(devices("sass", "10.3f") == "10.3 ");
  CHECK(devices("sass", "10.1") == "11.0 ");
  CHECK(devices("sass", "10.1a") == "11.0 ");
  CHECK(devices("sass", "12.0") == "12.0 12.1 ");
  CHECK(devices("sass", "12.0f") == "12.0 12.1 ");
  CHECK(devices("sass", "12.1") == "12.1 ");
  CHECK(devices("ptx", "8.0") == "8.0 8.6 8.7 8.9 9.0 10.0 10.3 11.0 12.0 12.1 ");
  CHECK(devices("ptx", "8.7") == "8.7 8.9 9.0 10.0 10.3 11.0 12.0 12.1 ");
  CHECK(devices("ptx", "9.0a") == "9.0 ");
  CHECK(devices("ptx", "12.0f") == "12.0 12.1 ");
  CHECK(devices("ptx", "10.1") == "11.0 12.0 12.1 ");
  CHECK(devices("lto", "8.0").empty());
  CHECK_FALSE(loads("sass", {5, 2, 0}, {5, 3, 0}));
  CHECK_FALSE(loads("sass", {7, 0, 0}, {7, 2, 0}));
  CHECK(loads("sass", {7, 0, 0}, {7, 5, 0}));
}

TEST_CASE("the loading table agrees with what a 9.0 device loaded") {
  std::ifstream log(SOURCE_DIR "/tests/data/gpu_loading_cc90.log");
  std::string line;
  int rows = 0;
  while (std::getline(log, line)) {
    const std::size_t dot = line.find(".fatbin");
    if (dot == std::string::npos) continue;
    ++rows;
    // `sass80_ptx100` or `ptx_90a`: forms, each with its architecture.
    bool expected = false;
    const std::string name = line.substr(0, dot);
    for (std::size_t at = 0; at < name.size();) {
      const std::size_t digits = name.find_first_of("0123456789", at);
      REQUIRE(digits != std::string::npos);
      const std::string form = name.substr(at, name.find_first_of("_0123456789", at) - at);
      std::size_t end = std::min(name.find('_', digits), name.size());
      const std::string arch = name.substr(digits, end - digits);
      const std::size_t point = arch.find_last_of("0123456789");
      const auto code = parse_arch(arch.substr(0, point) + "." + arch.substr(point));
      REQUIRE(code);
      expected = expected || loads(form, *code, {9, 0, 0});
      at = end + 1;
    }
    INFO(line);
    CHECK((line.find(" RUN ") != std::string::npos) == expected);
  }
  CHECK(rows == 32);
}

TEST_CASE("a library offers its best code, and counts containers that have none") {
  const GpuFacts gpu = library({{".nv_fatbin", {"sass 8.0", "sass 9.0"}, 3},
                                {".nv_fatbin", {"sass 9.0", "ptx 9.0"}, 2},
                                {".nv_fatbin", {"lto 8.0"}, 4}});
  CHECK(covers(gpu, {8, 0, 0}) == Coverage::sass);
  CHECK(covers(gpu, {9, 0, 0}) == Coverage::sass);
  CHECK(covers(gpu, {12, 0, 0}) == Coverage::ptx);
  CHECK(covers(gpu, {7, 5, 0}) == Coverage::none);
  CHECK(containers_without(gpu, {8, 0, 0}) == 2);
  CHECK(containers_without(gpu, {9, 0, 0}) == 0);
  CHECK(containers_without(gpu, {12, 0, 0}) == 3);
  CHECK(containers_without(gpu, {7, 5, 0}) == 5);
}

TEST_CASE("relocatable PTX serves linked images, and no other container") {
  const GpuFacts gpu = library({{".nv_fatbin", {"sass 8.0"}, 1},
                                {"__nv_relfatbin", {"sass 8.0", "ptx 8.0"}, 7},
                                {".rodata", {"sass 8.0"}, 5}});
  CHECK(covers(gpu, {9, 0, 0}) == Coverage::ptx);
  CHECK(containers_without(gpu, {9, 0, 0}) == 5);
  CHECK(containers_without(gpu, {7, 5, 0}) == 6);  // not the relocatable ones
  const GpuFacts without =
      library({{".nv_fatbin", {"sass 8.0"}, 1}, {"__nv_relfatbin", {"sass 8.0", "sass 9.0"}, 1}});
  CHECK(containers_without(without, {9, 0, 0}) == 1);
}

TEST_CASE("a wheel is as good as its worst library with code") {
  const auto wheel = [](const std::vector<std::vector<std::string>>& libraries) {
    WheelFacts facts;
    for (const auto& code : libraries) facts.gpu.push_back(library({{".nv_fatbin", code, 1}}));
    return covers(facts, {9, 0, 0});
  };
  CHECK(wheel({}) == Coverage::none);
  CHECK(wheel({{"sass 9.0"}, {"sass 9.0a", "ptx 8.0"}}) == Coverage::sass);
  CHECK(wheel({{"sass 9.0"}, {"ptx 8.0"}}) == Coverage::ptx);
  CHECK(wheel({{"sass 9.0"}, {"sass 8.0"}}) == Coverage::part);
  CHECK(wheel({{"sass 8.0"}, {"ptx 12.0"}}) == Coverage::none);
  CHECK(wheel({{"sass 9.0"}, {"lto 9.0"}}) == Coverage::sass);
  CHECK(wheel({{"lto 9.0"}}) == Coverage::none);
}

TEST_CASE("arch lists in torch's and CMake's spelling") {
  const auto print_list = [](std::string_view text) {
    const auto list = parse_arch_list(text);
    if (!list) return "refused: " + list.error().message();
    std::string out;
    for (const ArchEntry& one : *list) out += one.form + " " + to_string(one.arch) + ", ";
    return out;
  };
  CHECK(print_list("8.0;9.0+PTX") == "sass 8.0, sass 9.0, ptx 9.0, ");
  CHECK(print_list(" 9.0a 12.0f,12.0f ") == "sass 9.0a, sass 12.0f, ");
  CHECK(print_list("80;90a-real;120-virtual;120f") ==
        "sass 8.0, ptx 8.0, sass 9.0a, ptx 12.0, sass 12.0f, ptx 12.0f, ");
  CHECK(print_list("100-real; 10.0+PTX") == "sass 10.0, ptx 10.0, ");
  for (const char* text : {"9", "900", "9.0-real", "90+PTX", "sm_90", "90b", "90-", "-real",
                           "9.0++PTX", "1.0", "10", "9.0+PTX+PTX", "99.0"}) {
    CHECK(print_list(text).find("is no architecture, expected one such as 9.0") !=
          std::string::npos);
  }
  CHECK(print_list("").starts_with("refused: the arch list is empty"));
  CHECK(print_list(" ; ,").starts_with("refused: the arch list is empty"));
  CHECK(print_list("8.0;native").find("\"native\" stands for the device of the machine") !=
        std::string::npos);
  CHECK(print_list("all-major").find("compiler of the build") != std::string::npos);
  CHECK(print_list("All").find("compiler of the build") != std::string::npos);
  CHECK(print_list("Hopper").find("version of torch") != std::string::npos);
  CHECK(print_list("Maxwell+Tegra").find("version of torch") != std::string::npos);
  CHECK(print_list("\x1b[2J").find("\\x1b") != std::string::npos);
}

TEST_CASE("the CUDA release of a PTX ISA version") {
  CHECK(cuda_of_ptx_isa("7.8") == "11.8");
  CHECK(cuda_of_ptx_isa("8.7") == "12.8");
  CHECK(cuda_of_ptx_isa("9.0") == "13.0");
  CHECK(cuda_of_ptx_isa("42.0").empty());
  CHECK(newest_ptx_isa().isa == "9.5");
  CHECK(newest_ptx_isa().cuda == "13.5");
  CHECK(is_newer_than_known("9.6"));
  CHECK(is_newer_than_known("9.10"));
  CHECK(is_newer_than_known("10.0"));
  CHECK_FALSE(is_newer_than_known("9.5"));
  CHECK_FALSE(is_newer_than_known("6.4"));
  CHECK_FALSE(is_newer_than_known(""));
}
