// What a rule is asked about: one wheel's facts, what was expected of it, and what follows from
// both (requirements, tags, the loader's closures), computed once.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wheel_audit/facts.hpp"
#include "wheel_audit/facts_index.hpp"
#include "wheel_audit/gpu.hpp"
#include "wheel_audit/loader.hpp"
#include "wheel_audit/memo.hpp"
#include "wheel_audit/version.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

/// What the user expects of the wheels, beyond what they say of themselves.
struct Expectations {
  std::string train;                            ///< `cu130`, or empty
  std::vector<ArchEntry> archs;                 ///< the row, or empty: Subject::row
  std::map<std::string, std::string> provides;  ///< further sonames and the packages that ship them
};

/// A library of an environment that was given with `--with` or `--env`.
struct Context {
  std::vector<const WheelFacts*> wheels;
  bool given() const { return !wheels.empty(); }
};

/// One wheel under judgement.
class Subject {
 public:
  /// Everything is borrowed and must outlive the subject. Of several given wheels of one project
  /// the one counts that an installer would take where this wheel is installed.
  Subject(const WheelFacts& wheel, const Expectations& expect, const Context& context);
  ~Subject();
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;

  const WheelFacts& wheel;
  const Expectations& expect;
  const Context context;

  /// The wheel's claim, or what `--train` puts in its place where it makes none.
  const Claim& claim() const;
  /// The row of architectures: what the user expects, or else what the variant label promises
  /// (`nvidia :: sm_arch`); empty without either.
  const std::vector<ArchEntry>& row() const;
  /// Linux platform tags of the file name.
  const std::vector<PlatformTag>& tags() const;
  /// The C libraries that the tags name; glibc where they name none.
  const std::vector<Libc>& libcs() const;
  /// The requirements of METADATA that parse.
  const std::vector<Requirement>& requirements() const;
  /// The environments that the tags and Requires-Python allow.
  const std::vector<Environment>& environments() const;
  /// When one of `requirements()` applies, over the wheel's environments.
  Applies applies(const Requirement& requirement) const;
  /// When the requirements that name `package` (normalised) apply, at best; `cuda-toolkit[x]` and
  /// the like are expanded by the rules that have the table.
  std::optional<Applies> declared(std::string_view package) const;
  /// The wheel's facts by path.
  const FactsIndex& index() const;
  /// The wheel and its context, installed.
  const Site& site() const;
  /// One closure for each root of the wheel, for a C library.
  const std::vector<Closure>& closures(Libc libc) const;
  /// Whether the wheel's requirements for extras of its own are more than were followed.
  bool extras_cut() const;
  /// Whether closures that were asked for are not all, past the limit load_needs.
  bool closures_cut() const;
  /// What kinds worked out about this wheel.
  Memo& memo() const;

 private:
  struct Lazy;
  std::unique_ptr<Lazy> lazy_;
};

}  // namespace wheel_audit
