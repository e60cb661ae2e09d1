// Strict reading of one JSON object: every key that is asked for becomes a known one, the first
// fault sticks, and finish() refuses the keys that nobody asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheel_audit/json.hpp"
#include "wheel_audit/result.hpp"

namespace wheel_audit {

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
  std::vector<std::string> texts(std::string_view key);
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

}  // namespace wheel_audit
