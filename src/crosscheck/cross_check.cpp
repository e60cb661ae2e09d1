// Each ELF member is read again in a child process, which sends back one JSON line. LIEF holds a
// file whole and some files crash it; neither must be the audit's problem.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "crosscheck/view.hpp"
#include "wheel_audit/archive.hpp"
#include "wheel_audit/crosscheck.hpp"
#include "wheel_audit/text.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WHEEL_AUDIT_SHADOW_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WHEEL_AUDIT_SHADOW_MEMORY 1
#endif
#endif

namespace wheel_audit {

namespace {

constexpr std::uint64_t kLargest = 1ULL << 30U;  // bytes of a member that LIEF is given
[[maybe_unused]] constexpr rlim_t kMostMemory = 6ULL << 30U;  // of a child
constexpr rlim_t kMostSeconds = 120;                          // of processor time of a child
constexpr std::size_t kLongestAnswer = 256U << 20U;           // bytes of a child's line

Json text_or_null(bool present, const std::vector<std::string>& entries) {
  return present ? Json(join(entries, ":")) : Json();
}

/// Our own facts in the form of lief_view.
Json own_view(const ElfFacts& elf) {
  std::map<std::string, std::set<std::string>> needs;
  for (const VersionNeed& need : elf.version_needs) needs[need.library].insert(need.version);
  Json versions = Json::object();
  for (const auto& [library, names] : needs)
    versions.set(library, std::vector<std::string>(names.begin(), names.end()));
  Json view = Json::object();
  view.set("class", elf.bits);
  view.set("machine", static_cast<int>(elf.machine_code));
  view.set("soname", elf.soname.empty() ? Json() : Json(elf.soname));
  view.set("needed", elf.needed);
  view.set("rpath", text_or_null(elf.has_rpath, elf.rpath));
  view.set("runpath", text_or_null(elf.has_runpath, elf.runpath));
  view.set("needs_versions", std::move(versions));
  view.set("exports", elf.exports);
  view.set("imports", elf.imports);
  return view;
}

/// A child that reads one member, and the end of its pipe that we hold.
struct Child {
  const ElfFacts* elf = nullptr;
  pid_t process = -1;
  int answer = -1;
  std::string problem;  ///< why there is no child
};

Result<std::vector<std::uint8_t>> bytes_of(const WheelFacts& wheel, const ElfFacts& elf) {
  // The child opens the archive itself: file positions of the parent's are shared by all children.
  Result<Archive> archive = Archive::open(wheel.given);
  if (!archive) return archive.error();
  const auto& members = archive->members();
  const auto found = std::ranges::find(members, elf.path, &ArchiveMember::path);
  if (found == members.end()) return Error("the member is gone: the wheel was replaced");
  if (found->size > kLargest)
    return Error(fmt::format("has {} bytes; LIEF is given at most {}", found->size, kLargest));
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(found->size));
  const Result<void> streamed =
      archive->stream(static_cast<std::size_t>(found - members.begin()), [&](ByteView chunk) {
        bytes.insert(bytes.end(), chunk.span().begin(), chunk.span().end());
        return true;
      });
  if (!streamed) return streamed.error();
  return bytes;
}

void bound(int resource, rlim_t most) {
  rlimit limit{};
  ::getrlimit(resource, &limit);
  limit.rlim_cur = std::min(most, limit.rlim_max);
  ::setrlimit(resource, &limit);
}

/// The child's whole life.
[[noreturn]] void answer_and_leave(const WheelFacts& wheel, const ElfFacts& elf, int pipe) {
  bound(RLIMIT_CPU, kMostSeconds);
  bound(RLIMIT_CORE, 0);
#ifndef WHEEL_AUDIT_SHADOW_MEMORY
  bound(RLIMIT_AS, kMostMemory);
#endif
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {  // what a parser prints is no part of our output
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  Result<std::vector<std::uint8_t>> bytes = bytes_of(wheel, elf);
  Result<Json> view = bytes ? lief_view(*bytes) : Result<Json>(bytes.error());
  Json said = view ? std::move(*view) : Json::object();
  if (!view) said.set("problem", view.error().message());
  std::string line = said.dump();
  std::string_view left = line;
  while (!left.empty()) {
    const ssize_t written = ::write(pipe, left.data(), left.size());
    if (written <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  ::_exit(left.empty() ? 0 : 1);
}

Child start(const WheelFacts& wheel, const ElfFacts& elf) {
  Child child{&elf, -1, -1, {}};
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    child.problem = std::strerror(errno);
    return child;
  }
  child.process = ::fork();
  if (child.process == 0) {
    ::close(ends[0]);
    answer_and_leave(wheel, elf, ends[1]);
  }
  if (child.process < 0) child.problem = std::strerror(errno);
  ::close(ends[1]);
  child.answer = ends[0];
  return child;
}

/// What the child said, or why it said nothing.
Result<Json> finish(Child& child) {
  std::string line;
  std::array<char, 1U << 16U> buffer{};
  while (child.answer >= 0 && line.size() < kLongestAnswer) {
    const ssize_t got = ::read(child.answer, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    line.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (child.answer >= 0) ::close(child.answer);
  if (child.process < 0) return Error(child.problem);
  int status = 0;
  while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return Error(fmt::format("LIEF ended with a signal: {}", ::strsignal(WTERMSIG(status))));
  Result<Json> said = Json::parse(line);
  if (!said || !said->is_object()) return Error("LIEF's process left without an answer");
  if (const Json* problem = said->find("problem")) return Error(problem->as_string());
  return said;
}

Finding not_checked(const ElfFacts& elf, const std::string& reason) {
  Finding finding;
  finding.rule = "check/not-cross-checked";
  finding.severity = Severity::note;
  finding.where = elf.path;
  finding.message = "LIEF cannot read it: " + reason;
  finding.evidence = {{"found", reason}};
  finding.fix = "nothing where LIEF's limits are the cause; readelf -dV shows what to compare";
  return finding;
}

/// A value as evidence: what is too long to show is cut.
std::string shown(const Json& value) {
  constexpr std::size_t kMost = 2000;
  std::string text = value.is_string() ? value.as_string() : value.dump();
  if (text.size() > kMost) text = text.substr(0, kMost) + fmt::format("… ({} bytes)", text.size());
  return text;
}

Finding disagreement(const ElfFacts& elf, const std::string& fact, const Json& own,
                     const Json& other) {
  Finding finding;
  finding.rule = "check/readers-disagree";
  finding.severity = Severity::error;
  finding.where = elf.path;
  finding.subject = fact;
  finding.message = fmt::format("two parsers read {} differently: {} here, {} by LIEF", fact,
                                shown(own), shown(other));
  finding.evidence = {{"fact", fact}, {"wheel-audit", shown(own)}, {"lief", shown(other)}};
  finding.fix =
      "see which one is right (readelf -dVW), and link the file again if it is malformed; a loader "
      "may read it like either of them";
  return finding;
}

void compare(Child& child, std::vector<Finding>& findings) {
  const ElfFacts& elf = *child.elf;
  const Result<Json> other = finish(child);
  if (!other) {
    findings.push_back(not_checked(elf, other.error().message()));
    return;
  }
  const Json view = own_view(elf);
  for (const auto& [fact, own] : view.entries()) {
    const Json* said = other->find(fact);
    // As printed: text that is not UTF-8 came through the pipe escaped.
    if (said != nullptr && said->dump() != own.dump())
      findings.push_back(disagreement(elf, fact, own, *said));
  }
}

}  // namespace

std::vector<Finding> cross_check(const WheelFacts& wheel, unsigned jobs) {
  std::vector<Finding> findings;
  if (!has_second_reader()) return findings;
  std::deque<Child> running;
  for (const ElfFacts& elf : wheel.elves) {
    if (running.size() >= std::max(1U, jobs)) {
      compare(running.front(), findings);
      running.pop_front();
    }
    running.push_back(start(wheel, elf));
  }
  for (Child& child : running) compare(child, findings);
  return findings;
}

}  // namespace wheel_audit
