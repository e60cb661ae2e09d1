// What the tables know of libraries that a wheel does not ship: which package does, where it
// installs them, and what the driver or an optional runtime brings.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// One package that ships a library.
struct Provider {
  std::string soname;                    ///< a glob
  std::string package;                   ///< normalised
  std::vector<std::string> directories;  ///< below the prefix; the usual one first
  std::string extra;                     ///< of cuda-toolkit; empty for none
  int train = 0;                         ///< CUDA major; 0 for packages that are not NVIDIA's
  bool only_declared = false;            ///< ships it for itself: counts only where it is declared
  bool of_cuda = false;                  ///< another project's, of its builds for CUDA alone
  bool tells_release = false;            ///< its version is the CUDA release's: `.so.12.8`
  int major = 0;  ///< the package's own major that bounds should name; 0 where the suffix tells
  bool nvidia() const { return train != 0; }
};

/// The tables named by a rule's parameters `providers`, `driver`, `optional` and `brings`.
class Libraries {
 public:
  /// Rules that name the same tables share one.
  static std::shared_ptr<const Libraries> of(Params& params);

  /// The packages that ship a library, from the tables and what the user provides.
  std::vector<Provider> providers(std::string_view soname, const Expectations& expect) const;
  /// Every row.
  const std::vector<Provider>& all() const { return providers_; }
  bool is_driver(std::string_view soname) const;
  /// The optional runtime that brings a library, or empty.
  std::string optional_runtime(std::string_view soname) const;
  /// The packages that a requirement brings along, extras followed (table of parameter `brings`).
  std::vector<std::string> brought_by(const Requirement& requirement) const;
  /// The package that brings NVIDIA's packages of a train of its own choice; empty for none.
  const std::string& train_chooser() const { return train_chooser_; }
  /// The versioned sonames that an unversioned name of NVIDIA's packages (`libcudart.so`) or of the
  /// driver (`libcuda.so`) can stand for; of one train alone where that is not 0 and has some.
  std::vector<std::string> versioned_forms(std::string_view soname, int train) const;

 private:
  Libraries(const std::vector<const Json*>& providers, const Json& driver, const Json& optional,
            const Json& brings);
  std::vector<Provider> providers_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_soname_;  ///< rows without a glob
  std::vector<std::size_t> globs_;                                          ///< the other rows
  std::vector<std::string> driver_;
  std::vector<std::string> driver_versioned_;
  const Json* brings_ = nullptr;
  std::string train_chooser_;
  std::vector<std::pair<std::string, std::string>> optional_;  ///< glob, runtime
};

/// A directory below site-packages (or `<prefix>/…`) as a path below the prefix.
std::string directory_below_prefix(std::string_view directory);

}  // namespace wheel_audit
