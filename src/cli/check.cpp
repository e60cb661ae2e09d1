// check: reads wheels (or facts), asks the rules, reports.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/commands.hpp"
#include "wheel_audit/facts_json.hpp"
#include "wheel_audit/report.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// The facts of a file that holds one JSON document, or one a line.
Result<std::vector<WheelFacts>> facts_in(const std::string& path) {
  const Result<std::string> text = read_text(path);
  if (!text) return text.error();
  std::vector<WheelFacts> wheels;
  const auto add = [&](const Json& json) -> Result<void> {
    Result<WheelFacts> facts = facts_from_json(json);
    if (!facts) return facts.error().in(path);
    wheels.push_back(std::move(*facts));
    return {};
  };
  Result<Json> whole = Json::parse(*text);
  if (whole && whole->is_object()) {
    const Result<void> added = add(*whole);
    if (!added) return added.error();
    return wheels;
  }
  std::size_t number = 0;
  for (const std::string_view line : split(*text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const Result<Json> json = Json::parse(line);
    if (!json) return json.error().in(fmt::format("{}: line {}", path, number));
    const Result<void> added = add(*json);
    if (!added) return added.error();
  }
  if (wheels.empty()) return Error(fmt::format("{}: holds no facts", path));
  return wheels;
}

Result<std::vector<WheelFacts>> all_facts(const std::vector<std::string>& paths) {
  if (paths.empty()) return Error("no facts file given");
  std::vector<WheelFacts> wheels;
  for (const std::string& path : paths) {
    Result<std::vector<WheelFacts>> facts = facts_in(path);
    if (!facts) return facts.error();
    std::ranges::move(*facts, std::back_inserter(wheels));
  }
  return wheels;
}

Result<Expectations> expectations_of(const CheckOptions& options) {
  Expectations expect;
  expect.train = options.train;
  if (!options.train.empty() && claim_of_local_version(options.train).accelerator.empty()) {
    return Error(fmt::format("--train {}: expected a train such as cu130 or cpu", options.train));
  }
  if (options.archs.empty()) return expect;
  Result<std::vector<ArchEntry>> archs = parse_arch_list(options.archs);
  if (!archs) return archs.error().in("--archs");
  expect.archs = std::move(*archs);
  return expect;
}

void print_stats(const ReadStats& stats) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  fmt::print(stderr,
             "wheel-audit: inflated {} bytes ({} of them again), hashed {}; {:.2f} s of processor "
             "time, peak memory {} KiB\n",
             stats.inflated, stats.rescanned, stats.hashed,
             seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
}

}  // namespace

int check(const CheckOptions& options) {
  RunReport run;
  const std::optional<Severity> fail_on = parse_severity(options.fail_on);
  if (!fail_on)
    return wrong_use(fmt::format("--fail-on {}: expected error, warning or note", options.fail_on));
  run.fail_on = *fail_on;
  const auto format = std::ranges::find(formats(), options.format, &Format::name);
  if (format == formats().end()) {
    std::vector<std::string> names;
    for (const Format& known : formats()) names.emplace_back(known.name);
    return wrong_use(fmt::format("--format {}: expected one of {}{}", options.format,
                                 join(names, ", "), did_you_mean(options.format, names)));
  }
  const Result<Selection> selection = selection_of(options.rules);
  if (!selection) return wrong_use(selection.error().message());
  const Result<RuleSet> rules = load_rules(*selection);
  if (!rules) return wrong_use(rules.error().message());
  if (rules->rules.empty()) return wrong_use("--select and --ignore leave no rule to ask");
  const Result<Expectations> expect = expectations_of(options);
  if (!expect) return wrong_use(expect.error().message());
  ReadOptions reading;
  reading.hash = !options.no_hash;
  reading.jobs = jobs_or_cores(options.jobs);
  reading.symbols = asked_symbols(*rules);
  reading.all_symbols =
      !options.with.empty() || std::ranges::any_of(rules->rules, &Rule::every_symbol);
  ReadStats stats;
  std::vector<WheelFacts> wheels;
  std::vector<WheelFacts> others;
  if (options.facts) {
    Result<std::vector<WheelFacts>> facts = all_facts(options.wheels);
    if (!facts) return wrong_use(facts.error().message());
    wheels = std::move(*facts);
  } else {
    const Result<std::vector<std::string>> paths = wheel_paths(options.wheels);
    if (!paths) return wrong_use(paths.error().message());
    wheels = read_wheels(*paths, reading, &stats);
  }
  if (!options.with.empty()) {
    const Result<std::vector<std::string>> paths = wheel_paths(options.with);
    if (!paths) return wrong_use(paths.error().in("--with").message());
    reading.hash = false;
    others = read_wheels(*paths, reading);
  }
  Context context;
  for (const WheelFacts& other : others) context.wheels.push_back(&other);
  for (const WheelFacts& wheel : wheels)
    run.wheels.push_back(audit(Subject(wheel, *expect, context), *rules));
  // A wheel of the context that could not be read leaves every answer open that it had a part in.
  for (const WheelFacts& other : others) {
    for (const Unread& unread : other.unread) {
      if (unread.what == "digest") continue;
      for (WheelReport& wheel : run.wheels) {
        wheel.unread.push_back(
            {std::nullopt, fmt::format("{}: {}", other.given, unread.reason), "context"});
      }
    }
  }
  for (const Rule& rule : rules->rules) run.rules.emplace(rule.id, &rule);
  run.show_notes = options.notes || run.fail_on == Severity::note;
  run.colour =
      options.output.empty() && isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  const bool written = write_output(options.output, format->render(run));
  if (options.stats) print_stats(stats);
  return written ? summarize(run).exit : kIncomplete;
}

}  // namespace wheel_audit::cli
