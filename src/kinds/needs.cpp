// All needs of a wheel: each judged in every closure, and whether something loaded earlier meets
// it.
#include "kinds/needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "kinds/need_judge.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

std::string origin_entry(const Placed& from, std::string_view directory) {
  std::vector<std::string_view> here = split(directory_name(from.path), '/');
  std::vector<std::string_view> there = split(directory, '/');
  std::size_t common = 0;
  while (common < here.size() && common < there.size() && here[common] == there[common]) ++common;
  std::string entry = "$ORIGIN";
  for (std::size_t i = common; i < here.size(); ++i) entry += "/..";
  for (std::size_t i = common; i < there.size(); ++i) entry += "/" + std::string(there[i]);
  return entry;
}

std::string add_entry_command(const Need& need, std::string_view entry) {
  const ElfFacts& elf = *need.from->elf;
  const bool inherits = std::ranges::any_of(need.entries(), [&](const AppliedEntry& applied) {
    return applied.owner != nullptr && applied.owner != need.from;
  });
  const bool rpath = !elf.has_runpath && (elf.has_rpath || inherits);
  return fmt::format("patchelf {}--add-rpath {}", rpath ? "--force-rpath " : "",
                     shell_quoted(entry));
}

namespace {

using Places = std::map<std::pair<const Placed*, std::string>, std::size_t>;

/// A need is met by what is loaded already, whatever its own entries say.
void note_loaded_before(const Subject& subject, std::vector<Need>& needs, const Places& places) {
  std::map<std::size_t, bool> always;  // need to: so in every closure yet
  for (const Libc libc : subject.libcs()) {
    for (const Closure& closure : subject.closures(libc)) {
      std::set<std::string_view> loaded;
      for (const Edge& edge : closure.edges) {
        const auto place = places.find({edge.from, edge.need});
        if (place == places.end()) continue;
        const bool before = loaded.contains(edge.need);
        const auto [known, fresh] = always.emplace(place->second, before);
        if (!fresh) known->second = known->second && before;
        if (needs[place->second].reached) loaded.insert(edge.need);
      }
    }
  }
  for (const auto& [index, before] : always) needs[index].loaded_before = before;
}

std::vector<Need> judged(const Subject& subject, const Libraries& libraries,
                         const Platforms& platforms) {
  const NeedJudge judge(subject, libraries, platforms);
  std::vector<Need> needs;
  Places places;
  for (const Libc libc : subject.libcs()) {
    for (const Closure& closure : subject.closures(libc)) {
      Chains chains(closure);
      std::map<const Placed*, std::shared_ptr<const std::vector<AppliedEntry>>> paths;
      for (const Edge& edge : closure.edges) {
        if (edge.from->wheel != &subject.wheel) continue;
        const auto path = [&] {
          auto& known = paths[edge.from];
          if (!known) {
            known = std::make_shared<const std::vector<AppliedEntry>>(
                search_path_of(*edge.from, chains.to(edge.from), libc));
          }
          return known;
        };
        const auto [place, fresh] = places.emplace(std::pair(edge.from, edge.need), needs.size());
        if (!fresh && needs[place->second].state != NeedState::met) continue;
        Need need = judge.judge(edge, path);
        if (fresh) {
          needs.push_back(std::move(need));
        } else {
          needs[place->second] = std::move(need);
        }
      }
    }
  }
  note_loaded_before(subject, needs, places);
  return needs;
}

}  // namespace

const std::vector<Need>& judge_needs(const Subject& subject, const Libraries& libraries,
                                     const Platforms& platforms) {
  return *subject.memo().get<std::vector<Need>>(
      {&libraries, &platforms}, [&] { return judged(subject, libraries, platforms); });
}

}  // namespace wheel_audit
