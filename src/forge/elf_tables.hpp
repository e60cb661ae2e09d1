// The parts of a dynamic ELF file that do not depend on where it is laid out: the order of its
// symbols, their strings, the version tables and the hash tables.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "forge/elf_spec.hpp"

namespace wheel_audit::forge {

/// A string table; equal strings share one place.
class Strings {
 public:
  std::uint64_t add(const std::string& text);
  const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_ = {0};
  std::map<std::string, std::uint64_t> known_;
};

/// A place in the finished file that "corrupt" can name.
struct Mark {
  std::string section;
  std::uint64_t offset = 0;
  std::size_t width = 0;
};

/// The tables of one file.
struct Tables {
  std::vector<SymbolSpec> symbols;  ///< in table order, without the null symbol
  std::vector<std::uint64_t> names;
  Strings strings;
  Bytes versym;  ///< empty without versions
  Bytes verneed;
  std::uint64_t verneed_count = 0;
  Bytes verdef;
  std::uint64_t verdef_count = 0;
  Bytes gnu_hash;
  Bytes sysv_hash;
  std::map<std::string, Mark> marks;
};

Tables make_tables(const ElfSpec& spec);

}  // namespace wheel_audit::forge
