// The manual page, in the macros of man(7): a page of every command, made of what --help is made
// of.
#include <fmt/format.h>

#include "cli/command_shape.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::cli {

namespace {

/// Text of roff: backslashes, hyphens and a control character at the start of a line are escaped.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

/// `\fB-o\fR, \fB--output\fR \fIFILE\fR`
std::string label_of(const OptionShape& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back("\\fB" + roff(name) + "\\fR");
  std::string label = join(names, ", ");
  if (!option.value.empty())
    label += (label.empty() ? "" : " ") + ("\\fI" + roff(value_label(option)) + "\\fR");
  return label;
}

std::string options_text(const std::vector<OptionShape>& options) {
  std::string text;
  for (const OptionShape& option : options) {
    text += fmt::format(".TP\n{}\n{}\n", label_of(option), roff(about_of(option)));
    const std::string words = join(option.words, ", ");
    if (!words.empty() && option.about.find(option.words.front()) == std::string::npos)
      text += fmt::format("({})\n", roff(words));
  }
  return text;
}

void append_command(const CommandShape& command, std::string& text) {
  text += fmt::format(".SS \"{}\"\n{}.\n", roff(command.path), roff(command.about));
  if (command.commands.empty()) text += fmt::format(".PP\n.B {}\n", roff(usage_line(command)));
  text += options_text(command.arguments);
  std::vector<OptionShape> own;
  for (const OptionShape& option : command.options) {
    if (option.names.back() != "--help") own.push_back(option);
  }
  text += options_text(own);
  // Examples keep their lines.
  if (!command.footer.empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
  for (const CommandShape& below : command.commands) append_command(below, text);
}

constexpr std::string_view kExit = R"(.SH "EXIT STATUS"
.TP
.B 0
every selected rule was asked, and nothing at or above \fB\-\-fail\-on\fR was found
.TP
.B 1
findings at or above \fB\-\-fail\-on\fR; \fBselftest\fR with a failure; \fBmatrix\fR that refuses;
\fBdiff \-\-fail\-on\fR that matched
.TP
.B 2
wrong use, before any audit
.TP
.B 3
incomplete: something could not be read, or the report could not be written; beats 1
.TP
.B 130
interrupted
.SH ENVIRONMENT
.TP
.B NO_COLOR
no colour, also on a terminal
.TP
.B CI
where it is set, no line of progress is shown
.TP
.B GITHUB_STEP_SUMMARY
the file that \fB\-\-format github\-summary\fR adds to
)";

}  // namespace

std::string manual_page(const CommandShape& root) {
  // No date: the page is the same whenever it is made.
  std::string text = fmt::format(
      ".\\\" Made by: wheel-audit man\n.TH WHEEL\\-AUDIT 1 \"\" \"wheel\\-audit {}\"\n.SH NAME\n{}"
      " \\- {}\n.SH SYNOPSIS\n.B {}\n",
      WHEEL_AUDIT_VERSION, roff(root.name), roff(root.about), roff(usage_line(root)));
  text +=
      ".SH DESCRIPTION\nReads wheels without running or unpacking them, and needs no GPU, no CUDA "
      "toolkit and no Python.\nA directory stands for every \\fI*.whl\\fR in it; \\fB\\-\\fR reads "
      "paths from standard input.\n";
  text += ".SH OPTIONS\n" + options_text(root.options) + ".SH COMMANDS\n";
  for (const CommandShape& command : root.commands) append_command(command, text);
  text += kExit;
  if (!root.footer.empty()) text += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(root.footer));
  return text;
}

}  // namespace wheel_audit::cli
