// A project's release table (schemas/release.json): its trains and rows, and which of them a wheel
// is of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/gpu.hpp"
#include "wheel_audit/rules.hpp"

namespace wheel_audit {

/// A CUDA train that is published.
struct ReleaseTrain {
  std::string name;     ///< `cu130`
  std::string runtime;  ///< `libcudart.so.13`
  std::vector<Requirement> packages;
  std::vector<std::string> directories;  ///< below the prefix, where the packages install
};

/// One train on one machine.
struct ReleaseRow {
  std::string train;
  std::string machine;
  std::vector<Arch> archs;  ///< with SASS
  Arch newest;              ///< the one with PTX
};

class Release {
 public:
  explicit Release(const Json& table);
  const std::vector<ReleaseTrain>& trains() const { return trains_; }
  /// `cu126, cu130, cu132`.
  std::string train_names() const;
  /// The train that the wheel claims, or nothing where it claims none of the table.
  const ReleaseTrain* train_of_claim(const Subject& subject) const;
  /// The same, but nothing where its libraries need the runtime of another train and none of its
  /// own: whose row it is is then in doubt.
  const ReleaseTrain* train_of(const Subject& subject) const;
  /// The row of that train (in doubt: nothing) and the machine of the wheel's tags, or nothing.
  const ReleaseRow* row_of(const Subject& subject) const;

 private:
  std::vector<ReleaseTrain> trains_;
  std::vector<ReleaseRow> rows_;
};

}  // namespace wheel_audit
