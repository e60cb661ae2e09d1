// A member's bytes from its recipe: one function and one row for each way to write them.
#include "forge/content.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

using Source = Bytes (*)(Fields&, std::string_view, Build&);

/// Unwraps what a format's writer made; its fault becomes the fault of the fields.
Bytes unwrap(Fields& fields, Result<Bytes> made) {
  if (made) return std::move(*made);
  fields.fail(made.error());
  return {};
}

Bytes text_source(Fields& fields, std::string_view key, Build&) {
  return to_bytes(fields.text(key));
}

Bytes hex_source(Fields& fields, std::string_view key, Build&) { return fields.hex(key); }

Bytes base64_source(Fields& fields, std::string_view key, Build&) {
  const std::optional<Bytes> bytes = from_base64(fields.text(key));
  if (!bytes) fields.fail(key, "expected base64 with padding");
  return bytes.value_or(Bytes());
}

Bytes lines_source(Fields& fields, std::string_view key, Build&) {
  std::string text;
  for (const std::string& line : fields.texts(key)) text += line + "\n";
  return to_bytes(text);
}

Bytes repeat_source(Fields& fields, std::string_view key, Build& build) {
  Fields repeat(*fields.find(key), fields.at(key));
  const std::uint64_t byte = repeat.number("byte", 0, 255);
  const std::uint64_t size = repeat.size("size", build);
  if (const Result<void> done = repeat.finish(); !done) {
    fields.fail(done.error());
    return {};
  }
  return Bytes(static_cast<std::size_t>(size), static_cast<std::uint8_t>(byte));
}

/// Bytes that no compressor shrinks, the same for the same seed (xorshift64).
Bytes noise_source(Fields& fields, std::string_view key, Build& build) {
  Fields noise(*fields.find(key), fields.at(key));
  std::uint64_t state = noise.number("seed", 1, UINT64_MAX) | 1U;
  Bytes bytes(static_cast<std::size_t>(noise.size("size", build)));
  if (const Result<void> done = noise.finish(); !done) fields.fail(done.error());
  for (std::uint8_t& byte : bytes) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    byte = static_cast<std::uint8_t>(state >> 24U);
  }
  return bytes;
}

Bytes file_source(Fields& fields, std::string_view key, Build& build) {
  const std::string name = fields.text(key);
  if (build.folder.empty()) {
    fields.fail(key, "files outside the recipe are not allowed here");
    return {};
  }
  if (name.find("..") != std::string::npos) {
    fields.fail(key, fmt::format("\"{}\" climbs out of the recipe's folder", printable(name)));
    return {};
  }
  std::ifstream file(build.folder + "/" + name, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0) {
    fields.fail(key, fmt::format("cannot read \"{}\"", printable(name)));
    return {};
  }
  if (!build.take(static_cast<std::uint64_t>(size))) {
    fields.fail(key, fmt::format("\"{}\" has {} bytes, over the limit", printable(name), size));
    return {};
  }
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(bytes.data(), size)) fields.fail(key, fmt::format("cannot read \"{}\"", name));
  return to_bytes(bytes);
}

Bytes elf_source(Fields& fields, std::string_view key, Build& build) {
  return unwrap(fields, build_elf(*fields.find(key), fields.at(key), build));
}
Bytes fatbin_source(Fields& fields, std::string_view key, Build& build) {
  return unwrap(fields, build_fatbin(*fields.find(key), fields.at(key), build));
}
Bytes pe_source(Fields& fields, std::string_view key, Build&) {
  return unwrap(fields, build_pe(*fields.find(key), fields.at(key)));
}
Bytes macho_source(Fields& fields, std::string_view key, Build&) {
  return unwrap(fields, build_macho(*fields.find(key), fields.at(key)));
}
Bytes ar_source(Fields& fields, std::string_view key, Build& build) {
  return unwrap(fields, build_ar(*fields.find(key), fields.at(key), build));
}

struct SourceRow {
  std::string_view key;
  Source read;
};

constexpr std::array<SourceRow, 12> kSources = {{{"text", text_source},
                                                 {"hex", hex_source},
                                                 {"base64", base64_source},
                                                 {"lines", lines_source},
                                                 {"repeat", repeat_source},
                                                 {"noise", noise_source},
                                                 {"file", file_source},
                                                 {"elf", elf_source},
                                                 {"fatbin", fatbin_source},
                                                 {"pe", pe_source},
                                                 {"macho", macho_source},
                                                 {"ar", ar_source}}};

/// Overwrites bytes of finished content, as a corruption would.
void patch(Fields& fields, Bytes& bytes) {
  for (const Json& item : fields.array("patch")) {
    Fields one(item, fields.at("patch"));
    const std::uint64_t offset = one.number("offset", 0, kMostBytes);
    const Bytes with = one.hex("hex");
    if (offset > bytes.size() || with.size() > bytes.size() - offset) {
      one.fail("offset",
               fmt::format("{} bytes at {} do not fit into {}", with.size(), offset, bytes.size()));
    }
    if (const Result<void> done = one.finish(); !done) {
      fields.fail(done.error());
      return;
    }
    std::copy(with.begin(), with.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
  }
}

}  // namespace

Bytes read_content(Fields& fields, Build& build) {
  Bytes bytes;
  std::string_view found;
  for (const SourceRow& source : kSources) {
    if (fields.find(source.key) == nullptr) continue;
    if (!found.empty()) {
      fields.fail("", fmt::format("has two contents, \"{}\" and \"{}\" (null removes one)", found,
                                  source.key));
      return {};
    }
    found = source.key;
    bytes = source.read(fields, source.key, build);
  }
  const std::optional<std::uint64_t> size = fields.maybe_number("truncate", kMostBytes);
  if (size && *size > bytes.size() && !fields.failed()) {
    fields.fail("truncate", fmt::format("is {}, more than the {} bytes", *size, bytes.size()));
  } else if (size) {
    bytes.resize(static_cast<std::size_t>(*size));
  }
  if (fields.find("patch") != nullptr && !fields.failed()) patch(fields, bytes);
  return bytes;
}

}  // namespace wheel_audit::forge
