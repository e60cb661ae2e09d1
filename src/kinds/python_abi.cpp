// Questions about the Python ABI: extension suffixes against tags, the stable ABI's symbols.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "kinds/platform.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// `cpython-311-x86_64-linux-gnu` → `cp311`; `abi3` → `abi3`; a plain `.so` → empty (PEP 3149).
std::string abi_of_suffix(std::string_view path) {
  std::string_view name = base_name(path);
  if (!name.ends_with(".so")) return {};
  name.remove_suffix(3);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view suffix = name.substr(dot + 1);
  if (suffix == "abi3") return "abi3";
  constexpr std::string_view kCpython = "cpython-";
  if (!suffix.starts_with(kCpython)) return {};
  const std::string_view rest = suffix.substr(kCpython.size());
  return "cp" + std::string(rest.substr(0, rest.find('-')));
}

/// Whether an interpreter that the tags allow would import a file of that suffix.
bool tags_allow(const NameFacts& name, const std::string& abi) {
  const bool free_threaded = std::ranges::any_of(
      name.abi, [](const std::string& tag) { return tag.starts_with("cp") && tag.ends_with("t"); });
  if (abi == "abi3") return !free_threaded || name.abi.size() > 1;
  if (has(name.abi, abi)) return true;
  // `cp311-none`: for one interpreter, without saying its ABI.
  return has(name.abi, "none") && has(name.python, abi);
}

/// `python.suffix`: extensions whose suffix the tags do not allow.
Check suffix(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    if (!subject.wheel.name) return looked;
    const NameFacts& name = *subject.wheel.name;
    for (const ElfFacts* elf : judged_elves(subject)) {
      const std::string abi = abi_of_suffix(elf->path);
      if (!elf->is_extension() || abi.empty()) continue;
      looked = Looked::something;
      if (tags_allow(name, abi)) continue;
      const std::string tags = join(name.python, ".") + "-" + join(name.abi, ".");
      report({.where = elf->path,
              .message = fmt::format("is an extension for {}; the wheel's tags say {}", abi, tags),
              .evidence = {{"found", abi}, {"expected", tags}},
              .subject = {},
              .fix = {}});
    }
    return looked;
  };
}

/// The lowest Python 3 minor version of the abi3 wheel's tags; -1 where no tag tells.
int tag_minor(const NameFacts& name) {
  int lowest = -1;
  for (const std::string& text : name.python) {
    const std::optional<PythonTag> tag = parse_python_tag(text);
    if (!tag || tag->implementation != "cp" || tag->major != 3 || tag->minor < 0) continue;
    if (lowest < 0 || tag->minor < lowest) lowest = tag->minor;
  }
  return lowest;
}

/// The lower bound of Requires-Python as a minor version of Python 3; -1 without one.
int required_minor(const WheelFacts& wheel) {
  const std::string* text = wheel.metadata ? wheel.metadata->first("Requires-Python") : nullptr;
  if (text == nullptr) return -1;
  const Result<Specifiers> specifiers = Specifiers::parse(*text);
  if (!specifiers) return -1;
  const std::optional<Version> bound = specifiers->lower_bound();
  if (!bound || bound->release().empty() || bound->release()[0] != 3) return -1;
  return bound->release().size() > 1 ? static_cast<int>(bound->release()[1]) : 0;
}

/// The stable ABI's symbols, and the Python that added each (rules/linux/tables/stable-abi.json).
struct StableAbi {
  explicit StableAbi(const Json& table) {
    for (const auto& [name, version] : table["symbols"].entries())
      added.emplace(name, version.as_string());
  }
  std::map<std::string, std::string, std::less<>> added;
};

/// `python.stable-abi`: imports of an abi3 extension that the stable ABI lacks (`violation`), or
/// that only Requires-Python makes sound (`tag-low`).
Check stable_abi(Params& params) {
  const bool violation = params.word("is", {"violation", "tag-low"}) == "violation";
  const LateTable table = params.late_table("symbols");
  return [violation, table](const Subject& subject, Report& report) {
    if (!subject.wheel.name || !has(subject.wheel.name->abi, "abi3")) return Looked::nothing;
    const auto& added = table.as<StableAbi>().added;
    const int tag = tag_minor(*subject.wheel.name);
    const int floor = std::max(tag, required_minor(subject.wheel));
    std::set<std::string_view> own;
    for (const ElfFacts& elf : subject.wheel.elves) {
      for (const Symbol& symbol : elf.symbols) {
        if (symbol.defined) own.insert(symbol.name);
      }
    }
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (!elf->is_extension() || tag < 0) continue;
      looked = Looked::something;
      for (const Symbol& symbol : elf->symbols) {
        const bool python = symbol.name.starts_with("Py") || symbol.name.starts_with("_Py");
        if (symbol.defined || !python || symbol.binding == Binding::weak ||
            own.contains(symbol.name))
          continue;
        const auto known = added.find(symbol.name);
        const std::string version = known == added.end() ? "" : known->second;
        const auto since = [&](int minor) {
          return !version.empty() && compare_dotted(version, fmt::format("3.{}", minor)) <= 0;
        };
        const bool fault = violation ? !since(floor) : since(floor) && !since(tag);
        if (!fault) continue;
        const std::string found = version.empty()
                                      ? "no part of the stable ABI"
                                      : "part of the stable ABI since Python " + version;
        report({.where = elf->path,
                .message =
                    fmt::format("imports {}, which is {}; the wheel is for Python 3.{} and later",
                                symbol.name, found, violation ? floor : tag),
                .evidence = {{"symbol", std::string(symbol.name)},
                             {"found", version.empty() ? "not in the stable ABI" : version},
                             {"expected", fmt::format("3.{} or earlier", violation ? floor : tag)}},
                .subject = std::string(symbol.name),
                .fix = {}});
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> python_abi_kinds() {
  return {{"python.suffix", suffix}, {"python.stable-abi", stable_abi}};
}

}  // namespace wheel_audit
