// Escapes of XML, HTML and Markdown. What comes from a wheel passes through one of these.
#include "report/markup.hpp"

#include <algorithm>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

std::string xml(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string markdown(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_[]|~$#";
  std::string out;
  const std::string plain = printable(text);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '@' && (i == 0 || plain[i - 1] == ' ' || plain[i - 1] == '(')) {
      out += "@<!-- -->";  // else a person of that name would be told
    } else if (plain.compare(i, 3, "://") == 0) {
      out += ":\\/\\/";  // else a link
      i += 2;
    } else {
      if (kMarkup.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string markdown_code(std::string_view text, bool in_table) {
  const std::string plain = printable(text);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : plain) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const bool pad = plain.empty() || plain.front() == '`' || plain.back() == '`' ||
                   plain.front() == ' ' || plain.back() == ' ';
  std::string out = fence + (pad ? " " : "");
  for (const char c : plain) {
    if (c == '|' && in_table) out += '\\';  // tables are cut before code is seen
    out += c;
  }
  return out + (pad ? " " : "") + fence;
}

}  // namespace wheel_audit
