// Names and prose inside other languages: XML and HTML, Markdown. Everything goes through
// `printable` first, so that no control or hidden character is left.
#pragma once

#include <string>
#include <string_view>

namespace wheel_audit {

/// Text of XML or HTML, for contents and for attributes in quotes.
std::string xml(std::string_view text);

/// Prose of GitHub's Markdown: what would be markup, a link, a formula or a mention is escaped.
std::string markdown(std::string_view text);

/// A name as code of GitHub's Markdown; in a table, bars are escaped.
std::string markdown_code(std::string_view text, bool in_table = false);

}  // namespace wheel_audit
