// What rules ask of texts in a wheel: the `#include` lines of headers, the commands of CMake files,
// the paths among the strings of ELF files. Read where rules ask for them, never of all.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wheel_audit {

/// Absolute paths that are looked for among the strings of ELF files: those that begin with a root
/// (`/home/`) and go on as a glob says (`*.cpp`).
struct PathWish {
  std::vector<std::string> roots;
  std::vector<std::string> below;
  std::vector<std::string> except;  ///< globs of whole paths
  auto operator<=>(const PathWish&) const = default;
  bool wants(std::string_view path) const;
};

/// Globs of the members whose texts are read, and the paths that are looked for.
struct TextWishes {
  std::vector<std::string> headers;
  std::vector<std::string> cmake;
  std::vector<PathWish> paths;
};

/// As many distinct paths of one ELF file are kept, the first of them.
inline constexpr std::size_t kMostPaths = 16;

/// An `#include` line.
struct Include {
  std::string name;          ///< without its brackets or quotes
  std::uint32_t line = 0;    ///< from 1
  bool quoted = false;       ///< searched next to the header first
  bool conditional = false;  ///< within an `#if` other than the header's own guard
  bool operator==(const Include&) const = default;
};

/// The includes of one header.
struct HeaderFacts {
  std::string path;
  std::vector<Include> includes;
  std::string problem;  ///< why they are not all of them; else empty
  bool operator==(const HeaderFacts&) const = default;
};

/// One command of a CMake file. Variables stay as written.
struct CMakeCommand {
  std::string name;  ///< in lower case
  std::vector<std::string> arguments;
  std::uint32_t line = 0;  ///< from 1
  /// The command that opened the block it stands in (`if`, `else`, `foreach`, `function`…), by
  /// index; that of an `elseif` or `else` is what its `if` stands in.
  std::optional<std::uint32_t> block;
  bool operator==(const CMakeCommand&) const = default;
};

/// The commands of one CMake file.
struct CMakeFacts {
  std::string path;
  std::vector<CMakeCommand> commands;
  std::vector<std::string> placeholders;  ///< `@NAME@` that configuring left, each once, sorted
  std::string problem;                    ///< why they are not all of them; else empty
  bool operator==(const CMakeFacts&) const = default;
};

/// Reads the includes of a header's text. Comments and continued lines are as a compiler sees them.
HeaderFacts parse_header(std::string path, std::string_view text);

/// Reads the commands of a CMake file by the grammar of cmake-language(7).
CMakeFacts parse_cmake(std::string path, std::string_view text);

}  // namespace wheel_audit
