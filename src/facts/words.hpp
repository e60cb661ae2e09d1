// The words that facts JSON uses for enumerators.
#pragma once

#include <array>
#include <string_view>

namespace wheel_audit {

// In the order of MemberKind and Binding; of Stack without its first, which is null.
inline constexpr std::array<std::string_view, 7> kMemberKinds = {"other", "directory", "elf", "pe",
                                                                 "macho", "ar",        "text"};
inline constexpr std::array<std::string_view, 2> kStacks = {"rw", "rwx"};
inline constexpr std::array<std::string_view, 4> kBindings = {"local", "global", "weak", "unique"};

inline constexpr std::string_view kFactsSchema = "wheel-audit.facts/1";

}  // namespace wheel_audit
