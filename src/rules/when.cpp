// The conditions under which a rule is asked.
#include "rules/when.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

const std::vector<std::string> kKeys = {"claim",        "train",   "machine", "libc",
                                        "distribution", "version", "python",  "member"};

/// Whether a condition is absent, or one of its globs matches one of the values.
bool matches(const std::vector<std::string>& globs, const std::vector<std::string>& values) {
  if (globs.empty()) return true;
  return std::ranges::any_of(globs, [&](const std::string& glob) {
    return std::ranges::any_of(values, [&](const std::string& v) { return glob_match(glob, v); });
  });
}

/// A string or a list of strings.
Result<std::vector<std::string>> words_of(const std::string& key, const Json& value) {
  if (value.is_string()) return std::vector<std::string>{value.as_string()};
  if (!value.is_array() || !std::ranges::all_of(value.items(), &Json::is_string)) {
    return Error(fmt::format("\"when\": \"{}\" is of type {}, expected a string or a list of them",
                             key, value.type()));
  }
  return value.strings();
}

Result<void> set_condition(When& when, const std::string& key, std::vector<std::string> words) {
  if (key == "version") {
    for (const std::string& word : words) {
      Result<Specifiers> specifiers = Specifiers::parse(word);
      if (!specifiers) return specifiers.error().in("\"when\": \"version\"");
      when.version.push_back(std::move(*specifiers));
    }
    return {};
  }
  const std::vector<std::pair<std::string_view, std::vector<std::string>*>> places = {
      {"claim", &when.claim},    {"train", &when.train},
      {"libc", &when.libc},      {"distribution", &when.distribution},
      {"python", &when.python},  {"member", &when.member},
      {"machine", &when.machine}};
  for (const auto& [name, place] : places) {
    if (name == key) {
      *place = std::move(words);
      return {};
    }
  }
  return Error(fmt::format("\"when\": unknown key \"{}\"{}", key, did_you_mean(key, kKeys)));
}

}  // namespace

Result<When> parse_when(const Json& json) {
  When when;
  if (!json.is_null() && !json.is_object()) {
    return Error(fmt::format("\"when\" is of type {}, expected object", json.type()));
  }
  for (const auto& [key, value] : json.entries()) {
    Result<std::vector<std::string>> words = words_of(key, value);
    if (!words) return words.error();
    const Result<void> set = set_condition(when, key, std::move(*words));
    if (!set) return set.error();
  }
  return when;
}

bool When::holds(const Subject& subject) const {
  const Claim& own = subject.claim();
  const std::string accelerator = own.accelerator.empty() ? "none" : own.accelerator;
  if (!matches(claim, {accelerator}) || !matches(train, {own.train})) return false;
  std::vector<std::string> machines;
  std::vector<std::string> libcs;
  for (const PlatformTag& tag : subject.tags()) {
    machines.push_back(tag.machine);
    libcs.push_back(tag.libc);
  }
  if (!matches(machine, machines) || !matches(libc, libcs)) return false;
  if (!subject.wheel.name) return distribution.empty() && version.empty() && python.empty();
  const NameFacts& name = *subject.wheel.name;
  if (!matches(distribution, {normalize_name(name.distribution)})) return false;
  if (!matches(python, name.python)) return false;
  if (version.empty()) return true;
  const Result<Version> parsed = Version::parse(name.version);
  return parsed && std::ranges::any_of(version, [&](const Specifiers& specifiers) {
           return specifiers.allow(parsed->base());
         });
}

}  // namespace wheel_audit
