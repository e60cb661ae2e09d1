// How each NEEDED of a wheel's libraries fares once the wheel is installed: found, promised by the
// tag, brought by a declared package, or one of the ways in which it is not.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kinds/libraries.hpp"
#include "kinds/platform.hpp"
#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// The state of a need.
enum class NeedState : std::uint8_t {
  met,                ///< by a file of the wheel or of a given wheel, through the search path
  promised,           ///< by every platform tag
  driver,             ///< the GPU driver's
  path,               ///< has a slash: not searched for at all
  shipped_elsewhere,  ///< the wheel ships a file of that name that no entry reaches
  soname_only,        ///< the wheel ships it under another file name
  declared,           ///< a known package brings it, always
  declared_partly,    ///< in some environments, or under an extra of this wheel only
  indirect,           ///< a declared or needed package is known to bring it along
  undeclared,         ///< a known package ships it and nothing declares it
  unversioned,        ///< an unversioned NVIDIA name, which no package and no driver installs
  unreadable,         ///< the wheel ships it, and the file could not be read
  optional,           ///< an optional runtime's, wanted by a plugin that nothing needs
  missing,            ///< nothing known provides it
};

/// One NEEDED of one library.
struct Need {
  const Placed* from = nullptr;
  std::string name;
  NeedState state = NeedState::met;
  /// The package that brings it, or would; empty where none is known.
  Provider provider;
  Applies applies = Applies::always;  ///< of `declared_partly`
  std::string via;                    ///< of `indirect`: the package that brings it
  bool in_given_wheel = false;        ///< a wheel given with --with ships it
  bool only_given = false;            ///< in_given_wheel, and no table knows that package for it
  std::string tag;  ///< of `missing`: the tag that does not promise it, where others do
  const Placed* shipped = nullptr;  ///< of shipped_elsewhere, soname_only: the file
  std::string file;  ///< of unreadable, missing: the member of its name that is no readable library
  /// Whether an entry that the loader walks for it is a directory where the provider installs.
  bool reached = false;
  /// Whether, in every closure, a library that loads earlier has it loaded by an entry that
  /// arrives.
  bool loaded_before = false;
  /// The entries that the loader walks for it, and whose they are; one list for all needs of a
  /// file.
  std::shared_ptr<const std::vector<AppliedEntry>> path;
  const std::vector<AppliedEntry>& entries() const {
    static const std::vector<AppliedEntry> kNone;
    return path ? *path : kNone;
  }
  std::string runtime;                 ///< of `optional`
  std::vector<std::string> versioned;  ///< of `unversioned`: the names that may be meant
  bool of_driver = false;              ///< of `unversioned`: the driver installs it, and no package
  /// Whether something ships it that no requirement brings in any environment.
  bool is_undeclared() const {
    return state == NeedState::undeclared ||
           (state == NeedState::declared_partly && applies == Applies::never);
  }
};

/// The needs of a wheel, judged with tables; one for each library and name. Kept with the subject,
/// since many rules ask for them.
const std::vector<Need>& judge_needs(const Subject& subject, const Libraries& libraries,
                                     const Platforms& platforms);

/// The `$ORIGIN` entry that leads from a library's directory to another below the prefix.
std::string origin_entry(const Placed& from, std::string_view directory);

/// The command that adds an entry to the search path that the loader walks for a need. What is
/// found by inherited DT_RPATH today is lost where the library gets a DT_RUNPATH, as patchelf
/// makes.
std::string add_entry_command(const Need& need, std::string_view entry);

/// Whether a wheel of the project, by its normal name, is given.
bool is_given(const Subject& subject, const std::string& package);

/// The requirement, outside extras, whose name a directory below site-packages has, where no such
/// wheel is given: what it installs is not known, and it is the likely owner. Null for none.
const Requirement* owner_by_name(const Subject& subject, std::string_view directory);

/// The ELF files that rules of the linux pack judge: for a host machine, in a wheel for Linux or
/// any platform.
std::vector<const ElfFacts*> judged_elves(const Subject& subject);

/// Named like an extension module of CPython (PEP 3149 or the stable ABI): Python would load it.
bool is_named_extension(std::string_view path);

/// The same in words: `under an extra of this wheel only`.
std::string_view when_words(Applies applies);

/// Whether a requirement's URL says what is installed, and not which version that is.
bool is_fixed_elsewhere(const Requirement& requirement);

/// Whether the wheel is for Linux by its tags, or for any platform, or has no name that tells.
bool installs_on_linux(const Subject& subject);

/// Whether the wheel is for Linux by its tags.
bool is_linux(const Subject& subject);

/// Whether every tag makes a promise (plain `linux_*` makes none).
bool tags_promise(const Subject& subject);

/// How a requirement for a package applies, at best: by its own name, by an extra of
/// cuda-toolkit, or through the requirements of a wheel given with --with. Nothing: by none.
std::optional<Applies> declared(const Subject& subject, const Provider& provider);

/// The packages (normalised) that the wheel requires in some environment, and those that the wheels
/// given among them bring along in turn, extras followed.
std::set<std::string> packages_declared(const Subject& subject);

}  // namespace wheel_audit
