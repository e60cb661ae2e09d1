// A recipe's content source, `{"text": …}`, `{"elf": …}` and so on, to bytes.
#pragma once

#include <string>

#include "forge/fields.hpp"

namespace wheel_audit::forge {

/// Reads the one source among `fields`, with `truncate` and `patch` applied. Registers the keys of
/// every source, so that the caller's finish() knows them; faults stick to `fields`.
Bytes read_content(Fields& fields, Build& build);

/// A fat binary specification as raw containers, one after another.
Result<Bytes> build_fatbin(const Json& spec, const std::string& place, Build& build);
/// An ELF file.
Result<Bytes> build_elf(const Json& spec, const std::string& place, Build& build);
/// The headers of a PE file (`{"machine": "x86_64", "dll": true}`).
Result<Bytes> build_pe(const Json& spec, const std::string& place);
/// The header of a Mach-O library (`{"machine": "aarch64"}`).
Result<Bytes> build_macho(const Json& spec, const std::string& place);
/// A static archive in the GNU form (`{"members": {"a.o": source}}`).
Result<Bytes> build_ar(const Json& spec, const std::string& place, Build& build);

}  // namespace wheel_audit::forge
