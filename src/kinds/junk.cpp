// Questions about files that no user of the wheel asked for: leftovers, secrets, top-level names.
// What counts as one is in the packs' tables of globs.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kinds/groups.hpp"
#include "kinds/project.hpp"
#include "wheel_audit/globs.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// Globs of one class of a table, and what that class is called.
struct Class {
  std::string what;
  Globs directories;
  Globs names;
  std::string beside;  ///< a name counts only where a file of the same stem with this suffix is
  bool unless_text = false;  ///< a text file of such a name is something else (Wavefront meshes)
  bool unless_mentioned = false;  ///< a file that another one names is there on purpose
  bool unless_headers = false;    ///< beside headers to compile against, it is for linking
  Globs except;                   ///< paths that are no leftovers
};

/// The classes of a table.
struct Classes {
  std::vector<Class> all;
  Globs any_name;  ///< of all their names
};

Classes classes_of(Params& params) {
  static const std::vector<std::string> kKeys = {
      "what",        "directories",      "names",          "beside",
      "unless_text", "unless_mentioned", "unless_headers", "except"};
  Classes classes;
  std::vector<std::string> every;
  const Json& table = params.table("table");
  if (table["classes"].items().empty()) params.fail("the table has no \"classes\"");
  for (const Json& item : table["classes"].items()) {
    for (const auto& [key, value] : item.entries()) {
      if (std::ranges::find(kKeys, key) == kKeys.end())
        params.fail(fmt::format("a class of the table has the unknown key \"{}\"{}", key,
                                did_you_mean(key, kKeys)));
    }
    if (item["what"].as_string().empty())
      params.fail("a class of the table does not say \"what\" its files are");
    const std::vector<std::string> names = item["names"].strings();
    every.insert(every.end(), names.begin(), names.end());
    classes.all.push_back({item["what"].as_string(), Globs(item["directories"].strings()),
                           Globs(names), item["beside"].as_string(), item["unless_text"].as_bool(),
                           item["unless_mentioned"].as_bool(), item["unless_headers"].as_bool(),
                           Globs(item["except"].strings())});
  }
  classes.any_name = Globs(every);
  return classes;
}

/// Whether the path is that of a C, C++ or CUDA header below an `include` directory.
bool is_header(std::string_view path) {
  static const std::vector<std::string> kHeaders = {"*.h", "*.hpp", "*.hh", "*.cuh"};
  return matches_any(kHeaders, path) && glob_match("*/include/*", path);
}

/// What a wheel's members are asked against; looked for when the first of them asks.
class Around {
 public:
  explicit Around(const WheelFacts& wheel) : wheel_(wheel) {}

  bool has_headers() {
    if (!headers_) {
      headers_ =
          std::ranges::any_of(wheel_.members, [](const auto& m) { return is_header(m.path); });
    }
    return *headers_;
  }

  /// Whether a text outside dist-info mentions a file of this name.
  bool mentions(std::string_view name) {
    if (!mentioned_) {
      mentioned_.emplace();
      for (const MemberFacts& member : wheel_.members) {
        if (member.kind != MemberKind::text || top_level(member.path).ends_with(".dist-info"))
          continue;
        for (const std::string& mention : member.mentions) mentioned_->insert(base_name(mention));
      }
    }
    return mentioned_->contains(name);
  }

 private:
  const WheelFacts& wheel_;
  std::optional<bool> headers_;
  std::optional<NameSet> mentioned_;
};

bool has_source_beside(const Subject& subject, std::string_view path, const std::string& suffix) {
  const std::size_t dot = path.rfind('.');
  return subject.index().member(std::string(path.substr(0, dot)) + suffix) != nullptr;
}

/// Whether a member of no listed directory is of a class by its name.
bool is_named(const Class& one, const MemberFacts& member, const Subject& subject, Around& around) {
  const std::string_view name = base_name(member.path);
  if (!one.names.match(name)) return false;
  if (!one.beside.empty() && !has_source_beside(subject, member.path, one.beside)) return false;
  if (one.unless_text && member.kind == MemberKind::text) return false;
  if (one.unless_headers && around.has_headers()) return false;
  if (one.except.match(member.path)) return false;
  if (one.unless_mentioned && around.mentions(name)) return false;
  if (member.kind != MemberKind::elf) return true;
  const ElfFacts* elf = subject.index().elf(member.path);  // device code in ELF form is payload
  return elf == nullptr || elf->is_host();
}

/// The first class that has one of the directories of a path; past the end for none.
std::size_t class_of_directory(const std::vector<Class>& classes, std::string_view directory) {
  if (directory.empty()) return classes.size();
  const std::vector<std::string_view> parts = split(directory, '/');
  const auto found = std::ranges::find_if(classes, [&](const Class& one) {
    return std::ranges::any_of(parts,
                               [&](std::string_view part) { return one.directories.match(part); });
  });
  return static_cast<std::size_t>(found - classes.begin());
}

/// `junk.file`: members whose name, or a directory above them, a table lists.
Check file(Params& params) {
  const Classes table = classes_of(params);
  return [table](const Subject& subject, Report& report) {
    const std::vector<Class>& classes = table.all;
    Around around(subject.wheel);
    NameMap<std::size_t> by_directory;
    for (const MemberFacts& member : subject.wheel.members) {
      if (member.kind == MemberKind::directory) continue;
      const std::string_view directory = directory_name(member.path);
      const auto [below, fresh] = by_directory.emplace(directory, 0);
      if (fresh) below->second = class_of_directory(classes, directory);
      // Most members are told by one look: their names are of no class.
      const bool may_be_named = table.any_name.match(base_name(member.path));
      std::size_t index = may_be_named ? 0 : below->second;
      while (index < below->second && !is_named(classes[index], member, subject, around)) ++index;
      if (index == classes.size()) continue;
      const std::string& what = classes[index].what;
      report(fault(member.path, "is " + what,
                   {{"found", std::string(base_name(member.path))}, {"what", what}}));
    }
    return looked_at_members(subject.wheel);
  };
}

/// The table of secrets.
struct Secrets {
  std::vector<std::pair<std::string, Globs>> names;  ///< what, by which names
  Globs any;                                         ///< of all of names
  Globs sound;                                       ///< names like these that hold none
  Globs test_parts;  ///< parts of test and example paths, in lower case
};

Secrets secrets_of(const Json& table) {
  Secrets secrets;
  std::vector<std::string> all;
  for (const auto& [what, globs] : table["names"].entries()) {
    const std::vector<std::string> some = globs.strings();
    secrets.names.emplace_back(what, Globs(some));
    all.insert(all.end(), some.begin(), some.end());
  }
  secrets.any = Globs(all);
  secrets.sound = Globs(table["sound"].strings());
  secrets.test_parts = Globs(table["test_parts"].strings());
  return secrets;
}

/// What secret a member is by its name; empty for none.
std::string named_secret(const MemberFacts& member, const Secrets& secrets) {
  const std::string_view name = base_name(member.path);
  if (!secrets.any.match(name) && !secrets.any.match(member.path)) return {};
  if (secrets.sound.match(name)) return {};
  for (const auto& [what, globs] : secrets.names) {
    if (globs.match(name) || globs.match(member.path)) return what;
  }
  return {};
}

bool is_test_path(std::string_view path, const Secrets& secrets) {
  const std::vector<std::string_view> parts = split(path, '/');
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return secrets.test_parts.match(lower(part)); });
}

/// `junk.secret`: secrets by header and by name, under test and example paths or elsewhere.
Check secret(Params& params) {
  const Secrets secrets = secrets_of(params.table("table"));
  const std::vector<std::string> headers = params.list("headers");
  const bool in_tests = params.flag("in_tests");
  return [secrets, headers, in_tests](const Subject& subject, Report& report) {
    for (const MemberFacts& member : subject.wheel.members) {
      if (member.kind == MemberKind::directory || member.size == 0) continue;
      const bool by_header = std::ranges::find(headers, member.secret) != headers.end();
      const std::string found = by_header ? member.secret : named_secret(member, secrets);
      if (found.empty() || is_test_path(member.path, secrets) != in_tests) continue;
      const std::string_view article = found == "cloud credentials" ? "" : "a ";
      const std::string message = by_header
                                      ? fmt::format("its header is that of {}{}", article, found)
                                      : fmt::format("its name is that of {}{}", article, found);
      report(fault(member.path, message, {{"found", found}}));
    }
    return looked_at_members(subject.wheel);
  };
}

/// `junk.toplevel`: names of modules and packages that every project could take.
Check toplevel(Params& params) {
  const Globs names(params.some("names"));
  return [names](const Subject& subject, Report& report) {
    const WheelFacts& wheel = subject.wheel;
    OwnNameSet seen;
    for (const MemberFacts& member : wheel.members) {
      const std::optional<std::string_view> path = site_path(member.path);
      // Directory entries come and go with the tool that packs.
      if (!path || member.kind == MemberKind::directory) continue;
      std::string_view top = top_level(*path);
      const bool module = top.size() == path->size();
      if (module && !top.ends_with(".py")) continue;
      if (module) top.remove_suffix(3);
      if (!names.match(lower(top))) continue;
      if (wheel.name && normalize_name(wheel.name->distribution) == normalize_name(top)) continue;
      if (!seen.emplace(top).second) continue;
      report(fault(member.path, fmt::format("installs the top-level name \"{}\"", top),
                   {{"found", std::string(top)}}, std::string(top)));
    }
    return looked_at_members(wheel);
  };
}

}  // namespace

std::vector<Kind> junk_kinds() {
  return {{"junk.file", file}, {"junk.secret", secret}, {"junk.toplevel", toplevel}};
}

}  // namespace wheel_audit
