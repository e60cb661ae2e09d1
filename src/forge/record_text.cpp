// RECORD: one CSV row (RFC 4180) for each member, with a digest as PEP 376 and 427 write it.
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "forge/wheel_texts.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

std::string urlsafe_base64(const Bytes& bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  std::uint32_t count = 0;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8U | byte) & 0xffffU;
    count += 8;
    while (count >= 6) {
      count -= 6;
      out += kAlphabet[(bits >> count) & 0x3fU];
    }
  }
  if (count > 0) out += kAlphabet[(bits << (6 - count)) & 0x3fU];
  return out;
}

/// `algorithm=digest`, or nothing for an algorithm that OpenSSL does not have.
std::optional<std::string> digest(const std::string& algorithm, const Bytes& content) {
  // The same bytes on every machine: openssl.cnf has no say.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  const EVP_MD* kind = EVP_get_digestbyname(algorithm.c_str());
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> out{};
  unsigned size = 0;
  if (kind == nullptr ||
      EVP_Digest(content.data(), content.size(), out.data(), &size, kind, nullptr) != 1) {
    return std::nullopt;
  }
  return algorithm + "=" + urlsafe_base64(Bytes(out.begin(), out.begin() + size));
}

std::string csv(const std::string& field, bool always) {
  if (!always && field.find_first_of(",\"\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

using Row = std::array<std::string, 3>;

const ZipMember* member_at(const std::vector<ZipMember>& members, const std::string& path) {
  const auto at = std::find_if(members.begin(), members.end(),
                               [&](const ZipMember& member) { return member.path == path; });
  return at == members.end() ? nullptr : &*at;
}

/// The rows of all members, with the digests that "algorithms" asks for.
std::vector<Row> member_rows(Fields& fields, const std::vector<ZipMember>& members,
                             const Build& build) {
  std::vector<std::pair<std::string, std::string>> algorithms;
  for (const auto& [path, algorithm] : fields.object("algorithms")) {
    algorithms.emplace_back(build.path(path), algorithm.as_string());
  }
  std::vector<Row> rows;
  for (const ZipMember& member : members) {
    if (!member.row) continue;
    std::string algorithm = "sha256";
    for (const auto& [path, other] : algorithms) {
      if (path == member.path) algorithm = other;
    }
    const std::optional<std::string> hash = digest(algorithm, member.content);
    if (!hash) fields.fail("algorithms", fmt::format("unknown \"{}\"", printable(algorithm)));
    rows.push_back({member.path, hash.value_or(""), std::to_string(member.content.size())});
  }
  return rows;
}

/// Appends a row of "extra": up to three strings, or `{"path": …, "of": …}`, a row that names one
/// path and has another member's digest and size.
void add_extra(Fields& fields, const Json& extra, const std::vector<ZipMember>& members,
               const Build& build, std::vector<Row>& rows) {
  if (extra.is_object()) {
    Fields row(extra, fields.at("extra"));
    const std::string path = build.path(row.text("path"));
    const std::string of = build.path(row.text("of"));
    const ZipMember* member = member_at(members, of);
    if (member == nullptr) row.fail("of", fmt::format("no member \"{}\"", printable(of)));
    if (const Result<void> done = row.finish(); !done) return fields.fail(done.error());
    rows.push_back(
        {path, *digest("sha256", member->content), std::to_string(member->content.size())});
    return;
  }
  const std::vector<std::string> parts = extra.strings();
  if (parts.empty() || parts.size() > 3 || parts.size() != extra.items().size()) {
    return fields.fail("extra", "expected rows of one to three strings");
  }
  Row row;
  std::copy(parts.begin(), parts.end(), row.begin());
  row[0] = build.path(row[0]);
  rows.push_back(row);
}

void edit_rows(Fields& fields, const std::vector<ZipMember>& members, const Build& build,
               std::vector<Row>& rows) {
  const auto row_of = [&](const std::string& path) {
    return std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row[0] == path; });
  };
  for (const std::string& name : fields.texts("omit")) {
    const auto at = row_of(build.path(name));
    if (at == rows.end()) {
      return fields.fail("omit", fmt::format("no row of \"{}\"", printable(name)));
    }
    rows.erase(at);
  }
  for (const auto& [name, parts] : fields.object("replace")) {
    const auto at = row_of(build.path(name));
    if (at == rows.end() || parts.items().size() != 2) {
      return fields.fail("replace", fmt::format("\"{}\" needs a row and [hash, size], null to keep",
                                                printable(name)));
    }
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      if (parts.items()[i].is_string()) (*at)[i + 1] = parts.items()[i].as_string();
    }
  }
  for (const Json& extra : fields.array("extra")) {
    add_extra(fields, extra, members, build, rows);
  }
}

}  // namespace

Result<std::string> record_text(const Json& spec, const std::vector<ZipMember>& members,
                                const std::string& path, const Build& build) {
  Fields fields(spec, "record");
  fields.flag("first", false);  // where the member stands; its caller's matter
  std::vector<Row> rows = member_rows(fields, members, build);
  rows.push_back({path, "", ""});
  edit_rows(fields, members, build, rows);
  const bool quote = fields.flag("quote_all", false);
  const bool crlf = fields.flag("crlf", false);
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{},{},{}{}", csv(row[0], quote), csv(row[1], quote), csv(row[2], quote),
                        crlf ? "\r\n" : "\n");
  }
  for (const std::string& line : fields.texts("lines")) text += line + "\n";
  if (!fields.flag("final_newline", true)) text.resize(text.find_last_not_of("\r\n") + 1);
  if (const auto whole = fields.maybe_text("text")) text = *whole;
  if (const Result<void> done = fields.finish(); !done) return done.error();
  return text;
}

}  // namespace wheel_audit::forge
