// METADATA and WHEEL are read by installers with Python's email parser, so its habits count: lines
// end in LF, CRLF or CR, a line that starts with white space continues the value before it, and the
// headers end at the first empty line or at the first line that is no header, whatever follows.
#include <fmt/format.h>

#include <algorithm>

#include "quoted.hpp"
#include "wheel_audit/text.hpp"
#include "wheel_audit/utf8.hpp"
#include "wheel_audit/wheel.hpp"

namespace wheel_audit {

namespace {

struct Headers {
  std::vector<Field> fields;
  std::vector<std::string> problems;
  std::string_view body;
};

/// Takes the first line off, without its end.
std::string_view eat_line(std::string_view& text) {
  const std::size_t end = text.find_first_of("\r\n");
  const std::string_view line = text.substr(0, end);
  if (end == std::string_view::npos) {
    text = {};
  } else {
    text.remove_prefix(text.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
  return line;
}

/// The length of the field's name where the line is a header: printable ASCII up to the colon.
std::size_t name_length(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return 0;
  const auto valid = [](char c) { return c > ' ' && c < '\x7f'; };
  return std::ranges::all_of(line.substr(0, colon), valid) ? colon : 0;
}

void check_utf8(std::string_view text, std::vector<std::string>& problems) {
  std::size_t line = 1;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (!point.valid) {
      problems.push_back(fmt::format("line {} is not UTF-8: byte 0x{:02x}", line,
                                     static_cast<unsigned char>(text.front())));
      return;
    }
    if (point.value == '\n') ++line;
    text.remove_prefix(point.length);
  }
}

Headers read_headers(std::string_view text) {
  Headers headers;
  check_utf8(text, headers.problems);
  if (drop_byte_order_mark(text)) {
    headers.problems.emplace_back("line 1 starts with a byte order mark");
  }
  bool continues = false;  // a field is there that a line could continue
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view rest = text;
    const std::string_view line = eat_line(text);
    if (line.empty()) {
      headers.body = text;
      break;
    }
    if (line.front() == ' ' || line.front() == '\t') {
      if (continues) {
        headers.fields.back().value.append("\n").append(line);
      } else {
        headers.problems.push_back(
            fmt::format("line {} continues no header: {}", number, quoted(line)));
      }
      continue;
    }
    const std::size_t length = name_length(line);
    if (length == 0) {
      headers.problems.push_back(
          fmt::format("line {} is no header, and parsers take it for the start of the body: {}",
                      number, quoted(line)));
      headers.body = rest;
      break;
    }
    headers.fields.push_back(
        {std::string(line.substr(0, length)), std::string(line.substr(length + 1))});
    continues = true;
  }
  for (Field& field : headers.fields) field.value = std::string(trim(field.value));
  return headers;
}

}  // namespace

MetadataFacts parse_metadata(std::string path, std::string_view text) {
  Headers headers = read_headers(text);
  MetadataFacts facts;
  facts.path = std::move(path);
  facts.fields = std::move(headers.fields);
  facts.has_body = !trim(headers.body).empty();
  facts.problems = std::move(headers.problems);
  return facts;
}

WheelFileFacts parse_wheel_file(std::string path, std::string_view text) {
  Headers headers = read_headers(text);
  WheelFileFacts facts;
  facts.path = std::move(path);
  facts.fields = std::move(headers.fields);
  facts.problems = std::move(headers.problems);
  return facts;
}

}  // namespace wheel_audit
