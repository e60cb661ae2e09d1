// Questions about the CUDA libraries that a wheel needs: which package brings them, whether the
// search path arrives where that package installs, and which train they tell.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "kinds/groups.hpp"
#include "kinds/needs.hpp"
#include "wheel_audit/search_entry.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

bool is_cuda(const Need& need) { return need.provider.nvidia(); }

/// The requirement that declares a provider's package, with the bounds that its train asks for.
std::string requirement_for(const Provider& provider) {
  if (provider.major == 0) return provider.package;
  return fmt::format("{}>={},<{}", provider.package, provider.major, provider.major + 1);
}

Fault undeclared(const Need& need) {
  const bool never = need.state == NeedState::declared_partly;
  const std::string found =
      never ? std::string(when_words(need.applies)) : "no requirement brings it";
  return {.where = need.from->member->path,
          .message = fmt::format("needs {}, which {} provides and METADATA does not declare{}",
                                 need.name, need.provider.package, never ? " (" + found + ")" : ""),
          .evidence = {{"soname", need.name},
                       {"package", need.provider.package},
                       {"requirement", requirement_for(need.provider)},
                       {"train", std::to_string(need.provider.train)},
                       {"found", found},
                       {"expected", "Requires-Dist: " + requirement_for(need.provider)}},
          .subject = need.name,
          .fix = {}};
}

Fault partly(const Need& need) {
  return {.where = need.from->member->path,
          .message = fmt::format("needs {}, and METADATA declares {} {}", need.name,
                                 need.provider.package, when_words(need.applies)),
          .evidence = {{"soname", need.name},
                       {"package", need.provider.package},
                       {"requirement", requirement_for(need.provider)},
                       {"train", std::to_string(need.provider.train)},
                       {"found", std::string(when_words(need.applies))},
                       {"expected", "declared for every environment of the tags"}},
          .subject = need.name,
          .fix = {}};
}

Fault indirect(const Need& need) {
  return {.where = need.from->member->path,
          .message =
              fmt::format("needs {} of {}, which only {} may bring: the train is then its choice",
                          need.name, need.provider.package, need.via),
          .evidence = {{"soname", need.name},
                       {"package", need.provider.package},
                       {"requirement", requirement_for(need.provider)},
                       {"train", std::to_string(need.provider.train)},
                       {"via", need.via},
                       {"found", "brought by " + need.via},
                       {"expected", "Requires-Dist: " + requirement_for(need.provider)}},
          .subject = need.name,
          .fix = {}};
}

Fault unversioned(const Need& need) {
  Fault fault{.where = need.from->member->path,
              .message = fmt::format("needs {}: {} versioned names only", need.name,
                                     need.of_driver ? "the GPU driver installs" : "packages ship"),
              .evidence = {{"soname", need.name},
                           {"found", need.name},
                           {"expected", join(need.versioned, " or ")}},
              .subject = need.name,
              .fix = {}};
  // A script may put a name in its place only where no other can be meant.
  if (need.versioned.size() == 1) fault.evidence.emplace_back("versioned", need.versioned.front());
  return fault;
}

/// Whether an entry's directory looks like one of NVIDIA's packages: a `nvidia` part in its path.
bool aims_at_nvidia(const SearchEntry& entry) {
  return std::ranges::any_of(split(entry.text, '/'),
                             [](std::string_view part) { return part == "nvidia"; });
}

std::string first_aimed(const Need& need) {
  const auto found = std::ranges::find_if(
      need.entries(), [](const AppliedEntry& applied) { return aims_at_nvidia(applied.entry); });
  return found == need.entries().end() ? std::string() : found->entry.text;
}

std::string where_it_leads(const SearchEntry& entry) {
  if (entry.type == SearchEntry::Type::absolute)
    return fmt::format("\"{}\" is a directory of the machine", entry.text);
  if (entry.directories.empty())
    return fmt::format("\"{}\" starts at the working directory", entry.text);
  return fmt::format("\"{}\" resolves to {}", entry.text, shown_path(entry.directories.front()));
}

/// A declared need whose entries do not arrive: `missing-hop` where some aim at NVIDIA directories,
/// `no-hop` where none does.
Fault hop(const Need& need, bool aimed) {
  const std::string& directory = need.provider.directories.front();
  const std::string entry = origin_entry(*need.from, directory);
  constexpr std::size_t kShown = 32;
  std::size_t shown = 0;
  std::string resolved;
  for (const AppliedEntry& applied : need.entries()) {
    if (!aims_at_nvidia(applied.entry) || ++shown > kShown) continue;
    resolved += (resolved.empty() ? "" : ", ") + where_it_leads(applied.entry);
  }
  const std::string found = aimed ? resolved : "no entry aims at an NVIDIA directory";
  return {.where = need.from->member->path,
          .message = fmt::format("needs {}: {}; {} installs to {}", need.name, found,
                                 need.provider.package, shown_path(directory)),
          .evidence = {{"soname", need.name},
                       {"package", need.provider.package},
                       {"entry", aimed ? first_aimed(need) : std::string()},
                       {"found", found},
                       {"expected", entry},
                       {"command", add_entry_command(need, entry)}},
          .subject = need.name,
          .fix = {}};
}

bool is_aimed(const Need& need) { return !first_aimed(need).empty(); }

bool fails_to_arrive(const Need& need) {
  return is_cuda(need) && need.state == NeedState::declared && !need.reached;
}

/// The questions of `cuda.need`, by the word of its parameter `is`.
struct Question {
  std::string_view word;
  bool (*holds)(const Need&);
};

const Question kQuestions[] = {
    {"undeclared", [](const Need& need) { return is_cuda(need) && need.is_undeclared(); }},
    {"partly",
     [](const Need& need) {
       return is_cuda(need) && need.state == NeedState::declared_partly &&
              need.applies != Applies::never;
     }},
    {"indirect",
     [](const Need& need) { return is_cuda(need) && need.state == NeedState::indirect; }},
    {"unversioned", [](const Need& need) { return need.state == NeedState::unversioned; }},
    {"missing-hop", [](const Need& need) { return fails_to_arrive(need) && is_aimed(need); }},
    {"no-hop",
     [](const Need& need) {
       return fails_to_arrive(need) && !is_aimed(need) && !need.loaded_before;
     }},
};

Fault describe(std::string_view word, const Need& need) {
  if (word == "undeclared") return undeclared(need);
  if (word == "partly") return partly(need);
  if (word == "indirect") return indirect(need);
  if (word == "unversioned") return unversioned(need);
  return hop(need, word == "missing-hop");
}

/// `cuda.need`: needs of CUDA libraries in the state that parameter `is` names.
Check need(Params& params) {
  std::vector<std::string> words;
  for (const Question& question : kQuestions) words.emplace_back(question.word);
  const std::string word = params.word("is", words);
  const auto tables = Libraries::of(params);
  const auto platforms = Platforms::of(params);
  const Question* question = std::ranges::find(kQuestions, word, &Question::word);
  return [tables, platforms, question](const Subject& subject, Report& report) {
    Looked looked = Looked::nothing;
    for (const Need& found : judge_needs(subject, *tables, *platforms)) {
      if (is_cuda(found) || found.state == NeedState::unversioned) looked = Looked::something;
      if (question->holds(found)) report(describe(question->word, found));
    }
    return looked;
  };
}

/// The directories where the declared NVIDIA packages install.
std::set<std::string> wanted_directories(const Subject& subject, const Libraries& libraries) {
  std::set<std::string> directories;
  for (const Provider& provider : libraries.all()) {
    const std::optional<Applies> applies = declared(subject, provider);
    if (!provider.nvidia() || !applies || *applies == Applies::never) continue;
    directories.insert(provider.directories.begin(), provider.directories.end());
  }
  return directories;
}

/// `cuda.stale-hop`: entries to NVIDIA directories that no declared package installs, beside one
/// that arrives.
Check stale_hop(Params& params) {
  const auto tables = Libraries::of(params);
  return [tables](const Subject& subject, Report& report) {
    const Libraries& libraries = *tables;
    const std::set<std::string> wanted = wanted_directories(subject, libraries);
    Looked looked = Looked::nothing;
    for (const ElfFacts* elf : judged_elves(subject)) {
      const Placed* placed = subject.site().of(subject.wheel, elf->path);
      if (placed == nullptr) continue;
      bool arrives = false;
      std::vector<SearchEntry> stale;
      for (const std::string& text : elf->search_path()) {
        SearchEntry entry = search_entry(text, *placed);
        if (!aims_at_nvidia(entry) || entry.directories.empty()) continue;
        looked = Looked::something;
        const std::string& directory = entry.directories.front();
        if (wanted.contains(directory) || subject.site().is_directory(directory)) {
          arrives = true;
        } else {
          stale.push_back(std::move(entry));
        }
      }
      if (!arrives) continue;
      for (const SearchEntry& entry : stale) {
        report(
            {.where = elf->path,
             .message =
                 fmt::format("search entry \"{}\" leads to {}, which no declared package installs",
                             entry.text, shown_path(entry.directories.front())),
             .evidence = {{"entry", entry.text}, {"found", shown_path(entry.directories.front())}},
             .subject = entry.text,
             .fix = {}});
      }
    }
    return looked;
  };
}

}  // namespace

std::vector<Kind> cuda_need_kinds() { return {{"cuda.need", need}, {"cuda.stale-hop", stale_hop}}; }

}  // namespace wheel_audit
