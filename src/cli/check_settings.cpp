// The first step of check: what its options and the configuration mean.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/check_steps.hpp"
#include "wheel_audit/crosscheck.hpp"
#include "wheel_audit/date.hpp"

namespace wheel_audit::cli {

namespace {

/// The known findings. A baseline that is yet to be written need not be there.
Result<Baseline> known_findings(const CheckOptions& options, const std::string& file,
                                const std::string& label) {
  std::error_code failed;
  if (file.empty()) return Baseline();
  if (file != "-" && !std::filesystem::exists(file, failed) && !failed) {
    if (!options.write_baseline.empty()) return Baseline();
    return Error(
        fmt::format("{}: {}: No such file; check --write-baseline FILE writes one", label, file));
  }
  // A file of its own begins with what this run finds; only what is named with it is taken along.
  const bool other = label != "--baseline" && options.write_baseline != file &&
                     !std::filesystem::equivalent(options.write_baseline, file, failed);
  if (!options.write_baseline.empty() && other) return Baseline();
  const Result<std::string> text = read_text(file);
  if (!text) return text.error().in(label);
  return parse_baseline(*text, file);
}

/// Whether another parser is to read the ELF members too; a build without one says so and goes on.
Result<bool> wants_cross_check(const CheckOptions& options) {
  if (!options.cross_check) return false;
  if (options.facts)
    return Error("--cross-check reads wheels again, and --facts gives none; give one of them");
  if (has_second_reader()) return true;
  fmt::print(stderr, "wheel-audit: --cross-check: this build has no LIEF; nothing is compared\n");
  return false;
}

/// Whether every wish is among those of another list.
template <typename Wish>
bool are_among(std::vector<Wish> wishes, std::vector<Wish> others) {
  std::ranges::sort(wishes);
  std::ranges::sort(others);
  return std::ranges::includes(others, wishes);
}

/// Facts hold what the shipped rules ask about as they are shipped. A user's rule, or one with
/// other parameters, may ask for more.
Result<void> mark_beyond_facts(RuleSet& rules) {
  const Result<RuleSet> shipped = load_all_rules();
  if (!shipped) return shipped.error();
  const std::vector<std::string> symbols = asked_symbols(*shipped);
  const TextWishes texts = asked_texts(*shipped);
  for (Rule& rule : rules.rules) {
    rule.symbols_beyond_facts = !are_among(rule.symbols, symbols);
    rule.texts_beyond_facts = !are_among(rule.texts.headers, texts.headers) ||
                              !are_among(rule.texts.cmake, texts.cmake) ||
                              !are_among(rule.texts.paths, texts.paths);
  }
  return {};
}

}  // namespace

Result<CheckSettings> check_settings(const CheckOptions& options) {
  const Result<InForce> values = values_of(options.settings);
  if (!values) return values.error();
  Result<Settings> meant = settings_of(*values);
  if (!meant) return meant.error();
  CheckSettings settings{std::move(*meant), {}, {}, {}, today()};
  Result<Baseline> known = known_findings(options, settings.baseline, values->label("baseline"));
  if (!known) return known.error();
  settings.known = std::move(*known);
  if (!options.today.empty()) {
    Result<std::string> date = parse_date(options.today);
    if (!date) return date.error().in("--today");
    settings.today = std::move(*date);
  }
  Result<RuleSet> rules = load_rules(settings.selection);
  if (!rules) return rules.error();
  if (rules->rules.empty()) return Error("--select and --ignore leave no rule to ask");
  settings.rules = std::move(*rules);
  Result<bool> cross_check = wants_cross_check(options);
  if (!cross_check) return cross_check.error();
  settings.cross_check = *cross_check;
  if (options.facts) {
    const Result<void> marked = mark_beyond_facts(settings.rules);
    if (!marked) return marked.error();
  }
  Result<ReadOptions> reading = read_options(settings.limits, !options.no_sandbox, settings.jobs);
  if (!reading) return reading.error();
  settings.reading = std::move(*reading);
  settings.reading.hash = !options.no_hash;
  settings.reading.symbols = asked_symbols(settings.rules);
  settings.reading.texts = asked_texts(settings.rules);
  settings.reading.all_symbols = !settings.with.empty() || !options.env.empty() ||
                                 std::ranges::any_of(settings.rules.rules, &Rule::every_symbol);
  return settings;
}

}  // namespace wheel_audit::cli
