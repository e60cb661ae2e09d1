// Text that several modules handle alike: splitting, globs, spelling, printing of strange names.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheel_audit {

/// The parts between separators; always at least one, empty parts included.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Without ASCII white space at both ends.
std::string_view trim(std::string_view text);

/// ASCII letters in lower case.
std::string lower(std::string_view text);

/// The parts with `separator` between them.
std::string join(std::span<const std::string> parts, std::string_view separator);

/// Whether `text` matches a glob: `*` any run (slashes included), `?` one byte, `[a-z]`, `[!a]`.
/// Linear in text times pattern; no pattern makes it slow.
bool glob_match(std::string_view pattern, std::string_view text);

/// Whether `text` matches one of the globs.
bool matches_any(std::span<const std::string> globs, std::string_view text);

/// The parts with commas between them, and after the first `most` how many more there are.
std::string shortened(std::span<const std::string> parts, std::size_t most = 4);

/// The text, or its first bytes and `…` where it has more than `most`: for messages.
std::string clipped(std::string_view text, std::size_t most = 120);

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True for well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

/// The same text with control bytes, escape sequences, bidirectional controls and bytes that are
/// not UTF-8 written as `\xNN` (or `\u{NNNN}`), so that no name can rewrite a terminal.
std::string printable(std::string_view text);

/// The word of `known` nearest in spelling, or an empty view when none is near.
std::string_view nearest(std::string_view word, std::span<const std::string> known);

/// ` (did you mean "x"?)`, or an empty string when no known word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

/// A text in single quotes of a shell; `'\''` stands for a quote.
std::string shell_quoted(std::string_view text);

/// The last part of a slash-separated path.
std::string_view base_name(std::string_view path);

/// All but the last part of a slash-separated path; empty for a bare name.
std::string_view directory_name(std::string_view path);

}  // namespace wheel_audit
