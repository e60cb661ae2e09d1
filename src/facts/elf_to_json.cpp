// The facts of one ELF member as JSON.
#include <algorithm>
#include <map>

#include "facts/parts.hpp"
#include "facts/words.hpp"

namespace wheel_audit {

namespace {

/// Version needs by library, in order of their first one, versions sorted; `weak` chooses those
/// whose absence is no error.
Json versions_json(const std::vector<VersionNeed>& needs, bool weak) {
  std::vector<std::pair<std::string, std::vector<std::string>>> libraries;
  std::map<std::string, std::size_t> places;
  for (const VersionNeed& need : needs) {
    if (need.weak != weak) continue;
    const auto [place, fresh] = places.emplace(as_key(need.library), libraries.size());
    if (fresh) libraries.push_back({place->first, {}});
    libraries[place->second].second.push_back(need.version);
  }
  Json json = Json::object();
  for (auto& [library, versions] : libraries) {
    std::ranges::sort(versions);
    json.append(library, versions);
  }
  return json;
}

/// A search path: empty where there is none, one empty entry where it is there and empty.
Json path_json(bool has, const std::vector<std::string>& entries) {
  if (has && entries.empty()) return Json::Array{""};
  return has ? Json(entries) : Json::array();
}

Json symbol_json(const Symbol& symbol) {
  Json json = Json::object();
  json.append("name", symbol.name);
  if (!symbol.version.empty()) json.append("version", symbol.version);
  if (!symbol.library.empty()) json.append("library", symbol.library);
  if (symbol.binding != Binding::global)
    json.append("binding", kBindings[static_cast<std::size_t>(symbol.binding)]);
  json.append("type", int{symbol.type});
  if (symbol.defined) json.append("defined", true);
  if (symbol.hidden) json.append("hidden", true);
  return json;
}

Json segment_json(const Segment& s) {
  return Json(Json::Array{s.offset, s.address, s.file_size, s.memory_size, s.align, s.flags});
}

Json section_json(const Section& s) {
  return Json(Json::Array{s.name, s.type, s.flags, s.offset, s.size});
}

}  // namespace

Json elf_to_json(const ElfFacts& elf) {
  Json json = Json::object();
  json.append("path", elf.path);
  json.append("class", elf.bits);
  json.append("machine", elf.machine);
  json.append("type", elf.type);
  json.append("soname", or_null(elf.soname));
  json.append("needed", elf.needed);
  json.append("rpath", path_json(elf.has_rpath, elf.rpath));
  json.append("runpath", path_json(elf.has_runpath, elf.runpath));
  json.append("needs_versions", versions_json(elf.version_needs, false));
  json.append("defines_versions", elf.defines_versions);
  json.append("stack", elf.stack == Stack::absent
                           ? Json()
                           : Json(kStacks[static_cast<std::size_t>(elf.stack) - 1]));
  json.append("text_relocations", elf.text_relocations);
  json.append("bind_now", elf.bind_now);
  json.append("interpreter", or_null(elf.interpreter));
  json.append("build_id", or_null(elf.build_id));
  json.append("section_headers", elf.section_headers);
  json.append("symtab", elf.symtab);
  json.append("debug", elf.debug);
  json.append("exports", elf.exports);
  json.append("imports", elf.imports);
  json.append("big_endian", elf.big_endian);
  json.append("machine_code", int{elf.machine_code});
  json.append("os_abi", int{elf.os_abi});
  json.append("flags", elf.flags);
  json.append("dynamic", elf.dynamic);
  json.append("weak_versions", versions_json(elf.version_needs, true));
  json.append("relro", elf.relro);
  json.append("static_tls", elf.static_tls);
  json.append("packed_relocations", elf.packed_relocations);
  json.append("isa_needed", elf.isa_needed);
  json.append("segments", array_of(elf.segments, segment_json));
  json.append("sections", array_of(elf.sections, section_json));
  json.append("symtab_bytes", elf.symtab_bytes);
  json.append("debug_bytes", elf.debug_bytes);
  if (!elf.paths.empty()) json.append("paths", elf.paths);
  if (elf.more_paths) json.append("more_paths", true);
  json.append("all_symbols", elf.all_symbols);
  json.append("symbols", array_of(elf.symbols, symbol_json));
  return json;
}

}  // namespace wheel_audit
