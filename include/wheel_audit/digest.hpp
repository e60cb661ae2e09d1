// Digests of bytes. Knows no file and no format.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wheel_audit/bytes.hpp"

namespace wheel_audit {

/// SHA-2 digest of a stream. Algorithms: sha256, sha384, sha512.
class Digest {
 public:
  /// Nothing for an algorithm that is not one of the three.
  static std::optional<Digest> named(std::string_view algorithm);
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;
  void update(ByteView bytes);
  /// Lower-case hex. Ends the digest.
  std::string hex();

 private:
  struct State;
  explicit Digest(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The SHA-256 of a text in hex.
std::string text_sha256(std::string_view text);

}  // namespace wheel_audit
