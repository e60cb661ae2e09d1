// Strict reading of one JSON object of a recipe: every key that is asked for becomes a known one,
// the first fault sticks, and finish() refuses the keys that nobody asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "forge/bytes_out.hpp"
#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit::forge {

/// Bytes that one recipe may ask for: a typing error must not take the machine's memory.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U;

/// What the building of one recipe shares: where its files are, and how much it may still take.
struct Build {
  std::string folder;
  std::uint64_t left = kMostBytes;
  std::vector<std::pair<std::string, std::string>> words;  ///< `{dist-info}` and its like

  /// Counts bytes against the limit.
  bool take(std::uint64_t bytes) {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  }
  /// The path with `{dist-info}` and `{data}` replaced.
  std::string path(std::string_view text) const;
};

/// Bytes of hex digits (white space between them is skipped), or nothing.
std::optional<Bytes> from_hex(std::string_view text);
/// Bytes of base64 with padding, or nothing.
std::optional<Bytes> from_base64(std::string_view text);

/// The members of an object; a null member counts as absent.
class Fields {
 public:
  Fields(const Json& object, std::string place);

  const Json* find(std::string_view key);
  std::string text(std::string_view key, std::string_view otherwise = {});
  std::optional<std::string> maybe_text(std::string_view key);
  bool flag(std::string_view key, bool otherwise);
  std::uint64_t number(std::string_view key, std::uint64_t otherwise, std::uint64_t most);
  std::optional<std::uint64_t> maybe_number(std::string_view key, std::uint64_t most = UINT64_MAX);
  /// A number that may be negative.
  std::int64_t whole(std::string_view key, std::int64_t otherwise);
  /// A number of bytes, counted against the limit of `build`.
  std::uint64_t size(std::string_view key, Build& build);
  std::vector<std::string> texts(std::string_view key);
  Bytes hex(std::string_view key);
  /// One of some words.
  std::string word(std::string_view key, std::string_view otherwise,
                   std::initializer_list<std::string_view> known);
  const Json::Array& array(std::string_view key);
  const Json::Object& object(std::string_view key);

  /// The place of a member, for messages: `files.x.elf`.
  std::string at(std::string_view key) const;
  /// Notes a fault; the first one stays.
  void fail(std::string_view key, std::string_view message);
  void fail(const Error& error);
  /// Success when nothing failed and every key was asked for.
  Result<void> finish();
  bool failed() const { return error_.has_value(); }

 private:
  const Json* typed(std::string_view key, bool (Json::*is)() const, std::string_view expected);

  const Json& json_;
  std::string place_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

}  // namespace wheel_audit::forge
