#include <fmt/format.h>

#include "catch.hpp"
#include "wheel_audit/wheel.hpp"

using namespace wheel_audit;

namespace {

/// accelerator, train and major of a local version, with slashes between.
std::string claim(std::string_view local) {
  const Claim claim = claim_of_local_version(local);
  CHECK(claim.from == (claim.accelerator.empty() ? "" : "local version"));
  return claim.accelerator + "/" + claim.train + "/" + std::to_string(claim.major);
}

Claim claim_of_file(const char* name, std::vector<VariantProperty> properties = {}) {
  WheelFacts wheel;
  const Result<NameFacts> parsed = parse_wheel_name(name);
  REQUIRE(parsed);
  wheel.name = *parsed;
  wheel.variant_properties = std::move(properties);
  return read_claim(wheel);
}

}  // namespace

TEST_CASE("local versions that claim CUDA") {
  CHECK(claim("cu130") == "cuda/cu130/13");
  CHECK(claim("CU118") == "cuda/cu118/11");
  CHECK(claim("cu999") == "cuda/cu999/99");
  CHECK(claim("cu13") == "cuda//13");
  CHECK(claim("cu92") == "cuda/cu92/9");
  CHECK(claim("cu13torch2.9cxx11abitrue") == "cuda//13");
  CHECK(claim("cu128.torch290") == "cuda/cu128/12");
  CHECK(claim("cu128torch290") == "cuda/cu128/12");
  CHECK(claim("torch2.9-cu126") == "cuda/cu126/12");
  CHECK(claim("pt24cu121") == "cuda/cu121/12");
  CHECK(claim("pt2.4.1cu121") == "cuda/cu121/12");
  CHECK(claim("cuda") == "cuda//0");
  CHECK(claim("cuda.cu130") == "cuda/cu130/13");
  CHECK(claim("cuda126") == "cuda/cu126/12");
  CHECK(claim("cuda12.6") == "cuda/cu126/12");
  CHECK(claim("cuda12.cudnn88") == "cuda//12");
  CHECK(claim("cu117.with.pypi.cudnn") == "cuda/cu117/11");
}

TEST_CASE("local versions that claim something else, or nothing") {
  CHECK(claim("cpu") == "cpu//0");
  CHECK(claim("cpu.cxx11.abi") == "cpu//0");
  CHECK(claim("pt24cpu") == "cpu//0");
  CHECK(claim("rocm6.2.4") == "rocm//0");
  CHECK(claim("hip60") == "rocm//0");
  CHECK(claim("xpu") == "xpu//0");
  for (const char* text : {"", "cubic.2", "cu", "g1a2b3c4d", "computed", "cpuinfo", "ubuntu1",
                           "abcu", "nv24.05", "chip2", "focus13"}) {
    CAPTURE(text);
    CHECK(claim(text) == "//0");
  }
}

TEST_CASE("a suffix gives a major and claims no GPU code") {
  for (const char* name :
       {"nvidia_nccl_cu13-2.0-py3-none-any.whl", "cupy_cuda13x-1-py3-none-any.whl",
        "Foo.cu13-1-py3-none-any.whl", "foo_cu130-1-py3-none-any.whl"}) {
    CAPTURE(name);
    const Claim claim = claim_of_file(name);
    CHECK(claim.accelerator == "cuda");
    CHECK(claim.major == 13);
    CHECK(claim.train.empty());
    CHECK(claim.from == "distribution suffix");
    CHECK_FALSE(claim.of_gpu_code());
  }
  CHECK(claim_of_file("foo_cubic-1-py3-none-any.whl") == Claim());
  CHECK(claim_of_file("cu12-1-py3-none-any.whl") == Claim());
  CHECK(claim_of_file("foo_cu12-1+cu130-py3-none-any.whl").train == "cu130");
  CHECK(claim_of_file("foo_cu12-1+cubic-py3-none-any.whl").from == "distribution suffix");
  CHECK(read_claim(WheelFacts()) == Claim());
}

TEST_CASE("variant metadata claims a train") {
  const std::string json = R"({"variants": {
      "cu128": {"nvidia": {"cuda_version_lower_bound": ["12.8"], "sm_arch": ["90", "100"]}},
      "gfx": {"amd": {"gfx_arch": ["gfx942"]}}, "null": {}}})";
  const std::vector<VariantProperty> properties = *parse_variant(json, "cu128");
  CHECK(properties == std::vector<VariantProperty>{{"nvidia", "cuda_version_lower_bound", {"12.8"}},
                                                   {"nvidia", "sm_arch", {"90", "100"}}});
  const Claim cuda = claim_of_file("foo_cu12-1-py3-none-any-cu128.whl", properties);
  CHECK(cuda.train == "cu128");
  CHECK(cuda.major == 12);
  CHECK(cuda.from == "variant");
  CHECK(cuda.of_gpu_code());
  CHECK(claim_of_file("x-1-py3-none-any-gfx.whl", *parse_variant(json, "gfx")).accelerator ==
        "rocm");
  CHECK((*parse_variant(json, "null")).empty());
  const auto refusal = [](std::string_view text, std::string_view label) {
    const auto parsed = parse_variant(text, label);
    REQUIRE_FALSE(parsed);
    return parsed.error().message();
  };
  CHECK(refusal(json, "other") ==
        "variant.json has no properties of the label \"other\", only of cu128, gfx, null");
  const auto of_space = [&](std::string_view space) {
    return refusal(fmt::format(R"({{"variants": {{"x": {{{}}}}}}})", space), "x");
  };
  CHECK(of_space(R"("nvidia": ["sm_arch"])") ==
        "variant.json gives the namespace nvidia a value of type array, expected an object of "
        "features");
  CHECK(of_space(R"("nvidia": {"sm_arch": "90"})") ==
        "variant.json gives nvidia :: sm_arch a value of type string, expected a list of texts");
  CHECK(of_space(R"("nvidia": {"sm_arch": ["90", 100]})") ==
        "variant.json gives nvidia :: sm_arch a list with a value of type integer, expected texts "
        "alone");
  CHECK(of_space(R"("nvidia": {"sm_arch": ["hopper"]})") ==
        "variant.json gives nvidia :: sm_arch the value \"hopper\", which is no architecture; "
        "expected one such as 90_real or 90_virtual");
  for (const std::string level : {"v10", "v0", "v5", "3", ""}) {
    CHECK(of_space(fmt::format(R"("x86_64": {{"level": ["{}"]}})", level)) ==
          fmt::format(
              "variant.json gives x86_64 :: level the value \"{}\", expected v1, v2, v3 or v4",
              level));
  }
  CHECK(refusal("{", "x").starts_with("variant.json does not parse: "));
  CHECK(refusal(R"({"variants": []})", "x") == "variant.json has no object \"variants\"");
  CHECK(refusal(R"({"variants": {}})", "x") == "variant.json has no properties of the label \"x\"");
  CHECK(claim_of_file("x-1-py3-none-any.whl", {{"nvidia", "sm_arch", {"90"}}}).major == 0);
  CHECK(claim_of_file("x-1-py3-none-any.whl", {{"nvidia", "cuda_version_lower_bound", {"13"}}})
            .major == 13);
  CHECK(claim_of_file("x-1+cpu-py3-none-any.whl", properties).accelerator == "cpu");
}
