// Scans one member: decodes it once, hands each chunk to whoever wants it, and streams it again
// only for ranges that the ELF reader missed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wheel_audit/archive.hpp"
#include "wheel_audit/facts.hpp"
#include "wheel_audit/read_progress.hpp"
#include "wheel_audit/trim.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

class Relay;

/// What is wanted of a member.
struct MemberWishes {
  bool hash = true;
  std::string other_digest;                      ///< `sha512` where RECORD asks for it; else empty
  bool header = false;                           ///< its includes
  bool cmake = false;                            ///< its commands
  const std::vector<PathWish>* paths = nullptr;  ///< looked for among the strings of ELF files
  bool past_budget = false;          ///< the texts before it took what is read of one wheel
  ReadProgress* progress = nullptr;  ///< told of the bytes read, where somebody watches
  Relay* relay = nullptr;            ///< by which another thread may scan what is decoded
  const SymbolTrim* trim = nullptr;  ///< what symbols are kept; null for all
  bool text() const { return header || cmake; }
};

/// What one member turned out to be.
struct MemberScan {
  MemberFacts facts;
  // Most members have none of these, and an archive may list a hundred thousand members.
  std::unique_ptr<ElfFacts> elf;
  std::unique_ptr<GpuFacts> gpu;
  std::unique_ptr<ObjectFacts> object;
  std::unique_ptr<HeaderFacts> header;
  std::unique_ptr<CMakeFacts> cmake;
  std::vector<DefinedName> defined;  ///< by the ELF file, where its symbols are trimmed
  std::string other_digest;          ///< hex
  std::vector<ArchiveProblem> problems;
  std::vector<Unread> unread;
  ReadStats stats;
};

MemberScan scan_member(const Archive& archive, std::size_t index, const MemberWishes& wishes);

}  // namespace wheel_audit
