#include "wheel_audit/config.hpp"

#include "fuzz/targets.hpp"
#include "wheel_audit/matrix.hpp"
#include "wheel_audit/triage.hpp"

namespace wheel_audit::fuzz {

// The first byte chooses: a release policy, a baseline, or a configuration and what it means.
void config(ByteView input) {
  if (input.empty()) return;
  const std::string_view text = input.text().substr(1);
  if (input[0] == 'P') {
    const Result<matrix::Policy> policy = matrix::parse_policy(text, "release.json");
    static_cast<void>(policy);
    return;
  }
  if (input[0] == 'B') {
    const Result<Baseline> baseline = parse_baseline(text, "baseline.json");
    if (!baseline) return;
    const Result<Baseline> again = parse_baseline(baseline_text(*baseline), "baseline.json");
    require(again && baseline_text(*again) == baseline_text(*baseline),
            "a baseline reads as itself");
    return;
  }
  const Result<std::optional<Config>> read =
      parse_config(text, input[0] == 'p' ? "pyproject.toml" : "wheel-audit.toml");
  if (!read || !*read) return;
  const Result<Settings> settings = settings_of(in_force(**read, Json::object()));
  static_cast<void>(settings);
}

}  // namespace wheel_audit::fuzz
