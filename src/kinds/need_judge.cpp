// Which provider a need has: the machine, the wheel itself, a given wheel, or a package of the
// tables that some requirement brings.
#include "kinds/need_judge.hpp"

#include <algorithm>

#include "kinds/trains.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

NeedJudge::NeedJudge(const Subject& subject, const Libraries& libraries, const Platforms& platforms)
    : subject_(subject), libraries_(libraries), platforms_(platforms) {
  const std::string& chooser = libraries.train_chooser();
  // What torch's own libraries need of torch brings nothing: torch has to declare it.
  const bool own =
      subject.wheel.name && normalize_name(subject.wheel.name->distribution) == chooser;
  const bool needs_torch =
      !own && std::ranges::any_of(subject.wheel.elves, [&](const ElfFacts& elf) {
        return std::ranges::any_of(elf.needed, [&](const std::string& name) {
          return std::ranges::any_of(
              libraries.providers(name, subject.expect),
              [&](const Provider& provider) { return provider.package == chooser; });
        });
      });
  if (needs_torch) torch_ = Applies::always;
  for (const Requirement& requirement : subject.requirements()) {
    const Applies applies = subject.applies(requirement);
    if (requirement.name == chooser && is_pinned_without_cuda(requirement) && rank(applies) >= 2) {
      torch_.reset();
      break;
    }
    const std::vector<std::string> brought = libraries.brought_by(requirement);
    const bool brings =
        requirement.name == chooser || std::ranges::find(brought, chooser) != brought.end();
    if (brings && rank(applies) > rank(torch_.value_or(Applies::never))) torch_ = applies;
  }
  train_ = subject.claim().major != 0 ? subject.claim().major : told_train();
  // A name that a root carries is needed by nothing in the wheel: it may be a plugin.
  for (const Placed* root : roots(subject.site(), subject.wheel)) roots_.insert(root);
  note_users();
  for (const MemberFacts& member : subject.wheel.members) {
    if (member.kind == MemberKind::directory || subject.index().elf(member.path) != nullptr)
      continue;
    other_files_.emplace(base_name(member.path), &member);
  }
}

Need NeedJudge::judge(const Edge& edge, const Path& path) const {
  Need need;
  need.from = edge.from;
  need.name = edge.need;
  // glibc opens a path as it is, and one with $ORIGIN may arrive; musl and other names do not.
  if (edge.need.find('/') != std::string::npos) return with(need, NeedState::path);
  if (edge.met != Met::absent) {
    const bool given = edge.to->wheel != &subject_.wheel && edge.to->wheel->name;
    if (given && !is_declared_or_promised(need, *edge.to)) {
      need.reached = true;
      judge_given(need, *edge.to);
    }
    return need;
  }
  need.path = path();
  if (libraries_.is_driver(edge.need)) {
    // Drivers install some under a versioned name alone.
    need.versioned = libraries_.versioned_forms(edge.need, train_);
    need.of_driver = true;
    return with(need, need.versioned.empty() ? NeedState::driver : NeedState::unversioned);
  }
  if (is_promised(edge.need, need.tag)) return with(need, NeedState::promised);
  if (find_in_site(need)) return need;
  if (const MemberFacts* member = file_named(need.name)) {
    need.file = member->path;
    if (is_unread(*member)) return with(need, NeedState::unreadable);
  }
  need.runtime = libraries_.optional_runtime(edge.need);
  const bool optional = !need.runtime.empty() && is_plugin(edge.from);
  if (find_provider(need)) {
    const bool brought = need.state != NeedState::undeclared;
    return brought || !optional ? need : with(need, NeedState::optional);
  }
  need.versioned = libraries_.versioned_forms(edge.need, train_);
  if (!need.versioned.empty()) return with(need, NeedState::unversioned);
  if (optional) return with(need, NeedState::optional);
  if (find_owner_by_name(need)) return need;
  return with(need, NeedState::missing);
}

bool NeedJudge::find_owner_by_name(Need& need) const {
  for (const AppliedEntry& applied : need.entries()) {
    for (const std::string& directory : applied.entry.directories) {
      const Requirement* owner = owner_by_name(subject_, directory);
      if (owner == nullptr) continue;
      need.provider.package = owner->name;
      need.provider.directories = {directory};
      need.reached = true;
      need.state = NeedState::declared;
      return true;
    }
  }
  return false;
}

Need NeedJudge::with(Need& need, NeedState state) {
  need.state = state;
  return std::move(need);
}

bool NeedJudge::is_promised(const std::string& name, std::string& lacking) const {
  if (!tags_promise(subject_)) return is_c_library(name) || !is_linux(subject_);
  bool some = false;
  for (const PlatformTag& tag : subject_.tags()) {
    const bool reserved = tag.libc == "musl" && is_of_musl(name);
    if (reserved || platforms_.promises_library(tag, name)) {
      some = true;
    } else if (lacking.empty()) {
      lacking = tag.tag;
    }
  }
  if (!some) lacking.clear();
  return some && lacking.empty();
}

bool NeedJudge::find_in_site(Need& need) const {
  const Placed* other = nullptr;
  for (const Placed* file : subject_.site().libraries_named(need.name)) {
    if (file->elf == nullptr || file->elf->machine != need.from->elf->machine) continue;
    if (file->wheel != &subject_.wheel) {
      if (other == nullptr) other = file;
      continue;
    }
    const bool by_name = base_name(file->path) == need.name;
    if (need.shipped != nullptr && !by_name) continue;
    need.shipped = file;
    need.state = by_name ? NeedState::shipped_elsewhere : NeedState::soname_only;
    if (by_name) return true;
  }
  // A copy of a CUDA library under another file name does not answer for the public name: the
  // package of that name does (cuda/bundled-toolkit judges the copy).
  const std::vector<Provider> rows = libraries_.providers(need.name, subject_.expect);
  const bool cuda = std::ranges::any_of(rows, &Provider::nvidia);
  if (need.shipped != nullptr && !cuda) return true;
  need.shipped = nullptr;
  if (other == nullptr || !other->wheel->name) return false;
  judge_given(need, *other);
  return true;
}

const MemberFacts* NeedJudge::file_named(std::string_view name) const {
  const auto found = other_files_.find(name);
  return found == other_files_.end() ? nullptr : found->second;
}

bool NeedJudge::is_unread(const MemberFacts& member) const {
  return std::ranges::any_of(subject_.wheel.unread, [&](const Unread& unread) {
    return unread.where == member.path && (unread.what == "elf" || unread.what == "member");
  });
}

void NeedJudge::judge_given(Need& need, const Placed& file) const {
  need.in_given_wheel = true;
  need.only_given = true;
  need.provider.package = normalize_name(file.wheel->name->distribution);
  for (const Provider& known : libraries_.providers(need.name, subject_.expect)) {
    if (known.package != need.provider.package) continue;
    need.provider = known;
    need.only_given = false;
  }
  need.provider.soname = need.name;
  need.provider.directories = {std::string(directory_name(file.path))};
  judge_declared(need, {need.provider}, declared(subject_, need.provider));
}

void NeedJudge::judge_declared(Need& need, const std::vector<Provider>& candidates,
                               const std::optional<Applies>& applies) const {
  const int direct = applies ? rank(*applies) : 0;
  need.applies = applies.value_or(Applies::never);
  if (direct == 3) {
    need.state = NeedState::declared;
  } else if (find_bringer(need, candidates, direct)) {
    return;
  } else if (need.provider.nvidia() && torch_ && rank(*torch_) > std::min(direct, 1)) {
    judge_by_torch(need);
  } else {
    need.state = direct > 0 ? NeedState::declared_partly : NeedState::undeclared;
  }
}

bool NeedJudge::is_declared_or_promised(const Need& need, const Placed& file) const {
  std::string lacking;
  if (libraries_.is_driver(need.name) || is_promised(need.name, lacking)) return true;
  Provider provider;
  provider.package = normalize_name(file.wheel->name->distribution);
  const std::optional<Applies> applies = declared(subject_, provider);
  return applies && rank(*applies) == 3;
}

bool NeedJudge::find_provider(Need& need) const {
  std::vector<Provider> candidates = libraries_.providers(need.name, subject_.expect);
  // A given wheel that a table credits with the library and that does not hold it does not count.
  std::erase_if(candidates,
                [&](const Provider& candidate) { return is_given(subject_, candidate.package); });
  std::erase_if(candidates, [&](const Provider& candidate) {
    return candidate.only_declared &&
           rank(declared(subject_, candidate).value_or(Applies::never)) < 2;
  });
  if (candidates.empty()) return false;
  // Of two that one requirement brings, the wheel's train counts (`tensorrt`).
  // Not std::ranges::stable_partition: clang 14 does not compile libstdc++'s.
  std::stable_partition(candidates.begin(), candidates.end(),
                        [&](const Provider& candidate) { return candidate.train == train_; });
  std::optional<Applies> best;
  need.provider = preferred(candidates);
  for (const Provider& candidate : candidates) {
    const std::optional<Applies> applies = declared(subject_, candidate);
    if (!applies || (best && rank(*applies) <= rank(*best))) continue;
    best = applies;
    need.provider = candidate;
  }
  const bool known_directory = !need.provider.directories.empty();
  need.reached =
      known_directory && std::ranges::any_of(need.entries(), [&](const AppliedEntry& applied) {
        return leads_to_provider(applied.entry, need.provider);
      });
  judge_declared(need, candidates, best);
  return true;
}

void NeedJudge::judge_by_torch(Need& need) const {
  need.via = libraries_.train_chooser();
  need.applies = *torch_;
  need.state = rank(*torch_) >= 2 ? NeedState::indirect : NeedState::declared_partly;
}

bool NeedJudge::find_bringer(Need& need, const std::vector<Provider>& candidates, int best) const {
  const int direct = best;
  for (const Requirement& requirement : subject_.requirements()) {
    const std::vector<std::string> brought = libraries_.brought_by(requirement);
    for (const Provider& candidate : candidates) {
      if (std::ranges::find(brought, candidate.package) == brought.end()) continue;
      const Applies applies = subject_.applies(requirement);
      if (rank(applies) <= best) continue;
      best = rank(applies);
      need.provider = candidate;
      need.via = requirement.name;
      need.applies = applies;
      need.state = best >= 2 ? NeedState::indirect : NeedState::declared_partly;
    }
  }
  return best > direct;
}

bool NeedJudge::leads_to_provider(const SearchEntry& entry, const Provider& provider) {
  return std::ranges::any_of(entry.directories, [&](const std::string& directory) {
    return std::ranges::find(provider.directories, directory) != provider.directories.end();
  });
}

Provider NeedJudge::preferred(const std::vector<Provider>& candidates) const {
  for (const Provider& candidate : candidates) {
    if (candidate.train != 0 && candidate.train == train_) return candidate;
  }
  return candidates.front();
}

int NeedJudge::told_train() const {
  std::set<int> told;
  for (const ElfFacts& elf : subject_.wheel.elves) {
    for (const std::string& name : elf.needed) told.insert(train_of_soname(libraries_, name));
  }
  told.erase(0);
  return told.size() == 1 ? *told.begin() : 0;
}

}  // namespace wheel_audit
