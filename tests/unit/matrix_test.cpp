#include "wheel_audit/matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "catch.hpp"

using namespace wheel_audit;
using namespace wheel_audit::matrix;

namespace {

std::string data(const std::string& name) {
  std::ifstream in(std::string(SOURCE_DIR) + "/tests/data/matrix/" + name, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  REQUIRE(in);
  return text.str();
}

Policy policy_named(std::string_view name) {
  Result<Policy> policy = built_in_policy(name);
  REQUIRE(policy);
  return *policy;
}

std::size_t rows_of(const Outcome& outcome) {
  const Result<Json> json = Json::parse(outcome.output);
  REQUIRE(json);
  return (*json)["include"].items().size();
}

/// A workflow whose one path filter has these patterns.
bool lists(const std::string& patterns, const std::string& path) {
  Policy policy;
  policy.workflow.paths = {path};
  const Outcome outcome =
      check_workflow(policy, "on: {push: {paths: [" + patterns + "]}}\njobs: {}\n", "w.yml");
  CHECK(outcome.refusals.empty() == !outcome.output.empty());
  return outcome.refusals.empty();
}

}  // namespace

TEST_CASE("an empty name is the one built-in policy of a pack's own release") {
  const Policy release = policy_named("");
  const Policy later = policy_named("executorch-main");
  CHECK(release.project == "executorch");
  CHECK(release.pythons == policy_named("executorch").pythons);
  CHECK(release.pythons.size() == 4);
  CHECK(later.pythons.size() == 5);
  CHECK_FALSE(built_in_policy("executorch-"));
}

TEST_CASE("a row's architectures are the same in both spellings") {
  const Policy policy = policy_named("");
  CHECK(policy.rows.size() == 6);
  for (const Row& row : policy.rows) {
    const auto torch =
        parse_arch_list(archs(policy, row.train, row.machine, ArchStyle::torch).output);
    const auto cmake =
        parse_arch_list(archs(policy, row.train, row.machine, ArchStyle::cmake).output);
    REQUIRE(torch);
    CHECK(*torch == *cmake);
    CHECK(torch->size() == row.archs.size() + 1);
    CHECK(torch->back() == ArchEntry{"ptx", row.newest});
  }
}

TEST_CASE("a filtered matrix passes the filter again, byte for byte") {
  const Policy policy = policy_named("");
  const Outcome once = filter(data("cuda.json"), policy, {});
  CHECK(rows_of(once) == 24);
  CHECK(filter(once.output, policy, {}).output == once.output);
  CHECK(rows_of(filter(once.output, policy, {.pull_request = true})) == 1);
}

TEST_CASE("no matrix that was cut short passes") {
  const Policy policy = policy_named("");
  const std::string whole = filter(data("cuda.json"), policy, {}).output;
  // The last two bytes are the closing brace and a line end.
  for (std::size_t size = 0; size + 2 < whole.size(); size += 7) {
    const Outcome outcome = filter(whole.substr(0, size), policy, {});
    CHECK(outcome.output.empty());
    CHECK(outcome.refusals.size() == 1);
  }
}

TEST_CASE("leaving out any one row is refused, and the refusal names it") {
  const Policy policy = policy_named("");
  Json matrix = *Json::parse(filter(data("cuda.json"), policy, {}).output);
  const Json::Array rows = matrix["include"].items();
  for (std::size_t left_out = 0; left_out < rows.size(); ++left_out) {
    Json::Array others = rows;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    matrix.set("include", others);
    const Outcome outcome = filter(matrix.dump(), policy, {});
    REQUIRE(outcome.refusals.size() == 1);
    const std::string& why = outcome.refusals.front();
    CHECK(why.find(rows[left_out]["python_version"].as_string()) != std::string::npos);
    CHECK(why.find(rows[left_out]["desired_cuda"].as_string()) != std::string::npos);
    CHECK(why.find(rows[left_out]["gpu_arch_type"].as_string() + " ") != std::string::npos);
    CHECK(outcome.output.empty());
  }
}

TEST_CASE("rows are cut out of the text whatever stands in their strings") {
  const Policy policy = policy_named("");
  const std::string row =
      R"({"a": "] } , \" [ {", "include": [{"include": [1, [2]]}, "\\"], "b": {"c": []}, )"
      R"("python_version": "3.10", "gpu_arch_type": "cuda", "gpu_arch_version": "13.0", )"
      R"("desired_cuda": "cu130"})";
  const Outcome outcome = filter("\xef\xbb\xbf{ \"\\u0069nclude\"\r\n: [\t" + row + "\n ] }",
                                 policy, {.pull_request = true});
  CHECK(outcome.refusals.empty());
  CHECK(outcome.output == "{\"include\": [" + row + "]}\n");
}

TEST_CASE("what rows and versions stand for") {
  const Policy policy = policy_named("");
  const auto word = [&](std::string_view text, std::string_view machine = {}) {
    return classify(policy, text, machine).output;
  };
  CHECK(word("cu130") == "cuda:cu130\n");
  CHECK(word("1.5.0+cu132", "aarch64") == "cuda:cu132\n");
  CHECK(word("1.5.0") == "cpu\n");
  CHECK(word("cpu-aarch64", "aarch64") == "cpu\n");
  CHECK(word("rocm6.2") == "other:rocm6.2\n");
  CHECK(word("cu118") == "unsupported:cu118\n");
  CHECK(word("cu125") == "unsupported:cu125\n");
  CHECK(classify(policy, "cu125", {}).refusals.size() == 1);
  CHECK(word("cu130", "s390x") == "unsupported:cu130\n");
  CHECK(word("13.2").empty());
}

TEST_CASE("path filters match as GitHub's do") {
  CHECK(lists("install_utils.py", "install_utils.py"));
  CHECK_FALSE(lists("install_utils.p", "install_utils.py"));
  CHECK(lists("'*.py'", "setup.py"));
  CHECK_FALSE(lists("'*.py'", "tools/setup.py"));
  CHECK(lists("'**.py'", "tools/setup.py"));
  CHECK(lists("'**/setup.py'", "setup.py"));
  CHECK(lists("'**/setup.py'", "a/b/setup.py"));
  CHECK_FALSE(lists("'**/setup.py'", "a/b/my_setup.py"));
  CHECK(lists(".ci/**/*", ".ci/scripts/wheel/x.sh"));
  CHECK(lists(".ci/**/*", ".ci/x.sh"));
  CHECK_FALSE(lists(".ci/**/*", "ci/x.sh"));
  CHECK(lists("tools/cmake/**", "tools/cmake/a/b"));
  CHECK(lists("'*.jsx?'", "page.js"));
  CHECK(lists("'*.jsx?'", "page.jsx"));
  CHECK_FALSE(lists("'*.jsx?'", "page.jsxx"));
  CHECK(lists("'v[12].[0-9]+.py'", "v1.10.py"));
  CHECK_FALSE(lists("'v[12].[0-9]+.py'", "v3.10.py"));
  CHECK(lists("'**', '!docs/**', docs/matrix.md", "docs/matrix.md"));
  CHECK_FALSE(lists("'**', '!docs/**'", "docs/matrix.md"));
  // Patterns that make a backtracking matcher run for years.
  CHECK_FALSE(lists("'a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+b'", std::string(5000, 'a')));
  CHECK_FALSE(lists("'" + std::string(200, '*') + "**x**x**x**x'", std::string(2000, 'y')));
}

TEST_CASE("verify knows a release by its file names alone") {
  const Policy policy = policy_named("");
  std::vector<std::string> wheels;
  for (const Row& row : policy.rows) {
    for (const std::string& python : policy.pythons) {
      std::string tag = "cp" + python;
      std::erase(tag, '.');
      wheels.push_back(fmt::format("dist/executorch-1.5.0+{}-{}-{}-manylinux_2_28_{}.whl",
                                   row.train, tag, tag, row.machine));
    }
  }
  CHECK(verify(policy, wheels).output == "executorch 1.5.0: 24 of 24 CUDA wheels, 0 CPU wheels\n");
  for (std::size_t left_out = 0; left_out < wheels.size(); ++left_out) {
    std::vector<std::string> others = wheels;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    const Outcome outcome = verify(policy, others);
    REQUIRE(outcome.refusals.size() == 1);
    // missing: executorch-1.5.0+cu126-cp310-cp310-*_x86_64.whl
    const std::string stem = wheels[left_out].substr(5, wheels[left_out].find("manylinux") - 5);
    CHECK(outcome.refusals.front().starts_with("missing: " + stem + "*_"));
  }
  CHECK(verify(policy, {"dist/executorch-1.5.0-cp310-cp310-linux_x86_64.whl"}).refusals.size() ==
        24);
}
