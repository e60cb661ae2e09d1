// The archive as libzip sees it: a second reader to compare with, and the decoders for the methods
// that are neither stored nor deflate.
#pragma once

#include <functional>
#include <vector>

#include "archive/structure.hpp"

namespace wheel_audit {

/// Records the first thing that libzip sees differently, or why it refuses the archive (which is
/// no news when problems are known already). The error is that of a file that cannot be read.
Result<void> compare_second_view(const InputFile& file, const std::vector<ArchiveMember>& members,
                                 Problems& problems);

/// Whether libzip was built with a decoder for a compression method.
bool second_view_decodes(std::uint16_t method);

/// Decodes a member with libzip; `sink` returns false to stop early.
Result<void> decode_by_second_view(const InputFile& file, std::size_t index,
                                   const ArchiveMember& member,
                                   const std::function<bool(ByteView)>& sink);

}  // namespace wheel_audit
