// PEM after RFC 7468 (the label stands alone on its line, base64 or RFC 1421 headers follow),
// PuTTY's key files, AWS credential files, Google service account keys.
#include "scan/secrets.hpp"

#include <cstring>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

bool is_base64_line(std::string_view line) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  constexpr std::size_t kShortest = 16;  // a key's first line is 64 or 70 characters
  return line.size() >= kShortest && line.find_first_not_of(kAlphabet) == std::string_view::npos;
}

/// Faster than `find` for words of several bytes in long texts.
bool contains(std::string_view text, std::string_view word) {
  return memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

/// The PEM label of a line, or empty.
std::string_view pem_label(std::string_view line) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kEnd = "-----";
  if (!line.starts_with(kBegin) || !line.ends_with(kEnd) || line.size() <= kBegin.size() + 5)
    return {};
  return line.substr(kBegin.size(), line.size() - kBegin.size() - kEnd.size());
}

std::string pem_secret(std::string_view head) {
  std::string found;
  std::string_view label;
  for (std::string_view line : split(head, '\n')) {
    line = trim(line);
    const bool body = is_base64_line(line) || line.starts_with("Proc-Type:");
    if (!label.empty() && body) {
      if (label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK"))
        return "private key";
      if (label.ends_with("CERTIFICATE")) found = "certificate";
    }
    // An armoured PGP key has an empty line and headers between label and body.
    const bool waits = label.starts_with("PGP ") && (line.empty() || line.find(": ") != line.npos);
    if (!waits) label = pem_label(line);
  }
  return found;
}

}  // namespace

std::string secret_header(std::string_view head) {
  constexpr std::size_t kLooked = 64U << 10U;
  head = head.substr(0, kLooked);
  if (head.starts_with("PuTTY-User-Key-File-")) return "private key";
  const std::string_view begin = trim(head).substr(0, 1);
  if (begin == "[" && contains(head, "aws_secret_access_key")) return "cloud credentials";
  if (begin == "{" && contains(head, "\"service_account\"") && contains(head, "\"private_key\""))
    return "cloud credentials";
  // A service account's file holds a PEM key in a JSON string, so PEM comes last.
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (head.starts_with(kByteOrderMark)) head.remove_prefix(kByteOrderMark.size());
  return contains(head, "-----BEGIN ") ? pem_secret(head) : std::string();
}

}  // namespace wheel_audit
