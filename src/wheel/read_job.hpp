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
  std::vector<MemberWishes> wishes;  ///< one for each member
  std::size_t left = 0;              ///< steps still to do; for who hands them out
};

/// Takes the archive and lists what is wanted of its members. `job.facts.given` is set before;
/// where the archive is none, or has no members, there is nothing to scan. The digests that RECORD
/// asks for are not known yet.
void open_job(ReadJob& job, Result<Archive> archive, const ReadOptions& options);

/// Reads the texts. Members can be scanned meanwhile, unless they are digested.
void read_job_texts(ReadJob& job, const ReadOptions& options);

/// Holds the second reader's view against the archive. Members can be scanned meanwhile.
void compare_job(ReadJob& job);

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
