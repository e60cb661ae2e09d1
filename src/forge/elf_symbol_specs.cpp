// Symbols as recipes write them: `memcpy@GLIBC_2.14:libc.so.6`, `f@@V1`, or an object.
#include <fmt/format.h>

#include <algorithm>

#include "forge/elf_spec.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

SymbolSpec brief_symbol(const std::string& text, bool defined) {
  SymbolSpec symbol;
  const std::size_t at = text.find('@');
  symbol.name = text.substr(0, at);
  if (at == std::string::npos) return symbol;
  std::string rest = text.substr(at + 1);
  const bool is_default = rest.starts_with('@');
  if (is_default) rest.erase(0, 1);
  symbol.hidden = defined && !is_default;
  const std::size_t colon = defined ? std::string::npos : rest.find(':');
  symbol.version = rest.substr(0, colon);
  if (colon != std::string::npos) symbol.library = rest.substr(colon + 1);
  return symbol;
}

SymbolSpec read_symbol(Fields& parent, const Json& json, const std::string& place, bool defined,
                       Build& build) {
  SymbolSpec symbol;
  if (json.is_string()) {
    symbol = brief_symbol(json.as_string(), defined);
    symbol.type = "func";
  } else {
    Fields fields(json, place);
    symbol.name = fields.text("name");
    symbol.version = fields.text("version");
    symbol.type = fields.word("type", "func", {"func", "object", "notype", "tls", "ifunc"});
    symbol.weak = fields.flag("weak", false);
    if (defined) {
      symbol.unique = fields.flag("unique", false);
      symbol.hidden = fields.flag("hidden", false);
      symbol.size = fields.size("size", build);
    } else {
      symbol.library = fields.text("library");
      symbol.weak_version = fields.flag("weak_version", false);
    }
    if (const Result<void> done = fields.finish(); !done) parent.fail(done.error());
  }
  symbol.defined = defined;
  if (!defined && !symbol.version.empty() && symbol.library.empty()) {
    if (symbol.version.starts_with("GLIBC_")) {
      symbol.library = "libc.so.6";
    } else {
      parent.fail(
          Error(fmt::format("{}: version {} of {} needs its library, as in "
                            "\"name@VERSION:library\"",
                            place, printable(symbol.version), printable(symbol.name))));
    }
  }
  return symbol;
}

void read_needs(Fields& fields, ElfSpec& spec) {
  for (const auto& [library, versions] : fields.object("needs_versions")) {
    if (!versions.is_array()) fields.fail("needs_versions", "expected lists of versions");
    for (const Json& version : versions.items()) {
      if (version.is_string()) {
        spec.needs.push_back({library, version.as_string(), false});
        continue;
      }
      Fields need(version, fields.at("needs_versions"));
      spec.needs.push_back({library, need.text("version"), need.flag("weak", false)});
      if (const Result<void> done = need.finish(); !done) fields.fail(done.error());
    }
  }
}

}  // namespace

void read_symbols(Fields& fields, ElfSpec& spec, Build& build) {
  for (const Json& symbol : fields.array("imports")) {
    spec.symbols.push_back(read_symbol(fields, symbol, fields.at("imports"), false, build));
  }
  for (const Json& symbol : fields.array("exports")) {
    spec.symbols.push_back(read_symbol(fields, symbol, fields.at("exports"), true, build));
  }
  read_needs(fields, spec);
  spec.defines = fields.texts("defines_versions");
  for (const SymbolSpec& symbol : spec.symbols) {
    const bool listed =
        std::find(spec.defines.begin(), spec.defines.end(), symbol.version) != spec.defines.end();
    if (symbol.defined && !symbol.version.empty() && !listed) {
      spec.defines.push_back(symbol.version);
    }
  }
}

}  // namespace wheel_audit::forge
