// PEM after RFC 7468 (the label stands alone on its line, base64 or RFC 1421 headers follow), whole
// private keys in strings of source files and JSON,
// PuTTY's key files, AWS credential files, Google service account keys.
#include "scan/secrets.hpp"

#include <cstring>
#include <set>

#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr const char* kPrivateKey = "private key";
constexpr const char* kCertificate = "certificate";

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

bool is_private(std::string_view label) {
  return label.ends_with("PRIVATE KEY") || label.ends_with("PRIVATE KEY BLOCK");
}

std::string pem_secret(std::string_view head) {
  std::string found;
  std::string_view label;
  for (std::string_view line : split(head, '\n')) {
    line = trim(line);
    const bool body = is_base64_line(line) || line.starts_with("Proc-Type:");
    if (!label.empty() && body) {
      if (is_private(label)) return kPrivateKey;
      if (label.ends_with("CERTIFICATE")) found = kCertificate;
    }
    // An armoured PGP key has an empty line and headers between label and body.
    const bool waits = label.starts_with("PGP ") && (line.empty() || line.find(": ") != line.npos);
    if (!waits) label = pem_label(line);
  }
  return found;
}

/// Drops what stands between the lines of a text in a source file's strings: white space, line
/// ends written `\n`, quotes and what joins strings.
std::string_view without_glue(std::string_view text) {
  while (!text.empty()) {
    const bool escape = text.starts_with("\\n") || text.starts_with("\\r");
    const bool prefix = text.starts_with("b\"") || text.starts_with("b'");
    if (!escape && !prefix && std::string_view(" \t\r\n\"'`+,\\").find(text[0]) == text.npos) break;
    text.remove_prefix(escape || prefix ? 2 : 1);
  }
  return text;
}

/// Whether a text begins with a line of a key, not with words or a filler of few letters.
bool begins_with_key(std::string_view text) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
  constexpr std::size_t kLine = 60;  // the shortest key, of Ed25519, has 64 characters
  constexpr std::size_t kFewestLetters = 12;
  if (text.starts_with("Proc-Type:")) return true;
  const std::string_view line = text.substr(0, text.find_first_not_of(kAlphabet));
  return line.size() >= kLine && std::set<char>(line.begin(), line.end()).size() > kFewestLetters;
}

/// Whether a private key stands in a string of a source file or of JSON, whole from its header to
/// its end: an example cut short by dots is none.
bool quotes_private_key(std::string_view head) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kEnd = "-----END ";
  constexpr std::size_t kLongestLabel = 40;
  for (std::size_t at = head.find(kBegin); at != head.npos; at = head.find(kBegin, at + 1)) {
    const std::string_view rest = head.substr(at + kBegin.size());
    const std::size_t length = rest.substr(0, kLongestLabel).find("-----");
    if (length == rest.npos || !is_private(rest.substr(0, length))) continue;
    const std::string_view after = rest.substr(length + 5);
    const std::size_t end = after.find(kEnd);
    if (end == after.npos) return false;  // nor does one follow the headers to come
    const std::string_view body = without_glue(after.substr(0, end));
    if (begins_with_key(body) && !contains(body, "...") && !contains(body, "…")) return true;
  }
  return false;
}

/// Whether a PEM header begins anywhere. Looked for by its capitals, for dashes are everywhere in
/// texts and capitals are not.
bool has_pem_header(std::string_view head) {
  constexpr std::string_view kDashes = "-----";
  for (std::size_t at = head.find("BEGIN "); at != head.npos; at = head.find("BEGIN ", at + 1)) {
    if (head.substr(0, at).ends_with(kDashes)) return true;
  }
  return false;
}

/// What PEM says anywhere in a text.
std::string pem_found(std::string_view text) {
  if (!has_pem_header(text)) return {};
  std::string found = pem_secret(text);
  if (found != kPrivateKey && quotes_private_key(text)) found = kPrivateKey;
  return found;
}

/// What the beginning of a file says that the file is.
std::string file_secret(std::string_view head) {
  constexpr std::size_t kLooked = 64U << 10U;
  head = head.substr(0, kLooked);
  if (head.starts_with("PuTTY-User-Key-File-")) return kPrivateKey;
  const std::string_view begin = trim(head).substr(0, 1);
  if (begin == "[" && contains(head, "aws_secret_access_key")) return "cloud credentials";
  if (begin == "{" && contains(head, "\"service_account\"") && contains(head, "\"private_key\""))
    return "cloud credentials";
  return {};
}

}  // namespace

void SecretScanner::feed(std::string_view chunk) {
  constexpr std::size_t kKept = 8U << 10U;  // a key of 4096 bits has 3.2 KiB
  if (!begun_) {
    begun_ = true;
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (chunk.starts_with(kByteOrderMark)) chunk.remove_prefix(kByteOrderMark.size());
    // A service account's file holds a PEM key in a JSON string, so PEM comes last.
    found_ = file_secret(chunk);
    if (found_.empty()) found_ = pem_found(chunk);
  } else if (found_.empty() || found_ == kCertificate) {
    const std::string seam = before_ + std::string(chunk.substr(0, kKept));
    for (const std::string_view part : {std::string_view(seam), chunk}) {
      const std::string more = pem_found(part);
      if (more == kPrivateKey || found_.empty()) found_ = more;
    }
  }
  before_ = chunk.size() >= kKept ? std::string(chunk.substr(chunk.size() - kKept))
                                  : (before_ + std::string(chunk));
  if (before_.size() > kKept) before_.erase(0, before_.size() - kKept);
}

}  // namespace wheel_audit
