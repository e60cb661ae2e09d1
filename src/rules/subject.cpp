#include "wheel_audit/subject.hpp"

#include <algorithm>
#include <mutex>

#include "wheel_audit/variant.hpp"

namespace wheel_audit {

struct Subject::Lazy {
  Claim claim;
  std::vector<ArchEntry> row;
  std::vector<PlatformTag> tags;
  std::vector<Libc> libcs;
  std::vector<Requirement> requirements;
  std::vector<std::string> extras;
  std::vector<Environment> environments;
  std::map<std::string, Applies> own_extras;  ///< that the wheel's own requirements ask for
  // Rules ask side by side; who comes first works it out.
  std::once_flag site_once;
  Site site;
  std::mutex closures_mutex;
  std::map<Libc, Closures> closures;
  Memo memo;
};

namespace {

/// The claim with `--train` in its place where the wheel makes none.
Claim claim_with(const WheelFacts& wheel, const std::string& train) {
  if (train.empty() || wheel.claim.of_gpu_code()) return wheel.claim;
  Claim claim = claim_of_local_version(train);
  claim.from = "--train";
  const bool says_other = !wheel.claim.accelerator.empty() && wheel.claim.major != claim.major;
  return says_other ? wheel.claim : claim;
}

/// The row that a variant label promises. Readers keep no value that is no architecture.
std::vector<ArchEntry> row_of_variant(const std::vector<VariantProperty>& properties) {
  std::vector<ArchEntry> row;
  for (const VariantProperty& property : properties) {
    if (property.space != "nvidia" || property.feature != "sm_arch") continue;
    for (const std::string& value : property.values) {
      const Result<std::vector<ArchEntry>> entries = parse_sm_arch(value);
      if (entries) row.insert(row.end(), entries->begin(), entries->end());
    }
  }
  return row;
}

std::vector<Libc> libcs_of(const std::vector<PlatformTag>& tags) {
  std::vector<Libc> found;
  for (const PlatformTag& tag : tags) {
    const Libc libc = tag.libc == "musl" ? Libc::musl : Libc::glibc;
    if (std::ranges::find(found, libc) == found.end()) found.push_back(libc);
  }
  if (found.empty()) found.push_back(Libc::glibc);
  return found;
}

}  // namespace

Subject::Subject(const WheelFacts& facts, const Expectations& expectations, const Context& others)
    : wheel(facts), expect(expectations), context(others), lazy_(std::make_unique<Lazy>()) {
  lazy_->claim = claim_with(wheel, expect.train);
  lazy_->row = expect.archs.empty() ? row_of_variant(wheel.variant_properties) : expect.archs;
  if (wheel.name) lazy_->tags = linux_tags(wheel.name->platform);
  lazy_->libcs = libcs_of(lazy_->tags);
  lazy_->environments = environments_of(wheel);
  if (!wheel.metadata) return;
  for (const std::string& text : wheel.metadata->all("Requires-Dist")) {
    Result<Requirement> requirement = parse_requirement(text);
    if (requirement) lazy_->requirements.push_back(std::move(*requirement));
  }
  for (const std::string& extra : wheel.metadata->all("Provides-Extra")) {
    lazy_->extras.push_back(normalize_name(extra));
  }
  if (!wheel.name) return;
  // A requirement for the wheel itself (`demo[cuda]`) asks for its own extra; one under such an
  // extra may ask for the next.
  const std::string own = normalize_name(wheel.name->distribution);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Requirement& requirement : lazy_->requirements) {
      if (requirement.name != own || requirement.extras.empty()) continue;
      const Applies when = applies(requirement);
      if (when != Applies::always && when != Applies::sometimes) continue;
      for (const std::string& extra : requirement.extras)
        changed = lazy_->own_extras.emplace(extra, when).second || changed;
    }
  }
}

Subject::~Subject() = default;

Memo& Subject::memo() const { return lazy_->memo; }
const std::vector<ArchEntry>& Subject::row() const { return lazy_->row; }
const Claim& Subject::claim() const { return lazy_->claim; }
const std::vector<PlatformTag>& Subject::tags() const { return lazy_->tags; }
const std::vector<Libc>& Subject::libcs() const { return lazy_->libcs; }
const std::vector<Requirement>& Subject::requirements() const { return lazy_->requirements; }
const std::vector<Environment>& Subject::environments() const { return lazy_->environments; }

Applies Subject::applies(const Requirement& requirement) const {
  const Applies plain = applies_in(requirement, lazy_->environments, lazy_->extras);
  if (plain != Applies::under_extra) return plain;
  Applies best = plain;
  for (const auto& [extra, when] : lazy_->own_extras) {
    std::vector<Environment> environments = lazy_->environments;
    for (Environment& environment : environments) environment["extra"] = extra;
    const Applies now = applies_in(requirement, environments, {});
    if (now == Applies::never || best == Applies::always) continue;
    best = when == Applies::always ? now : Applies::sometimes;
  }
  return best;
}

std::optional<Applies> Subject::declared(std::string_view package) const {
  // From the weakest to the strongest way in which a requirement can apply.
  constexpr Applies kOrder[] = {Applies::never, Applies::under_extra, Applies::sometimes,
                                Applies::always};
  const auto rank = [&](Applies applies) {
    return std::ranges::find(kOrder, applies) - std::begin(kOrder);
  };
  std::optional<Applies> best;
  for (const Requirement& requirement : lazy_->requirements) {
    if (requirement.name != package) continue;
    const Applies now = applies(requirement);
    if (!best || rank(now) > rank(*best)) best = now;
  }
  return best;
}

const Site& Subject::site() const {
  std::call_once(lazy_->site_once, [&] {
    lazy_->site.add(wheel);
    for (const WheelFacts* other : context.wheels) lazy_->site.add(*other);
  });
  return lazy_->site;
}

const std::vector<Closure>& Subject::closures(Libc libc) const {
  const std::scoped_lock lock(lazy_->closures_mutex);
  const auto found = lazy_->closures.find(libc);
  if (found != lazy_->closures.end()) return found->second.list;
  return lazy_->closures.emplace(libc, closures_of(site(), wheel, libc)).first->second.list;
}

bool Subject::closures_cut() const {
  const std::scoped_lock lock(lazy_->closures_mutex);
  return std::ranges::any_of(lazy_->closures, [](const auto& of) { return of.second.cut; });
}

}  // namespace wheel_audit
