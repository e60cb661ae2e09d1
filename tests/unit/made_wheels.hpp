// Facts of wheels made by hand, for tests of what compares them.
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace made
