// Questions about the Python ABI: extension suffixes against tags, the stable ABI's symbols.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/machine_words.hpp"
#include "kinds/needs.hpp"
#include "kinds/platform.hpp"
#include "kinds/runtimes.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// What an extension's file name says between its module and `.so` (PEP 3149).
struct Suffix {
  std::string_view text;      ///< `cpython-311-x86_64-linux-gnu`
  std::string abi;            ///< `cp311`, `abi3`, `pypy310_pp73`; empty for a plain `.so`
  std::string_view platform;  ///< `x86_64-linux-gnu`; empty where it names none
};

Suffix suffix_of(std::string_view path) {
  std::string_view name = base_name(path);
  if (!name.ends_with(".so")) return {};
  name.remove_suffix(3);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  Suffix suffix{.text = name.substr(dot + 1), .abi = {}, .platform = {}};
  if (suffix.text == "abi3") suffix.abi = "abi3";
  const auto take_part = [](std::string_view& rest) {
    const std::size_t dash = rest.find('-');
    const std::string_view part = rest.substr(0, dash);
    rest = dash == std::string_view::npos ? std::string_view() : rest.substr(dash + 1);
    return std::string(part);
  };
  std::string_view rest = suffix.text;
  const std::string interpreter = take_part(rest);
  if (interpreter == "cpython") {
    suffix.abi = "cp" + take_part(rest);
    suffix.platform = rest;
  } else if (interpreter.starts_with("pypy3") && rest.starts_with("pp")) {
    suffix.abi = interpreter + "_" + take_part(rest);
    suffix.platform = rest;
  }
  return suffix;
}

/// The platform triplets of interpreters on Linux, by how the machines of tags begin.
struct Triplet {
  std::string_view machine;
  std::string_view word;
  std::string_view abi;  ///< behind `gnu` and `musl`
};
constexpr Triplet kTriplets[] = {
    {"x86_64", "x86_64", ""},       {"i686", "i386", ""},
    {"aarch64", "aarch64", ""},     {"armv", "arm", "eabihf"},
    {"ppc64le", "powerpc64le", ""}, {"s390x", "s390x", ""},
    {"riscv64", "riscv64", ""},     {"loongarch64", "loongarch64", ""}};

/// Whether an interpreter for one of the tags looks for files of that platform triplet; tags of
/// machines without a known one allow all. Python 3.11 and earlier of some musl systems call their
/// platform `-linux-gnu`.
bool platform_allowed(const std::vector<PlatformTag>& tags, const Suffix& suffix) {
  if (tags.empty()) return true;
  const bool cpython = suffix.abi.starts_with("cp3") && suffix.abi.size() >= 5;
  const bool named_by_libc = cpython && suffix.abi.substr(3, 2) >= "12";
  return std::ranges::any_of(tags, [&](const PlatformTag& tag) {
    const auto* known = std::ranges::find_if(
        kTriplets, [&](const Triplet& one) { return tag.machine.starts_with(one.machine); });
    if (machine_word(tag.machine) == nullptr || known == std::end(kTriplets)) return true;
    const std::string gnu = fmt::format("{}-linux-gnu{}", known->word, known->abi);
    const std::string musl = fmt::format("{}-linux-musl{}", known->word, known->abi);
    if (tag.libc == "glibc") return suffix.platform == gnu;
    if (tag.libc == "musl")
      return suffix.platform == musl || (!named_by_libc && suffix.platform == gnu);
    return suffix.platform == gnu || suffix.platform == musl;
  });
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
      const Suffix suffix = suffix_of(elf->path);
      const std::string& abi = suffix.abi;
      if (!elf->is_extension() || abi.empty()) continue;
      looked = Looked::something;
      if (abi != "abi3" && !platform_allowed(subject.tags(), suffix)) {
        const std::string tags = join(name.platform, ".");
        const std::string platform =
            suffix.platform.empty() ? "no platform" : std::string(suffix.platform);
        report({.where = elf->path,
                .message =
                    fmt::format("is an extension for {}; the wheel's tags say {}", platform, tags),
                .evidence = {{"found", platform}, {"expected", tags}},
                .subject = {},
                .fix = {}});
        continue;
      }
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

/// `python.entry`: files with the suffix of an extension module whose entry points are all for
/// modules of other names. A plain `.so` may be loaded under any name.
Check entry(Params&) {
  return [](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (suffix_of(elf->path).abi.empty() || !elf->is_extension()) continue;
      const std::string_view name = base_name(elf->path);
      const std::string module(name.substr(0, name.find('.')));
      const bool ascii =
          std::ranges::all_of(module, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
      if (!ascii) continue;  // its entry point has the name in Punycode
      looked = Looked::something;
      std::vector<std::string> entries;
      for (const Symbol& symbol : elf->symbols) {
        const bool is_entry =
            symbol.name.starts_with("PyInit_") || symbol.name.starts_with("PyModExport_");
        if (symbol.defined && is_entry) entries.emplace_back(symbol.name);
      }
      const bool own = std::ranges::any_of(entries, [&](const std::string& entry) {
        return entry.substr(entry.find('_') + 1) == module;
      });
      if (own || entries.empty()) continue;
      report({.where = elf->path,
              .message = fmt::format("is named as the module {} and defines {} alone: import fails",
                                     module, shortened(entries, 2)),
              .evidence = {{"found", shortened(entries, 2)}, {"expected", "PyInit_" + module}},
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

/// The lowest minor version of Python 3 from `bound` on of which some release is allowed; `bound`
/// where there is none.
int lowest_allowed(const Specifiers& specifiers, int bound) {
  constexpr int kMinors = 32;
  constexpr int kPatches = 32;  // no Python 3 had as many
  for (int minor = bound; minor < bound + kMinors; ++minor) {
    for (int patch = 0; patch < kPatches; ++patch) {
      const Result<Version> version = Version::parse(fmt::format("3.{}.{}", minor, patch));
      if (version && specifiers.allow(*version)) return minor;
    }
  }
  return bound;
}

/// The lowest minor version of Python 3 that Requires-Python allows; -1 without a lower bound.
int required_minor(const WheelFacts& wheel) {
  const std::string* text = wheel.metadata ? wheel.metadata->first("Requires-Python") : nullptr;
  if (text == nullptr) return -1;
  const Result<Specifiers> specifiers = Specifiers::parse(*text);
  if (!specifiers) return -1;
  const std::optional<Version> bound = specifiers->lower_bound();
  if (!bound || bound->release().empty() || bound->release()[0] != 3) return -1;
  constexpr std::uint64_t kMostMinor = 1000;  // a hostile number is none
  const std::uint64_t minor = bound->release().size() > 1 ? bound->release()[1] : 0;
  return lowest_allowed(*specifiers, static_cast<int>(std::min(minor, kMostMinor)));
}

/// The stable ABI's symbols, and the Python that added each (rules/linux/tables/stable-abi.json).
struct StableAbi {
  explicit StableAbi(const Json& table) {
    for (const auto& [name, version] : table["symbols"].entries())
      added.emplace(name, version.as_string());
  }
  std::map<std::string, std::string, std::less<>> added;
};

/// Whether a library calls Python, as extensions do and what they are linked with may.
bool calls_python(const ElfFacts& elf) {
  return elf.is_extension() || std::ranges::any_of(elf.symbols, [](const Symbol& symbol) {
           return !symbol.defined && is_of_python(symbol.name);
         });
}

/// `python.stable-abi`: imports of an abi3 wheel's extensions, and of the libraries beside them,
/// that the stable ABI lacks (`violation`), or that only Requires-Python makes sound (`tag-low`).
Check stable_abi(Params& params) {
  const bool violation = params.word("is", {"violation", "tag-low"}) == "violation";
  const LateTable table = params.late_table("symbols");
  return [violation, table](const Subject& subject, Report& report) {
    if (!subject.wheel.name || !has(subject.wheel.name->abi, "abi3")) return Looked::nothing;
    const auto& added = table.as<StableAbi>().added;
    const int tag = tag_minor(*subject.wheel.name);
    const int floor = std::max(tag, required_minor(subject.wheel));
    std::set<std::string_view> own;
    const auto add = [&](const WheelFacts& wheel) {
      for (const ElfFacts& elf : wheel.elves) {
        for (const Symbol& symbol : elf.symbols) {
          if (symbol.defined) own.insert(symbol.name);
        }
      }
    };
    add(subject.wheel);
    for (const WheelFacts* other : subject.context.wheels) add(*other);
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      if (tag < 0 || !calls_python(*elf)) continue;
      looked = Looked::something;
      for (const Symbol& symbol : elf->symbols) {
        if (symbol.defined || !is_of_python(symbol.name) || symbol.binding == Binding::weak ||
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
  return {{"python.suffix", suffix}, {"python.entry", entry}, {"python.stable-abi", stable_abi}};
}

}  // namespace wheel_audit
