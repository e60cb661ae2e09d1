#include "fuzz/audit.hpp"
#include "fuzz/targets.hpp"
#include "wheel_audit/facts_json.hpp"

namespace wheel_audit::fuzz {

void facts(ByteView input) {
  const Result<Json> json = Json::parse(input.text());
  if (!json) return;
  const Result<WheelFacts> read = facts_from_json(*json);
  if (!read) return;
  const Json written = facts_to_json(*read);
  const Result<Json> parsed = Json::parse(written.dump());
  require(bool(parsed), "facts print as JSON");
  const Result<WheelFacts> again = facts_from_json(*parsed);
  require(bool(again), "facts that were written can be read");
  require(facts_to_json(*again).dump() == written.dump(), "facts survive their JSON");
  render(audited(*read));
}

}  // namespace wheel_audit::fuzz
