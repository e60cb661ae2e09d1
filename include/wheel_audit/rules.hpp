// Rules as data: loading rule files strictly, asking each rule of a wheel, and what comes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheel_audit/json.hpp"
#include "wheel_audit/memo.hpp"
#include "wheel_audit/result.hpp"
#include "wheel_audit/subject.hpp"

namespace wheel_audit {

enum class Severity : std::uint8_t { note, warning, error };
std::string_view to_string(Severity severity);
std::optional<Severity> parse_severity(std::string_view word);

/// Facts that a finding carries, in order: `found`, `expected`, `soname`, `symbol`, `entry`…
using Evidence = std::vector<std::pair<std::string, std::string>>;

/// What a kind reports.
struct Fault {
  std::optional<std::string> where;  ///< a member, or nothing for the whole wheel
  std::string message;
  Evidence evidence;
  /// What the fault is about within the member (a soname, symbol, entry): faults of one member and
  /// one subject are one fault, and supersede each other by it.
  std::string subject;
  std::string fix;  ///< replaces the rule's own fix text where not empty
  /// Further members and subjects that it speaks of: what superseded rules find there is this
  /// fault.
  std::vector<std::pair<std::optional<std::string>, std::string>> covers = {};
};

/// A broken rule, as reports print it.
struct Finding {
  std::string rule;
  Severity severity = Severity::error;
  std::optional<std::string> where;
  std::string message;
  Evidence evidence;
  std::string fix;
  std::vector<std::string> superseded;  ///< ids of the rules that it stands for
  std::string subject;
  std::vector<std::pair<std::optional<std::string>, std::string>> covers;  ///< as in Fault
  std::optional<std::string> waived;  ///< the waiver's reason and last day
  bool baseline = false;              ///< known from the baseline
};

/// A fact that a finding carries; null where it has none of that name.
const std::string* evidence_of(const Finding& finding, std::string_view key);

/// Where a kind puts what it sees.
class Report {
 public:
  void operator()(Fault fault) { faults.push_back(std::move(fault)); }
  void unread(std::optional<std::string> where, std::string reason) {
    unreads.push_back({std::move(where), std::move(reason), {}});
  }
  std::vector<Fault> faults;
  std::vector<Unread> unreads;
};

/// Whether a rule had something to look at.
enum class Looked : std::uint8_t { nothing, something };

/// A bound question: a kind with its parameters. Threads ask it of several wheels at once, and of
/// one wheel beside other questions: it keeps no state.
using Check = std::function<Looked(const Subject&, Report&)>;

/// Tables of the loaded packs by `pack/name`, parsed when first asked for.
class Tables {
 public:
  /// One that is built in was parsed by tests, so that nobody needs to before a rule asks it.
  void add(std::string id, std::string origin, std::string text, bool built_in);
  Result<const Json*> get(const std::string& id) const;
  bool is_built_in(const std::string& id) const;
  /// What was worked out from tables, by their addresses.
  Memo& derived() const { return derived_; }

 private:
  struct Entry {
    std::string origin;
    std::string text;
    bool built_in = false;
    std::optional<Json> parsed;
  };
  mutable std::mutex mutex_;
  mutable std::map<std::string, Entry> entries_;
  mutable Memo derived_;
};

/// A large table that few wheels need: it is parsed, and what a kind makes of it is made, when a
/// wheel does.
class LateTable {
 public:
  LateTable() = default;
  LateTable(const Tables& tables, std::string id) : tables_(&tables), id_(std::move(id)) {}

  /// The table; null where the rule names none.
  const Json& json() const;
  /// `T` made of the table, once for all who ask.
  template <typename T>
  const T& as() const {
    static const T kEmpty{Json()};
    if (tables_ == nullptr) return kEmpty;
    const Json& table = json();
    return *tables_->derived().get<T>({&table}, [&table] { return T(table); });
  }

 private:
  const Tables* tables_ = nullptr;
  std::string id_;
};

/// A rule's parameters. Each is asked for by name; what was not asked for is unknown, and what has
/// the wrong type is refused: `done` tells.
class Params {
 public:
  Params(const Json& json, const Tables& tables) : json_(json), tables_(tables) {}

  std::string text(const std::string& name, std::string fallback = {});
  /// A text that must be one of the words.
  std::string word(const std::string& name, const std::vector<std::string>& words);
  std::vector<std::string> list(const std::string& name);
  /// A list that must not be empty.
  std::vector<std::string> some(const std::string& name);
  bool flag(const std::string& name, bool fallback = false);
  std::int64_t number(const std::string& name, std::int64_t fallback);
  /// An object or array as it stands; null when absent.
  const Json& json(const std::string& name);
  /// The table that a parameter names (`cuda/sonames`), which must be there.
  const Json& table(const std::string& name);
  /// The same for a table that the kind can do without; null where the parameter is absent.
  const Json& table_if_named(const std::string& name);
  /// The same for a large table; one of a user's own is parsed at once, to tell its faults.
  LateTable late_table(const std::string& name);
  /// Every table that a list parameter names.
  std::vector<const Json*> tables(const std::string& name);
  /// What rules share that name the same tables; `key` has the tables' addresses.
  template <typename T, typename Make>
  std::shared_ptr<const T> shared(Memo::Key key, Make make) const {
    return tables_.derived().get<T>(std::move(key), std::move(make));
  }
  /// Notes what is wrong with a parameter or a table; the first fault stays.
  void fail(std::string message);
  /// The first error, unknown parameters included.
  Result<void> done() const;

 private:
  const Json* take(const std::string& name, bool (Json::*is)() const, std::string_view type);

  const Json& json_;
  const Tables& tables_;
  std::set<std::string> asked_;
  std::string error_;
};

/// A kind of question: its name, and the function that binds it to parameters.
struct Kind {
  std::string_view name;
  Check (*bind)(Params&);
  /// Symbols (names or globs) that the bound question asks facts for; may be null.
  std::vector<std::string> (*symbols)(Params&) = nullptr;
  bool every_symbol = false;  ///< asks about every dynamic symbol
  /// Adds the texts that the bound question asks facts for; may be null.
  void (*texts)(Params&, TextWishes&) = nullptr;
};

/// Every kind, in order of name.
const std::vector<Kind>& kinds();

/// A condition on wheels (`when`): keys are joined by and, lists by or.
struct When {
  std::vector<std::string> claim;  ///< `cuda`, `cpu`, `rocm`, `none`
  std::vector<std::string> train;  ///< `cu130` (globs)
  std::vector<std::string> machine;
  std::vector<std::string> libc;          ///< `glibc`, `musl`
  std::vector<std::string> distribution;  ///< normalised (globs)
  std::vector<Specifiers> version;
  std::vector<std::string> python;  ///< python tags (globs)
  std::vector<std::string> member;  ///< globs; keeps faults of these members
  bool holds(const Subject& subject) const;
};

/// A loaded rule.
struct Rule {
  std::string id;
  std::string kind;
  Severity severity = Severity::error;
  bool opt_in = false;
  When when;
  std::vector<std::string> supersedes;
  std::string why;
  std::string fix;
  /// The command that mends a built wheel, word for word, with `{key}` for evidence and `{where}`
  /// for the member; what `--format sh` writes. Empty: a rebuild, or a decision, is needed.
  std::vector<std::string> mend;
  std::vector<std::string> refs;
  Json params;
  std::string origin;  ///< the file that it was read from
  Check check;
  bool every_symbol = false;
  std::vector<std::string> symbols;
  TextWishes texts;
  /// Asks about symbols, or texts, that facts written for the shipped rules do not hold.
  bool symbols_beyond_facts = false;
  bool texts_beyond_facts = false;
};

/// A rule of another pack made weaker or silent.
struct Adjustment {
  std::string rule;                  ///< id or glob
  std::vector<std::string> members;  ///< globs; empty: everywhere
  /// Globs by evidence key; a finding must match one of each.
  std::vector<std::pair<std::string, std::vector<std::string>>> evidence;
  std::optional<Severity> severity;  ///< nothing: silent
  std::string reason;
  std::string pack;  ///< whose wish it is
};

/// What is loaded.
struct RuleSet {
  std::vector<Rule> rules;  ///< in order of id
  std::vector<Adjustment> adjustments;
  std::shared_ptr<Tables> tables;
  const Rule* find(std::string_view id) const;
};

/// What the user chose.
struct Selection {
  std::vector<std::string> packs = {"base", "linux", "cuda", "env", "set"};
  std::vector<std::string> folders;  ///< --rules
  std::vector<std::string> select;   ///< ids or globs; empty: all
  std::vector<std::string> ignore;
  std::map<std::string, Json> enable;        ///< opt-in rules with parameters
  std::map<std::string, Severity> severity;  ///< by id or glob; the longest that matches decides
  std::vector<std::string> require;          ///< ids or globs; must have something to look at
  /// List and pattern (`select`, `linux/*`) to what messages call it, where it is no option.
  std::map<std::pair<std::string, std::string>, std::string> origins;
};

/// Loads the packs (embedded, with what they extend) and folders, and keeps what is selected.
/// Errors name the file and the nearest valid word.
Result<RuleSet> load_rules(const Selection& selection);

/// Every shipped rule of every shipped pack, opt-in ones included.
Result<RuleSet> load_all_rules(const std::vector<std::string>& folders = {});

/// The packs that are built in.
std::vector<std::string> built_in_packs();

// ---------------------------------------------------------------- audit

/// What became of one wheel.
struct WheelReport {
  std::string file;  ///< as given
  std::vector<Finding> findings;
  std::vector<Finding> adjusted;  ///< findings that a pack made silent; `waived` has the reason
  std::vector<Unread> unread;
  std::vector<std::string> not_applicable;  ///< ids
  std::size_t asked = 0;
  /// Compute capability to `sass`, `ptx`, `part`, `none`, in order; empty without GPU code.
  std::vector<std::pair<std::string, std::string>> devices;
  bool has_gpu_code = false;
  Claim claim;
  // What pages draw.
  std::vector<GpuFacts> gpu;
  std::vector<LoadTree> loads;  ///< for each root of the wheel, as far as they can be drawn
  std::size_t more_loads = 0;   ///< roots whose trees were left out
};

/// The symbols (names and globs) that the rules ask facts for.
std::vector<std::string> asked_symbols(const RuleSet& rules);

/// The texts (globs of members) that the rules ask facts for.
TextWishes asked_texts(const RuleSet& rules);

}  // namespace wheel_audit
