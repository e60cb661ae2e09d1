// What follows from the facts of one wheel, worked out when a rule first asks.
#include "wheel_audit/subject.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <set>

#include "wheel_audit/variant.hpp"

namespace wheel_audit {

struct Subject::Lazy {
  Claim claim;
  std::vector<ArchEntry> row;
  std::vector<PlatformTag> tags;
  std::vector<Libc> libcs;
  std::vector<Requirement> requirements;
  std::vector<Environment> environments;
  std::vector<Applies> applies;  ///< of each requirement
  bool extras_cut = false;
  // Rules ask side by side; who comes first works it out.
  std::once_flag index_once;
  std::optional<FactsIndex> index;
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

/// What of an environment tags tell.
std::set<std::string> places_of(const WheelFacts& wheel) {
  std::set<std::string> places;
  const std::vector<Libc> libcs =
      libcs_of(wheel.name ? linux_tags(wheel.name->platform) : std::vector<PlatformTag>());
  for (const Environment& environment : environments_of(wheel)) {
    for (const Libc libc : libcs) {
      std::string place = libc == Libc::musl ? "musl" : "";
      for (const char* key :
           {"implementation_name", "python_version", "sys_platform", "platform_machine"}) {
        const auto value = environment.find(key);
        if (value != environment.end()) place += "/" + value->second;
      }
      places.insert(std::move(place));
    }
  }
  return places;
}

/// The given wheels, of several of one project the newest that can lie beside the wheel; all of a
/// project of which none can.
Context fitting(const WheelFacts& wheel, const Context& given) {
  std::map<std::string, std::vector<const WheelFacts*>> projects;
  for (const WheelFacts* other : given.wheels) {
    if (other->name) projects[normalize_name(other->name->distribution)].push_back(other);
  }
  std::set<const WheelFacts*> left_out;
  std::optional<std::set<std::string>> own;
  for (const auto& [project, wheels] : projects) {
    if (wheels.size() == 1) continue;
    if (!own) own = places_of(wheel);
    const WheelFacts* best = nullptr;
    for (const WheelFacts* other : wheels) {
      const std::set<std::string> places = places_of(*other);
      const bool fits = std::ranges::any_of(
          places, [&](const std::string& place) { return own->contains(place); });
      if (!fits) continue;
      const Result<Version> version = escaped_version(other->name->version);
      const Result<Version> known =
          best == nullptr ? Error("none") : escaped_version(best->name->version);
      if (best == nullptr || (version && known && *known < *version)) best = other;
    }
    if (best == nullptr) continue;
    for (const WheelFacts* other : wheels) {
      if (other != best) left_out.insert(other);
    }
  }
  Context context;
  std::ranges::copy_if(given.wheels, std::back_inserter(context.wheels),
                       [&](const WheelFacts* other) { return !left_out.contains(other); });
  return context;
}

/// A requirement for the wheel itself (`demo[cuda]`) asks for its own extra; one under such an
/// extra may ask for the next. What they lead to applies as they do.
class OwnExtras {
 public:
  OwnExtras(std::string own, const std::vector<Requirement>& requirements,
            std::vector<Applies>& applies, std::vector<Environment> environments)
      : own_(std::move(own)),
        requirements_(requirements),
        applies_(applies),
        environments_(std::move(environments)) {}

  void follow() {
    for (std::size_t i = 0; i < requirements_.size(); ++i) {
      for (const std::string& extra : requirements_[i].marker.extras()) under_[extra].push_back(i);
    }
    for (std::size_t i = 0; i < requirements_.size(); ++i) ask_for_extras(i);
    while (!open_.empty() && !cut_) {
      const std::string extra = std::move(open_.back());
      open_.pop_back();
      for (const std::size_t i : under_[extra]) apply_under(extra, i);
    }
  }

  /// Whether there was more to follow than any real wheel has.
  bool is_cut() const { return cut_; }

 private:
  static constexpr std::size_t kMostEvaluations = 1'000'000;

  void ask_for_extras(std::size_t index) {
    const Requirement& requirement = requirements_[index];
    if (requirement.name != own_ || rank(applies_[index]) < rank(Applies::sometimes)) return;
    for (const std::string& extra : requirement.extras) {
      Applies& known = asked_.emplace(extra, Applies::never).first->second;
      if (rank(applies_[index]) <= rank(known)) continue;
      known = applies_[index];
      if (under_.contains(extra)) open_.push_back(extra);
    }
  }

  void apply_under(const std::string& extra, std::size_t index) {
    evaluations_ += environments_.size();
    cut_ = cut_ || evaluations_ > kMostEvaluations;
    if (cut_) return;
    for (Environment& environment : environments_) environment["extra"] = extra;
    Applies now = applies_in(requirements_[index], environments_, {});
    if (now == Applies::always) now = asked_[extra];
    if (rank(now) <= rank(applies_[index])) return;
    applies_[index] = now;
    ask_for_extras(index);
  }

  std::string own_;
  const std::vector<Requirement>& requirements_;
  std::vector<Applies>& applies_;
  std::vector<Environment> environments_;
  std::map<std::string, std::vector<std::size_t>> under_;  ///< requirements by the extras they name
  std::map<std::string, Applies> asked_;
  std::vector<std::string> open_;  ///< extras whose requirements may apply now
  std::size_t evaluations_ = 0;
  bool cut_ = false;
};

}  // namespace

Subject::Subject(const WheelFacts& facts, const Expectations& expectations, const Context& others)
    : wheel(facts),
      expect(expectations),
      context(fitting(facts, others)),
      lazy_(std::make_unique<Lazy>()) {
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
  std::set<std::string> extras;
  for (const std::string& extra : wheel.metadata->all("Provides-Extra"))
    extras.insert(normalize_name(extra));
  for (const Requirement& requirement : lazy_->requirements)
    lazy_->applies.push_back(applies_in(requirement, lazy_->environments, extras));
  if (!wheel.name) return;
  OwnExtras own(normalize_name(wheel.name->distribution), lazy_->requirements, lazy_->applies,
                lazy_->environments);
  own.follow();
  lazy_->extras_cut = own.is_cut();
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
  return lazy_->applies[static_cast<std::size_t>(&requirement - lazy_->requirements.data())];
}

bool Subject::extras_cut() const { return lazy_->extras_cut; }

std::optional<Applies> Subject::declared(std::string_view package) const {
  std::optional<Applies> best;
  for (const Requirement& requirement : lazy_->requirements) {
    if (requirement.name != package) continue;
    const Applies now = applies(requirement);
    if (!best || rank(now) > rank(*best)) best = now;
  }
  return best;
}

const FactsIndex& Subject::index() const {
  std::call_once(lazy_->index_once, [&] { lazy_->index.emplace(wheel); });
  return *lazy_->index;
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
