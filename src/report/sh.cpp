// A script of the repairs that need no rebuild, from the rules' `mend`. The tool never runs it.
// Names come from wheels: every word is quoted as a whole, and members whose names lead out of the
// tree, or that no one can see or type, are left to the reader.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "report/formats.hpp"
#include "report/parts.hpp"
#include "report/sh_tools.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

/// A word of the script, in quotes where it needs them.
std::string word_of(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/=+,";
  const bool plain = !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos;
  return plain ? std::string(text) : shell_quoted(text);
}

/// Whether a word can stand in a script as it is in the wheel.
bool is_speakable(std::string_view word) {
  return printable(word) == word && word.find("\\x") == std::string_view::npos;
}

/// Whether a member's path stays below the tree, whatever an unpacker makes of it.
bool is_inside(std::string_view path) {
  if (path.empty() || path.front() == '/' || path.find('\\') != std::string_view::npos)
    return false;
  const std::vector<std::string_view> parts = split(path, '/');
  return std::ranges::none_of(
      parts, [](std::string_view part) { return part.empty() || part == "." || part == ".."; });
}

/// A word of a rule's `mend` with evidence in the place of `{key}`; nothing when there is none.
std::optional<std::string> filled(std::string word, const Finding& finding) {
  for (std::size_t at = word.find('{'); at != std::string::npos; at = word.find('{', at)) {
    const std::size_t end = word.find('}', at);
    if (end == std::string::npos) return std::nullopt;
    const std::string key = word.substr(at + 1, end - at - 1);
    std::string value;
    if (key == "where") {
      if (!finding.where || !is_inside(*finding.where)) return std::nullopt;
      value = "./" + *finding.where;  // never an option
    } else {
      const std::string* found = evidence_of(finding, key);
      if (found == nullptr) return std::nullopt;
      value = *found;
    }
    const bool may_be_empty = key == "entry";  // of a search path
    if (!is_speakable(value) || (value.empty() && !may_be_empty)) return std::nullopt;
    word.replace(at, end - at + 1, value);
    at += value.size();  // what evidence says is never a placeholder
  }
  return word;
}

/// The command that mends a finding, or nothing when it is left to the reader.
std::optional<std::string> command_of(const RunReport& run, const Finding& finding) {
  const auto rule = run.rules.find(finding.rule);
  if (rule == run.rules.end() || rule->second->mend.empty()) return std::nullopt;
  std::string command;
  for (const std::string& word : rule->second->mend) {
    const std::optional<std::string> value = filled(word, finding);
    if (!value) return std::nullopt;
    command += (command.empty() ? "" : " ") + word_of(*value);
  }
  return command;
}

std::string comment(const Finding& finding) {
  return fmt::format("# {} {}{}: {}\n", to_string(finding.severity), printable(finding.rule),
                     finding.where ? " " + printable(*finding.where) : "",
                     printable(finding.message));
}

/// The trains of the packages that a wheel's findings would have it require. Of several at most one
/// can be right, and which is not in the wheel.
std::vector<std::string> trains_asked(const RunReport& run, const WheelReport& wheel) {
  std::set<std::string> trains;
  for (const Finding& finding : wheel.findings) {
    if (finding.severity == Severity::note && !run.show_notes) continue;
    const std::string* train = evidence_of(finding, "train");
    if (train == nullptr || !decides(finding)) continue;
    if (command_of(run, finding)) trains.insert(*train);
  }
  return {trains.begin(), trains.end()};
}

/// What is done to one wheel, in order, and what is left.
struct Plan {
  std::string early;  ///< strip, which must not see what patchelf wrote
  std::string late;   ///< everything else
  std::string left;   ///< comments
  std::set<std::string> commands;
};

Plan plan_of(const RunReport& run, const WheelReport& wheel) {
  Plan plan;
  const std::vector<std::string> trains = trains_asked(run, wheel);
  for (const Finding& finding : wheel.findings) {
    const std::string said = comment(finding);
    if (finding.severity == Severity::note && !run.show_notes) continue;
    if (!decides(finding)) {
      plan.left += said + "#   left: " + standing(finding) + "\n";
      continue;
    }
    const std::optional<std::string> command = command_of(run, finding);
    if (!command) {
      plan.left += said;
      if (!finding.fix.empty()) plan.left += "#   fix: " + printable(finding.fix) + "\n";
      continue;
    }
    if (trains.size() > 1 && evidence_of(finding, "train") != nullptr) {
      plan.left += said + "#   left: its libraries are of the trains " + join(trains, ", ") +
                   ", and packages of one alone can be required\n";
      continue;
    }
    std::string& place = command->starts_with("strip ") ? plan.early : plan.late;
    place += said;
    // Two findings can have one repair.
    place += plan.commands.insert(*command).second ? *command + "\n" : "#   mended above\n";
  }
  for (const Unread& unread : wheel.unread) {
    plan.left += fmt::format("# unread{}: {}\n", unread.where ? " " + printable(*unread.where) : "",
                             printable(unread.reason));
  }
  return plan;
}

std::string wheel_script(const WheelReport& wheel, const Plan& plan) {
  std::string script = fmt::format("\n# ---- {}\n", printable(wheel.file));
  if (!plan.commands.empty() && !is_speakable(wheel.file)) {
    script += "# Its name has characters that no one can see: rename it, and audit it again.\n";
  } else if (!plan.commands.empty()) {
    // A name that begins with a dash is no option.
    const std::string file = (wheel.file.starts_with('-') ? "./" : "") + wheel.file;
    script += fmt::format("unpack {}\n{}{}pack\nkeep\n", word_of(file), plan.early, plan.late);
  } else {
    script += "# Nothing that can be mended without a rebuild.\n";
  }
  if (!plan.left.empty()) script += "# Left to you:\n" + plan.left;
  return script;
}

/// What the commands of the script call that may not be installed.
std::string needs_text(const std::set<std::string>& commands) {
  std::string text = commands.empty() ? "" : "\nneed_wheel\n";
  for (const std::string_view program : {"patchelf", "strip"}) {
    const auto calls = [&](const std::string& command) { return is_in_need_of(command, program); };
    if (std::ranges::any_of(commands, calls)) text += fmt::format("need {}\n", program);
  }
  return text;
}

}  // namespace

std::string render_sh(const RunReport& run) {
  std::string script;
  std::set<std::string> commands;
  for (const WheelReport& wheel : run.wheels) {
    const Plan plan = plan_of(run, wheel);
    script += wheel_script(wheel, plan);
    commands.insert(plan.commands.begin(), plan.commands.end());
  }
  return std::string(sh_tools()) + needs_text(commands) + script;
}

}  // namespace wheel_audit
