// What of a comparison a gate refuses.
#include <fmt/format.h>

#include <charconv>
#include <memory>

#include "wheel_audit/diff.hpp"
#include "wheel_audit/quantity.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kShown = 3;  // names in one failure

/// Reads `10%` or `0.5%`.
Result<double> parse_share(const std::string& word, std::string_view text) {
  double share = 0;
  const char* end = std::to_address(text.end());
  const auto [stop, failed] = std::from_chars(std::to_address(text.begin()), end, share);
  const bool good = failed == std::errc() && std::string_view(stop, end) == "%" && share >= 0 &&
                    share <= 1e6;  // which also refuses what is no number
  if (!good) return Error(fmt::format("--fail-on {}: expected a share such as bigger=10%", word));
  return share;
}

void judge_library(const LibraryDiff& library, const DiffGate& gate, DiffReport& report) {
  const bool gone = library.path.after.empty();
  const std::string& where = gone ? library.path.before : library.path.after;
  const std::string how = gone ? "is gone, and with it " : "lost ";
  if (gate.lost_arch && !library.archs.lost.empty())
    report.failures.push_back({"lost-arch", where, how + shortened(library.archs.lost, kShown)});
  if (gate.lost_symbol && !library.symbols.lost.empty()) {
    report.failures.push_back(
        {"lost-symbol", where,
         fmt::format("{}{} exported symbol{}: {}", how, library.symbols.lost.size(),
                     library.symbols.lost.size() == 1 ? "" : "s",
                     shortened(library.symbols.lost, kShown))});
  }
  if (gate.new_need && !library.new_needs.empty()) {
    report.failures.push_back(
        {"new-need", where,
         "needs " + shortened(library.new_needs, kShown) + ", which the wheel does not ship"});
  }
}

/// Nobody may take symbols that were never compared for symbols that are still there.
void ask_symbols(DiffReport& report) {
  for (const DiffSide* side : {&report.diff.sides.before, &report.diff.sides.after}) {
    if (side->without_symbols.empty()) continue;
    report.undecided.push_back(
        fmt::format("lost-symbol: {} holds no full list of symbols of {}; make it with "
                    "wheel-audit inspect --symbols, or give the wheel",
                    side->given, shortened(side->without_symbols, kShown)));
  }
}

void judge_size(const WheelDiff& diff, double most, DiffReport& report) {
  const auto before = static_cast<double>(diff.sides.before.file_size);
  const auto after = static_cast<double>(diff.sides.after.file_size);
  if (after <= before * (1 + most / 100)) return;
  const std::string grown =
      before > 0 ? fmt::format("by {:.1f}%", (after - before) / before * 100) : "from nothing";
  report.failures.push_back({"bigger", "",
                             fmt::format("the wheel grew {}, from {} to {}; at most {}% is allowed",
                                         grown, size_text(diff.sides.before.file_size),
                                         size_text(diff.sides.after.file_size), most)});
}

}  // namespace

Result<DiffGate> parse_gate(const std::vector<std::string>& words) {
  static const std::vector<std::string> kKnown = {"lost-arch", "lost-symbol", "new-need", "bigger"};
  DiffGate gate;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (word == "lost-arch") {
      gate.lost_arch = true;
    } else if (word == "lost-symbol") {
      gate.lost_symbol = true;
    } else if (word == "new-need") {
      gate.new_need = true;
    } else if (word == "bigger" || word.starts_with("bigger=")) {
      const Result<double> share = parse_share(
          word, equals == std::string::npos ? std::string_view()
                                            : std::string_view(word).substr(equals + 1));
      if (!share) return share.error();
      gate.bigger = *share;
    } else {
      return Error(
          fmt::format("--fail-on {}: expected lost-arch, lost-symbol, new-need or "
                      "bigger=10%{}",
                      word, did_you_mean(word.substr(0, equals), kKnown)));
    }
  }
  return gate;
}

DiffReport judge(WheelDiff diff, const DiffGate& gate) {
  DiffReport report;
  report.diff = std::move(diff);
  for (const LibraryDiff& library : report.diff.libraries) judge_library(library, gate, report);
  if (gate.lost_symbol) ask_symbols(report);
  if (gate.bigger) judge_size(report.diff, *gate.bigger, report);
  constexpr int kRefused = 1;
  constexpr int kIncomplete = 3;
  const bool unread =
      !report.diff.sides.before.unread.empty() || !report.diff.sides.after.unread.empty();
  report.exit = unread || !report.undecided.empty() ? kIncomplete
                : !report.failures.empty()          ? kRefused
                                                    : 0;
  return report;
}

}  // namespace wheel_audit
