// Reads release tables strictly: what a policy says twice or half would be decided by accident.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/fields.hpp"
#include "wheel_audit/embedded.hpp"
#include "wheel_audit/matrix.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/version.hpp"

namespace wheel_audit::matrix {

namespace {

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// A text that must be there.
std::string mandatory(Fields& fields, std::string_view key) {
  std::string text = fields.text(key);
  if (trim(text).empty()) fields.fail(key, "is missing or empty; it is mandatory");
  return text;
}

/// A list of texts, each once and none empty.
std::vector<std::string> once_each(Fields& fields, std::string_view key) {
  std::vector<std::string> words = fields.texts(key);
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (word->empty()) fields.fail(key, "holds an empty text");
    if (std::find(words.begin(), word, *word) != word)
      fields.fail(key, fmt::format("\"{}\" stands twice", printable(*word)));
  }
  return words;
}

/// `3.12` or `3.13t`.
bool is_python(std::string_view text) {
  if (text.ends_with('t')) text.remove_suffix(1);
  const std::vector<std::string_view> parts = split(text, '.');
  return parts.size() == 2 && std::ranges::all_of(parts, [](std::string_view part) {
           return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
         });
}

std::vector<std::string> pythons_of(Fields& fields, std::string_view key) {
  std::vector<std::string> pythons = once_each(fields, key);
  for (const std::string& python : pythons) {
    if (!is_python(python)) {
      fields.fail(key,
                  fmt::format("\"{}\" is no Python, expected 3.12 or 3.13t", printable(python)));
    }
  }
  return pythons;
}

Arch arch_of(Fields& fields, std::string_view key, const std::string& text) {
  const std::optional<Arch> arch = parse_arch(text);
  if (!arch) {
    fields.fail(key, fmt::format("\"{}\" is no architecture, expected 9.0", printable(text)));
  }
  return arch.value_or(Arch{});
}

Machine machine_of(Fields& fields, const Policy& policy) {
  Machine machine{.name = mandatory(fields, "machine"),
                  .gpu_arch_type = mandatory(fields, "gpu_arch_type")};
  if (policy.machine(machine.name) != nullptr || policy.machine_of_type(machine.gpu_arch_type))
    fields.fail("", "its machine or gpu_arch_type stands twice");
  return machine;
}

Train train_of(Fields& fields, const Policy& policy) {
  Train train{.name = mandatory(fields, "train"), .cuda = mandatory(fields, "cuda")};
  std::string digits = train.cuda;
  std::erase(digits, '.');
  if (!is_python(train.cuda) || train.name != "cu" + digits) {
    fields.fail("train", fmt::format("is \"{}\" of CUDA \"{}\", expected such as cu130 of 13.0",
                                     printable(train.name), printable(train.cuda)));
  }
  if (policy.train(train.name) != nullptr) fields.fail("train", "stands twice");
  // What follows is for the rules that share the table; types are all that is asked of it here.
  fields.maybe_number("major", 99);
  fields.text("runtime");
  fields.texts("packages");
  fields.texts("directories");
  return train;
}

Row row_of(Fields& fields, const Policy& policy) {
  Row row;
  row.train = mandatory(fields, "train");
  row.machine = mandatory(fields, "machine");
  const auto known = [&](std::string_view key, const std::string& word,
                         const std::vector<std::string>& words) {
    if (!contains(words, word)) {
      fields.fail(key, fmt::format("\"{}\" is none of {}s{}", printable(word), key,
                                   did_you_mean(word, words)));
    }
  };
  known("train", row.train, policy.train_names());
  known("machine", row.machine, policy.machine_names());
  if (policy.row(row.train, row.machine) != nullptr) fields.fail("", "stands twice");
  for (const std::string& text : once_each(fields, "archs"))
    row.archs.push_back(arch_of(fields, "archs", text));
  row.newest = arch_of(fields, "newest", mandatory(fields, "newest"));
  if (std::ranges::find(row.archs, row.newest) == row.archs.end())
    fields.fail("newest", fmt::format("{} is none of archs", to_string(row.newest)));
  return row;
}

/// Each object of a list of objects, appended to `list`; there must be one.
template <typename T>
void read_list(Fields& fields, std::string_view key, Policy& policy, std::vector<T>& list,
               T (*read)(Fields&, const Policy&)) {
  const Json::Array& items = fields.array(key);
  if (items.empty()) fields.fail(key, "is missing or empty; it is mandatory");
  for (std::size_t i = 0; i < items.size() && !fields.failed(); ++i) {
    Fields item(items[i], fmt::format("{}[{}]", key, i));
    T value = item.failed() ? T{} : read(item, policy);
    const Result<void> done = item.finish();
    if (!done) fields.fail(done.error());
    list.push_back(std::move(value));
  }
}

/// The object under a key, where there is one.
void read_object(Fields& fields, std::string_view key, const std::function<void(Fields&)>& read) {
  const Json* object = fields.find(key);
  if (object == nullptr) return;
  Fields inner(*object, std::string(key));
  if (!inner.failed()) read(inner);
  const Result<void> done = inner.finish();
  if (!done) fields.fail(done.error());
}

PullRequest pull_request_of(Fields& fields, const Policy& policy) {
  PullRequest row{.python = mandatory(fields, "python"), .train = mandatory(fields, "train")};
  if (!contains(policy.pythons, row.python)) fields.fail("python", "is none of pythons");
  if (policy.train(row.train) == nullptr) fields.fail("train", "is none of trains");
  return row;
}

/// What no key of its own can tell: that nothing is said twice, or of nothing.
void check_whole(Fields& fields, const Policy& policy) {
  for (const std::string& python : policy.disabled_pythons) {
    if (contains(policy.pythons, python)) {
      fields.fail("disabled_pythons", fmt::format("\"{}\" is one of pythons too", python));
    }
  }
  for (const Train& train : policy.trains) {
    if (std::ranges::find(policy.rows, train.name, &Row::train) == policy.rows.end())
      fields.fail("rows", fmt::format("there is none of train {}", printable(train.name)));
  }
  for (const Machine& machine : policy.machines) {
    if (std::ranges::find(policy.rows, machine.name, &Row::machine) == policy.rows.end())
      fields.fail("rows", fmt::format("there is none of machine {}", printable(machine.name)));
  }
}

Result<Policy> policy_of(const Json& json) {
  Policy policy;
  Fields fields(json, "");
  if (fields.failed()) return fields.finish().error();
  fields.text("about");
  fields.text("requires_python");
  policy.project = normalize_name(mandatory(fields, "project"));
  policy.pythons = pythons_of(fields, "pythons");
  if (policy.pythons.empty()) fields.fail("pythons", "is missing or empty; it is mandatory");
  policy.disabled_pythons = pythons_of(fields, "disabled_pythons");
  read_list(fields, "machines", policy, policy.machines, machine_of);
  read_list(fields, "trains", policy, policy.trains, train_of);
  read_list(fields, "rows", policy, policy.rows, row_of);
  read_object(fields, "pull_request",
              [&](Fields& inner) { policy.pull_request = pull_request_of(inner, policy); });
  read_object(fields, "jetpack", [&](Fields& inner) {
    policy.jetpack_rows = inner.array("rows");
    policy.jetpack_reason = inner.text("reason");
    if (!std::ranges::all_of(policy.jetpack_rows, [](const Json& row) {
          return row.is_object() && row != Json::object();
        }))
      inner.fail("rows", "expected objects with keys of the build matrix");
  });
  read_object(fields, "workflow", [&](Fields& inner) {
    policy.workflow = {.inputs = once_each(inner, "inputs"),
                       .words = once_each(inner, "words"),
                       .paths = once_each(inner, "paths")};
    if (!policy.workflow.inputs.empty() && policy.workflow.words.empty())
      inner.fail("words", "is missing or empty where there are inputs");
  });
  check_whole(fields, policy);
  const Result<void> done = fields.finish();
  if (!done) return done.error();
  return policy;
}

/// A built-in policy: its name and file.
struct BuiltIn {
  std::string name;
  const EmbeddedFile* file;
};

std::vector<BuiltIn> built_in() {
  std::vector<BuiltIn> found;
  for (const EmbeddedFile& file : embedded_rules()) {
    const std::vector<std::string_view> parts = split(file.path, '/');  // rules/PACK/tables/X.json
    if (parts.size() != 4 || parts[2] != "tables") continue;
    const std::string_view stem = parts[3].substr(0, parts[3].rfind('.'));
    if (stem != "release" && !stem.starts_with("release-")) continue;
    found.push_back(
        {std::string(parts[1]) + std::string(stem.substr(std::string_view("release").size())),
         &file});
  }
  std::ranges::sort(found, {}, &BuiltIn::name);
  return found;
}

bool is_default(const BuiltIn& policy) {
  return std::string_view(policy.file->path).ends_with("/release.json");
}

}  // namespace

const Machine* Policy::machine(std::string_view name) const {
  const auto found = std::ranges::find(machines, name, &Machine::name);
  return found != machines.end() ? &*found : nullptr;
}

const Machine* Policy::machine_of_type(std::string_view gpu_arch_type) const {
  const auto found = std::ranges::find(machines, gpu_arch_type, &Machine::gpu_arch_type);
  return found != machines.end() ? &*found : nullptr;
}

const Train* Policy::train(std::string_view name) const {
  const auto found = std::ranges::find(trains, name, &Train::name);
  return found != trains.end() ? &*found : nullptr;
}

const Row* Policy::row(std::string_view train, std::string_view machine) const {
  const auto found = std::ranges::find_if(
      rows, [&](const Row& row) { return row.train == train && row.machine == machine; });
  return found != rows.end() ? &*found : nullptr;
}

std::vector<std::string> Policy::machine_names() const {
  std::vector<std::string> names;
  for (const Machine& machine : machines) names.push_back(machine.name);
  return names;
}

std::vector<std::string> Policy::train_names() const {
  std::vector<std::string> names;
  for (const Train& train : trains) names.push_back(train.name);
  return names;
}

Result<Policy> parse_policy(std::string_view text, std::string_view origin) {
  const Result<Json> json = Json::parse(text);
  if (!json) return json.error().in(origin);
  Result<Policy> policy = policy_of(*json);
  if (!policy) return policy.error().in(origin);
  return policy;
}

std::vector<std::string> built_in_policies() {
  std::vector<std::string> names;
  for (const BuiltIn& policy : built_in()) names.push_back(policy.name);
  return names;
}

Result<Policy> built_in_policy(std::string_view name) {
  std::vector<BuiltIn> fitting = built_in();
  std::erase_if(fitting, [&](const BuiltIn& policy) {
    return name.empty() ? !is_default(policy) : policy.name != name;
  });
  const std::vector<std::string> known = built_in_policies();
  if (fitting.size() == 1) {
    const EmbeddedFile& file = *fitting.front().file;
    return parse_policy(std::string_view(file.begin, file.end), file.path);
  }
  if (name.empty()) {
    return Error(fmt::format("{} built-in packs have a release table; name a policy: {}",
                             fitting.size(), known.empty() ? "a file" : join(known, ", ")));
  }
  return Error(fmt::format("there is no policy \"{}\"{}; built in: {}; anything else is a file",
                           name, did_you_mean(name, known), join(known, ", ")));
}

}  // namespace wheel_audit::matrix
