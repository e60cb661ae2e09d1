#include "report/formats.hpp"

namespace wheel_audit {

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {"json", "the whole report, schema wheel-audit.report/1", render_json},
      {"text", "for people, equal findings grouped", render_text},
  };
  return kFormats;
}

}  // namespace wheel_audit
