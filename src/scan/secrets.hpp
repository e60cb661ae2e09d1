// Recognises secrets in texts.
#pragma once

#include <string>
#include <string_view>

namespace wheel_audit {

/// Looks through a text as it streams by. A source file that merely names the header of a key is
/// none. A key that is longer than what is kept between chunks may be missed where two meet.
class SecretScanner {
 public:
  /// The first chunk also tells what the whole file is.
  void feed(std::string_view chunk);
  /// `private key`, `certificate`, `cloud credentials`, or nothing; a private key before all else.
  const std::string& found() const { return found_; }

 private:
  bool begun_ = false;
  std::string found_;
  std::string before_;  ///< the end of what was fed
};

}  // namespace wheel_audit
