// inspect: the facts of wheels as JSON.
#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "wheel_audit/facts_json.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit::cli {

int inspect(const InspectOptions& options) {
  const Result<std::vector<std::string>> paths = wheel_paths(options.wheels);
  if (!paths) return wrong_use(paths.error().message());
  const Result<RuleSet> rules = load_all_rules();
  if (!rules) return wrong_use(rules.error().message());
  const Result<void> place = writable_place(options.output);
  if (!place) return wrong_use(place.error().message());
  Result<ReadOptions> reading = read_options(options.reading, options.jobs);
  if (!reading) return wrong_use(reading.error().message());
  reading->hash = !options.no_hash;
  reading->file_digest = !options.no_hash;
  reading->all_symbols = options.symbols;
  reading->symbols = asked_symbols(*rules);
  reading->texts = asked_texts(*rules);
  bool complete = true;
  std::string text;
  for (const WheelFacts& wheel : read_with_progress(*paths, *reading)) {
    complete = complete && wheel.unread.empty();
    // One wheel is a document of its own; several are one document a line.
    const bool lines = options.jsonl || paths->size() > 1;
    text += facts_to_json(wheel).dump(lines ? -1 : 1) + "\n";
  }
  if (!write_output(options.output, text)) return kIncomplete;
  return complete ? kOk : kIncomplete;
}

}  // namespace wheel_audit::cli
