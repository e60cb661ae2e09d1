// Symbols named as people write them (`demo::runtime::register_backend`), told apart in symbol
// tables by the mangled prefix that such a name has (Itanium C++ ABI, 5.1): no demangler, and no
// table is demangled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wheel_audit {

/// A written name. It stands for the function or variable of that name, whatever its parameters,
/// for the static variables within it, and where it is a class for its members. A name without
/// `::` is a C name as well.
class WrittenName {
 public:
  explicit WrittenName(std::string_view text);
  const std::string& text() const { return text_; }
  /// Whether a symbol of a symbol table is what the name stands for.
  bool matches(std::string_view symbol) const;
  /// Globs of every symbol that can match: what facts must hold.
  std::vector<std::string> globs() const;

 private:
  std::string text_;
  std::vector<std::string> prefixes_;  ///< of the mangled forms, up to the end of the name
  bool constructor_ = false;
  bool scoped_ = false;
};

std::vector<WrittenName> written_names(const std::vector<std::string>& texts);

}  // namespace wheel_audit
