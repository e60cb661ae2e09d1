#include "wheel_audit/config.hpp"

#include <utility>

#include "catch.hpp"
#include "wheel_audit/date.hpp"

using namespace wheel_audit;

namespace {

Config parsed(std::string_view text, const std::string& file = "wheel-audit.toml") {
  Result<std::optional<Config>> config = parse_config(text, file);
  REQUIRE(config);
  REQUIRE(config->has_value());
  return **config;
}

std::string refusal(std::string_view text) {
  const Result<std::optional<Config>> config = parse_config(text, "wheel-audit.toml");
  REQUIRE_FALSE(config);
  return config.error().message();
}

}  // namespace

TEST_CASE("dates are days of the calendar") {
  CHECK(*parse_date("2028-02-29") == "2028-02-29");
  for (const char* text : {"", "2027-02-29", "2027-13-01", "2027-00-10", "2027-1-1", "2027-01-01 ",
                           "2027-01-01T00:00:00", "20270101", "-027-01-01", "2027-01-3x"})
    CHECK_FALSE(parse_date(text));
  CHECK(parse_date(today()));
}

TEST_CASE("values have the form of their key") {
  const Config config = parsed(R"(
archs = ["8.0", "9.0+PTX"]
rules = ["audit/rules", "/opt/rules", "../up"]
[enable]
"mine/one" = true
"mine/two" = {limit = 5}
[[waive]]
rule = "linux/*"
wheel = "demo-*"
reason = "why"
until = 2027-01-31
)",
                               "../wheel-audit.toml");
  CHECK(config.values["archs"].as_string() == "8.0;9.0+PTX");
  CHECK(config.values["rules"].strings() ==
        std::vector<std::string>{"../audit/rules", "/opt/rules", "../../up"});
  CHECK(config.values["enable"]["mine/one"].is_object());
  CHECK(config.values["enable"]["mine/two"]["limit"].as_int() == 5);
  const Json& waiver = config.values["waive"].items().front();
  CHECK(waiver["wheel"].strings() == std::vector<std::string>{"demo-*"});
  CHECK(waiver["until"].as_string() == "2027-01-31");
  CHECK(config.places.at("archs") == "../wheel-audit.toml:2:1");
  CHECK(config.places.at("enable/mine/two") == "../wheel-audit.toml:6:1");
}

TEST_CASE("a pyproject.toml without the table is no configuration") {
  CHECK_FALSE((*parse_config("[project]\nname = 'x'\n", "pyproject.toml")).has_value());
  CHECK_FALSE((*parse_config("[tool.ruff]\n", "a/pyproject.toml")).has_value());
  CHECK(parsed("[tool.wheel-audit]\nnotes = true\n", "pyproject.toml").values["notes"].as_bool());
  CHECK_FALSE(parse_config("[tool]\nwheel-audit = 3\n", "pyproject.toml"));
}

TEST_CASE("wrong values are refused where they stand") {
  CHECK(refusal("\nnots = true\n") ==
        "wheel-audit.toml:2:1: nots: unknown key (did you mean \"notes\"?)");
  CHECK(refusal("jobs = 0") == "wheel-audit.toml:1:1: jobs: is 0, expected 1 to 1024");
  CHECK(refusal("select = 'x'") ==
        "wheel-audit.toml:1:1: select: is of type string, expected array of strings");
  CHECK(refusal("select = ['x',\n 'y', 2.5]") ==
        "wheel-audit.toml:2:7: select/2: is of type number, expected string");
  CHECK(refusal("waive = [{rule='a/b', reason='c', until=12:00:00}]").find("is no date") !=
        std::string::npos);
  CHECK(refusal("a = \xff").starts_with("wheel-audit.toml:1:"));
}

TEST_CASE("the command line beats the file, key by key") {
  const Config file = parsed(R"(
select = ["a/*", "b/*"]
rules = ["one"]
fail-on = "note"
[severity]
"a/x" = "note"
"a/y" = "note"
)");
  Json given = Json::object();
  given.set("select", std::vector<std::string>{"c/*"});
  given.set("rules", std::vector<std::string>{"two"});
  given.at_or_add("severity").set("a/y", "error");
  const InForce values = in_force(file, given);
  CHECK(values.values["select"].strings() == std::vector<std::string>{"c/*"});
  CHECK(values.origin("select", "0") == "command line");
  CHECK(values.values["rules"].strings() == std::vector<std::string>{"one", "two"});
  CHECK(values.origin("rules", "0") == "wheel-audit.toml:3:10");
  CHECK(values.origin("rules", "1") == "command line");
  CHECK(values.values["severity"]["a/x"].as_string() == "note");
  CHECK(values.values["severity"]["a/y"].as_string() == "error");
  CHECK(values.origin("severity", "a/x") == "wheel-audit.toml:6:1");
  CHECK(values.origin("severity", "a/y") == "command line");
  CHECK(values.origin("fail-on") == "wheel-audit.toml:4:1");
  CHECK(values.origin("notes") == "default");
  const Result<Settings> settings = settings_of(values);
  REQUIRE(settings);
  CHECK(settings->fail_on == Severity::note);
  CHECK(settings->selection.packs == Selection().packs);
}
