// The rules by which the dynamic loaders of glibc and musl find a library, over a virtual
// environment of installed wheels. The host's own files are never looked at.
// Follows ld.so(8), glibc's elf/dl-load.c and musl's ldso/dynlink.c.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "wheel_audit/facts.hpp"

namespace wheel_audit {

/// Where site-packages lies below the environment's prefix in the virtual environment. The depth is
/// that of a real one (`lib/pythonX.Y/site-packages`).
inline constexpr std::string_view kSitePackages = "lib/python3/site-packages";

/// A member of a wheel at the place where an installer puts it.
struct Placed {
  std::string path;  ///< below the prefix: `lib/python3/site-packages/demo/_C.so`
  const WheelFacts* wheel = nullptr;
  const MemberFacts* member = nullptr;
  const ElfFacts* elf = nullptr;  ///< nothing for a member that is no host ELF file
};

/// Where an installer puts a member: below site-packages, or for `*.data/<scheme>/` below the
/// scheme's directory (`data` → the prefix, `scripts` → `bin`, `headers` → `include/…`).
std::string install_path(std::string_view member);

/// The path as people know it: without the site-packages prefix; others with `<prefix>/` before.
std::string shown_path(std::string_view install_path);

/// Whether a directory below the prefix is site-packages or lies in it.
bool is_in_site_packages(std::string_view directory);

/// A path without `.`, `..` and repeated slashes; leading `..` stay where it climbs out.
std::string normal_path(std::string_view path);

/// The installed files of several wheels as one tree.
class Site {
 public:
  /// Installs a wheel (its facts must outlive the site). An equal path of an earlier wheel wins.
  void add(const WheelFacts& wheel);

  const Placed* at(std::string_view path) const;
  /// The placed form of a member of an added wheel; nothing where an earlier wheel took its path.
  const Placed* of(const WheelFacts& wheel, std::string_view member) const;
  /// True for a directory that holds a file, directly or below; "" is the prefix itself.
  bool is_directory(std::string_view path) const;
  /// Every file, in order of addition.
  const std::deque<Placed>& files() const { return files_; }
  /// The host ELF files whose file name or soname is `name`.
  std::vector<const Placed*> libraries_named(std::string_view name) const;

 private:
  std::deque<Placed> files_;
  // Views into those files and their facts.
  std::map<std::string_view, const Placed*> by_path_;
  std::multimap<std::string_view, const Placed*> by_name_;
};

/// A search entry taken apart.
struct SearchEntry {
  enum class Type : std::uint8_t {
    origin,  ///< starts with `$ORIGIN` or `${ORIGIN}`
    empty,   ///< the working directory
    absolute,
    relative,  ///< relative to the working directory, an unknown `$` word included
  };
  std::string text;  ///< as written
  Type type = Type::relative;
  bool host_token = false;  ///< has `$LIB` or `$PLATFORM`
  /// Directories below the prefix that an `origin` entry can mean: one, or one for each known
  /// value of its host tokens. A path that climbs out of the prefix starts with `..`.
  std::vector<std::string> directories;
};

/// Takes an entry of a library installed in `origin` (a directory below the prefix) apart.
SearchEntry search_entry(std::string_view text, std::string_view origin);

enum class Libc : std::uint8_t { glibc, musl };

/// How a need was met.
enum class Met : std::uint8_t { loaded, found, absent };

/// One NEEDED of one object of a closure.
struct Edge {
  const Placed* from = nullptr;
  std::string need;
  Met met = Met::absent;
  const Placed* to = nullptr;           ///< the object that meets it; nothing when absent
  std::string entry;                    ///< the search entry that found it, as written
  const Placed* entry_owner = nullptr;  ///< the object whose entry that is (DT_RPATH is inherited)
};

/// What loading one root brings in.
struct Closure {
  const Placed* root = nullptr;
  std::vector<const Placed*> loaded;  ///< breadth first, the root first
  std::vector<Edge> edges;            ///< in the order in which the loader asks
  bool contains(const Placed* object) const;
};

/// Who loaded whom in a closure, worked out when first asked. Borrows the closure.
class Chains {
 public:
  explicit Chains(const Closure& closure) : closure_(closure) {}
  /// The objects through which `object` was loaded, nearest first, the root last.
  std::vector<const Placed*> to(const Placed* object);

 private:
  const Closure& closure_;
  std::unordered_map<const Placed*, const Placed*> loaders_;
};

/// A search entry that applies to an object, with the object it comes from.
struct AppliedEntry {
  SearchEntry entry;
  const Placed* owner = nullptr;
};

/// The entries that the loader walks for a need of `object`, loaded through `chain` (the objects
/// that loaded it, nearest first): its DT_RUNPATH alone, or DT_RPATH up the chain (glibc); both,
/// inherited (musl).
std::vector<AppliedEntry> search_path_of(const Placed& object,
                                         const std::vector<const Placed*>& chain, Libc libc);

/// Loads `root` by path, as Python loads an extension.
Closure load(const Site& site, const Placed& root, Libc libc);

/// One need of a closure as plain data, for reports: paths as people know them.
struct LoadedNeed {
  std::string from;
  std::string need;
  Met met = Met::absent;
  std::string to;        ///< empty when absent
  std::string entry;     ///< where found: the search entry, as written
  std::string entry_of;  ///< and the object whose entry that is
};

/// A closure as plain data.
struct LoadTree {
  std::string root;
  std::vector<LoadedNeed> needs;  ///< in the order in which the loader asks
};
LoadTree load_tree(const Closure& closure);

using PlacedSet = std::unordered_set<const Placed*>;

/// The host ELF files of a wheel that are loaded by themselves: extensions, executables, and
/// libraries that no other file of the wheel needs. Files that are loaded already are left out, and
/// what they need is no reason to be no root.
std::vector<const Placed*> roots(const Site& site, const WheelFacts& wheel,
                                 const PlacedSet& loaded = {});

/// What loads with each root of a wheel.
struct Closures {
  std::vector<Closure> list;
  bool cut = false;  ///< the limit load_needs was reached: roots are missing
};

/// Loads each root in a C library's way; libraries that are needed and that no search entry reaches
/// are roots as well, after the others, so that every file is in some closure.
Closures closures_of(const Site& site, const WheelFacts& wheel, Libc libc);

}  // namespace wheel_audit
