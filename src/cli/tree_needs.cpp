// What tree says of needs without a file, judged by the tables of the shipped linux rules.
#include "cli/tree_needs.hpp"

#include <fmt/format.h>

#include "kinds/honest_tag.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// The tables that linux/missing-library and its kin are asked with.
Json table_names() {
  Json providers = Json::array();
  providers.push("cuda/sonames");
  providers.push("linux/providers");
  Json names = Json::object();
  names.append("providers", std::move(providers));
  names.append("driver", "cuda/driver");
  names.append("optional", "linux/optional-runtimes");
  names.append("brings", "cuda/brings");
  names.append("platforms", "linux/platform-tags");
  return names;
}

std::string reached_words(const Need& need) {
  return need.reached ? "" : "; no search entry leads there, so it has to be loaded before";
}

Outside outside(const Need& need) {
  const std::string& package = need.provider.package;
  switch (need.state) {
    case NeedState::met:
      return {"met", "met", package, false};
    case NeedState::promised:
      return {"promised", "promised by the platform tag", {}, false};
    case NeedState::driver:
      return {"driver", "the GPU driver's", {}, false};
    case NeedState::path:
      return {"path", "UNRESOLVED: a path, for which nothing is searched", {}, true};
    case NeedState::shipped_elsewhere:
      return {"unreachable",
              fmt::format("UNRESOLVED: shipped as {}, where no search entry leads",
                          shown_path(need.shipped->path)),
              {},
              true};
    case NeedState::soname_only:
      return {"other-file-name",
              fmt::format("UNRESOLVED: shipped under another file name, {}",
                          shown_path(need.shipped->path)),
              {},
              true};
    case NeedState::declared:
      return {"declared", fmt::format("{} brings it{}", package, reached_words(need)), package,
              false};
    case NeedState::declared_partly:
      if (need.is_undeclared()) break;
      return {"declared-partly",
              fmt::format("{} brings it, which is declared {}", package,
                          need.applies == Applies::under_extra ? "under an extra"
                                                               : "for some environments"),
              package, false};
    case NeedState::indirect:
      return {"indirect", fmt::format("{} of {} brings it", package, need.via), package, false};
    case NeedState::undeclared:
      break;
    case NeedState::unversioned:
      return {"unversioned", "UNRESOLVED: installed under versioned names only", {}, true};
    case NeedState::unreadable:
      return {"unreadable",
              fmt::format("UNRESOLVED: shipped as {}, which could not be read", need.file),
              {},
              true};
    case NeedState::optional:
      return {"optional", fmt::format("of {}, which is optional", need.runtime), {}, false};
    case NeedState::missing:
      return {"missing", "UNRESOLVED: nothing known provides it", {}, true};
  }
  return {"undeclared", fmt::format("UNRESOLVED: {} ships it, and nothing declares it", package),
          package, true};
}

}  // namespace

OutsideNeeds::OutsideNeeds(const Subject& subject, const RuleSet& rules) {
  const Json names = table_names();
  Params params(names, *rules.tables);
  const auto libraries = Libraries::of(params);
  const auto platforms = Platforms::of(params);
  for (const Need& need : judge_needs(subject, *libraries, *platforms)) {
    known_.emplace(std::pair(need.from, need.name), outside(need));
  }
}

const Outside& OutsideNeeds::of(const Edge& edge) const {
  const auto found = known_.find(std::pair(edge.from, edge.need));
  return found == known_.end() ? other_ : found->second;
}

std::string honest_tag_of(const Subject& subject, const RuleSet& rules) {
  const Json names = table_names();
  Params params(names, *rules.tables);
  return honest_tags(subject, *Platforms::of(params));
}

}  // namespace wheel_audit::cli
