// Facts of wheels made by hand, for tests of what compares them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheel_audit/wheel.hpp"

namespace made {

using namespace wheel_audit;

inline WheelFacts wheel_named(const std::string& file) {
  WheelFacts wheel;
  wheel.given = wheel.file_name = file;
  wheel.file_size = 1000;
  if (Result<NameFacts> name = parse_wheel_name(file)) wheel.name = std::move(*name);
  return wheel;
}

inline void add_member(WheelFacts& wheel, const std::string& path,
                       MemberKind kind = MemberKind::elf, std::uint64_t size = 100) {
  MemberFacts member;
  member.path = path;
  member.size = size;
  member.compressed = size / 2;
  member.crc32 = static_cast<std::uint32_t>(size);
  member.kind = kind;
  wheel.members.push_back(member);
}

inline const std::string kOld = "demo-1.0-cp311-cp311-manylinux_2_28_x86_64.whl";
inline const std::string kNew = "demo-1.1-cp312-cp312-manylinux_2_28_x86_64.whl";

/// An exported symbol, `name` or `name@VERSION`.
inline void add_export(ElfFacts& elf, const std::string& text, bool hidden = false) {
  std::string pool = elf.pool ? *elf.pool : "";
  const std::size_t begin = pool.size();
  pool += text;
  const auto kept = std::make_shared<const std::string>(pool);
  // Views move with the pool.
  for (Symbol& symbol : elf.symbols) {
    const auto moved = [&](std::string_view view) {
      return view.empty()
                 ? view
                 : std::string_view(*kept).substr(
                       static_cast<std::size_t>(view.data() - elf.pool->data()), view.size());
    };
    symbol.name = moved(symbol.name);
    symbol.version = moved(symbol.version);
  }
  elf.pool = kept;
  const std::string_view all = std::string_view(*kept).substr(begin);
  const std::size_t at = all.find('@');
  Symbol symbol;
  symbol.name = all.substr(0, at);
  if (at != std::string_view::npos) symbol.version = all.substr(at + 1);
  symbol.defined = true;
  symbol.type = 2;
  symbol.hidden = hidden;
  elf.symbols.push_back(symbol);
}

/// An ELF member with every symbol known.
inline ElfFacts& add_library(WheelFacts& wheel, const std::string& path,
                             const std::vector<std::string>& exports = {}) {
  add_member(wheel, path);
  ElfFacts elf;
  elf.path = path;
  elf.machine = "x86_64";
  elf.all_symbols = true;
  for (const std::string& name : exports) add_export(elf, name);
  wheel.elves.push_back(std::move(elf));
  return wheel.elves.back();
}

}  // namespace made
