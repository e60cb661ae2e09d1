// One wheel while it is read: opened, its members scanned in any order by any thread, then put
// together.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scan/member.hpp"
#include "wheel_audit/archive.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/trim.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

/// A wheel being read.
struct ReadJob {
  std::optional<Archive> archive;
  WheelFacts facts;
  std::vector<MemberScan> scans;
  std::vector<MemberWishes> wishes;               ///< one for each member
  NameMap<std::string> other_digests;             ///< path to algorithm
  std::vector<std::vector<DefinedName>> defined;  ///< by each member
  std::size_t left = 0;                           ///< members still to scan; for who hands them out
};

/// Opens the archive and reads its texts. `job.facts.given` is set before; where the archive is
/// none, or has no members, there is nothing to scan.
void open_job(ReadJob& job, Result<Archive> archive, const ReadOptions& options);

/// Scans one member. `trim`: none where all symbols are wanted; `progress` and `relay`: null where
/// nobody watches, and where nobody may help.
void scan_one(ReadJob& job, std::size_t index, const std::optional<SymbolTrim>& trim,
              ReadProgress* progress, Relay* relay);

/// Puts the facts of a wheel together once every member is scanned, and closes the archive.
void assemble(ReadJob& job, const ReadOptions& options, const std::optional<SymbolTrim>& trim,
              ReadStats& stats);

/// What trims the symbols, where that is wished for.
std::optional<SymbolTrim> trim_of(const ReadOptions& options);

}  // namespace wheel_audit
