// What is not facts is refused, with the place and what was expected there.
#include <set>
#include <span>

#include "catch.hpp"
#include "full_facts.hpp"
#include "wheel_audit/facts_json.hpp"

using namespace wheel_audit;

namespace {

std::string error_of(const Json& json) {
  const Result<WheelFacts> facts = facts_from_json(json);
  return facts ? "" : facts.error().message();
}

std::string error_with(std::initializer_list<std::string_view> path, Json value) {
  Json json = facts_to_json(full_wheel());
  Json patch = std::move(value);
  for (auto key = std::rbegin(path); key != std::rend(path); ++key) {
    Json outer = Json::object();
    outer.append(std::string(*key), std::move(patch));
    patch = std::move(outer);
  }
  json.merge_patch(patch);
  return error_of(json);
}

/// Each value below an object or list, with the keys that lead to it (`elf[].path`).
struct Step {
  std::string path;
  std::vector<std::size_t> indices;
};

void collect(const Json& json, const std::string& path, std::vector<std::size_t>& indices,
             std::vector<Step>& steps) {
  const std::size_t count = json.is_object() ? json.entries().size() : json.items().size();
  for (std::size_t i = 0; i < count; ++i) {
    indices.push_back(i);
    const std::string here = json.is_object() ? path + "." + json.entries()[i].first : path + "[]";
    steps.push_back({here, indices});
    collect(json.is_object() ? json.entries()[i].second : json.items()[i], here, indices, steps);
    indices.pop_back();
  }
}

/// The document with the value at `indices` replaced, or dropped when there is no replacement.
Json changed(const Json& json, std::span<const std::size_t> indices, const Json* replacement) {
  Json out = json.is_object() ? Json::object() : Json::array();
  const std::size_t count = json.is_object() ? json.entries().size() : json.items().size();
  for (std::size_t i = 0; i < count; ++i) {
    const Json& old = json.is_object() ? json.entries()[i].second : json.items()[i];
    const std::string key = json.is_object() ? json.entries()[i].first : "";
    if (i != indices.front()) {
      out.append(key, old);
    } else if (indices.size() > 1) {
      out.append(key, changed(old, indices.subspan(1), replacement));
    } else if (replacement != nullptr) {
      out.append(key, *replacement);
    }
  }
  return out;
}

/// Keys that are derived from others and not read back.
bool is_derived(const std::string& path) {
  static const std::set<std::string> kDerived = {".metadata.name",
                                                 ".metadata.version",
                                                 ".metadata.requires_python",
                                                 ".metadata.requires_dist",
                                                 ".metadata.requires_dist[]",
                                                 ".wheel.root_is_purelib",
                                                 ".wheel.tags",
                                                 ".wheel.tags[]"};
  return kDerived.contains(path);
}

/// Keys that stand only where they are not the usual value, entries of maps, items of lists.
bool may_go(const std::string& path) {
  static const std::set<std::string> kOptional = {".members[].utf8_name",
                                                  ".members[].secret",
                                                  ".members[].head",
                                                  ".members[].mentions",
                                                  ".elf[].paths",
                                                  ".elf[].more_paths",
                                                  ".variant_problem",
                                                  ".elf[].symbols[].version",
                                                  ".elf[].symbols[].library",
                                                  ".elf[].symbols[].binding",
                                                  ".elf[].symbols[].defined",
                                                  ".elf[].symbols[].hidden",
                                                  ".gpu[].code[].debug_entries",
                                                  ".gpu[].code[].newest_ptx_isa",
                                                  ".gpu[].code[].newest_toolkit",
                                                  ".record.other_digests.x/_C.so",
                                                  ".gpu[].places..nv_fatbin",
                                                  ".gpu[].places.bytes"};
  return kOptional.contains(path) || is_derived(path) || path.ends_with("[]") ||
         path.find("_versions.lib") != std::string::npos;
}

}  // namespace

TEST_CASE("another schema is refused by name") {
  CHECK(error_of(*Json::parse(R"({"schema":"wheel-audit.report/1"})")) ==
        R"(the schema is "wheel-audit.report/1", expected "wheel-audit.facts/1")");
  CHECK(error_of(*Json::parse(R"({"schema":1})")) ==
        R"(the schema is 1, expected "wheel-audit.facts/1")");
  CHECK(error_of(Json::object()) == R"(the schema is missing, expected "wheel-audit.facts/1")");
  CHECK(error_of(Json::array()) == "found array, expected an object of schema wheel-audit.facts/1");
  CHECK(error_of(*Json::parse(R"({"schema":"wheel-audit.facts/1"})")) == R"("given" is missing)");
}

TEST_CASE("wrong values are refused with their place") {
  CHECK(error_with({"file", "size"}, -1) ==
        "file.size: found -1, expected an integer from 0 to 18446744073709551615");
  CHECK(error_with({"file", "size"}, 1.5) ==
        "file.size: found 1.5, expected an integer from 0 to 18446744073709551615");
  CHECK(error_with({"claim", "major"}, std::uint64_t{1} << 31U) ==
        "claim.major: found 2147483648, expected an integer from 0 to 2147483647");
  CHECK(error_with({"metadata", "fields"}, *Json::parse(R"([["a", "b"], ["a"]])")) ==
        "metadata.fields[1]: found array, expected a list of 2 items");
  CHECK(error_with({"elf"}, *Json::parse("[3]")) == "elf[0]: found 3, expected an object");
  Json json = facts_to_json(full_wheel());
  std::string text = json.dump();
  const std::string good = R"("machine_code":65535)";
  text.replace(text.find(good), good.size(), R"("machine_code":65536)");
  CHECK(error_of(*Json::parse(text)) ==
        "elf[0].machine_code: found 65536, expected an integer from 0 to 65535");
  text = json.dump();
  text.replace(text.find(R"("class":32)"), 10, R"("class":16)");
  CHECK(error_of(*Json::parse(text)) == "elf[0].class: found 16, expected 32 or 64");
  text = json.dump();
  text.replace(text.find(R"("binding":"weak")"), 16, R"("binding":"Weak")");
  CHECK(error_of(*Json::parse(text)) ==
        R"(elf[0].symbols[1].binding: found "Weak", expected one of local, global, weak, unique)");
  text = json.dump();
  text.replace(text.find("0a0b0c0d"), 8, "0a0b0c0x");
  CHECK(error_of(*Json::parse(text)) ==
        R"(members[0].crc32: found "0a0b0c0x", expected 8 hexadecimal digits)");
}

TEST_CASE("each value is of its type, or refused") {
  const Json json = facts_to_json(full_wheel());
  std::vector<Step> steps;
  std::vector<std::size_t> indices;
  collect(json, "", indices, steps);
  CHECK(steps.size() > 250);
  const Json wrong(1.5);
  for (const Step& step : steps) {
    INFO(step.path);
    CHECK(error_of(changed(json, step.indices, &wrong)).empty() == is_derived(step.path));
  }
}

TEST_CASE("each key is there, or the facts are refused") {
  const Json json = facts_to_json(full_wheel());
  std::vector<Step> steps;
  std::vector<std::size_t> indices;
  collect(json, "", indices, steps);
  for (const Step& step : steps) {
    if (may_go(step.path)) continue;
    INFO(step.path);
    CHECK_FALSE(error_of(changed(json, step.indices, nullptr)).empty());
  }
}

TEST_CASE("unknown keys are left alone") {
  CHECK(error_with({"tomorrow"}, "x") == "");
  CHECK(error_with({"claim", "tomorrow"}, Json::array()) == "");
}
