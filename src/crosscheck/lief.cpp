// LIEF's view of an ELF file. Its limits, seen with 0.9: at most 1000 dynamic entries and a million
// symbols; the counts of symbols from a hash table leave out imports that no hash covers, so the
// section header is asked, which a stripped file lacks.
#include "crosscheck/view.hpp"
#include "wheel_audit/crosscheck.hpp"

#ifdef WHEEL_AUDIT_LIEF

#include <LIEF/ELF.hpp>
#include <LIEF/logging.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace wheel_audit {

namespace {

using LIEF::ELF::DYNAMIC_TAGS;

void add_dynamic(const LIEF::ELF::Binary& binary, Json& view) {
  Json needed = Json::array();
  Json soname;
  Json rpath;
  Json runpath;
  for (const LIEF::ELF::DynamicEntry& entry : binary.dynamic_entries()) {
    if (entry.tag() == DYNAMIC_TAGS::DT_NEEDED) {
      needed.push(dynamic_cast<const LIEF::ELF::DynamicEntryLibrary&>(entry).name());
    } else if (entry.tag() == DYNAMIC_TAGS::DT_SONAME) {
      soname = dynamic_cast<const LIEF::ELF::DynamicSharedObject&>(entry).name();
    } else if (entry.tag() == DYNAMIC_TAGS::DT_RPATH) {
      rpath = dynamic_cast<const LIEF::ELF::DynamicEntryRpath&>(entry).name();
    } else if (entry.tag() == DYNAMIC_TAGS::DT_RUNPATH) {
      runpath = dynamic_cast<const LIEF::ELF::DynamicEntryRunPath&>(entry).name();
    }
  }
  view.set("soname", std::move(soname));
  view.set("needed", std::move(needed));
  view.set("rpath", std::move(rpath));
  view.set("runpath", std::move(runpath));
}

void add_versions(const LIEF::ELF::Binary& binary, Json& view) {
  std::map<std::string, std::set<std::string>> needs;
  for (const LIEF::ELF::SymbolVersionRequirement& need : binary.symbols_version_requirement()) {
    for (const LIEF::ELF::SymbolVersionAuxRequirement& version : need.auxiliary_symbols())
      needs[need.name()].insert(version.name());
  }
  Json json = Json::object();
  for (const auto& [library, versions] : needs)
    json.set(library, std::vector<std::string>(versions.begin(), versions.end()));
  view.set("needs_versions", std::move(json));
}

void add_counts(const LIEF::ELF::Binary& binary, Json& view) {
  const auto& sections = binary.sections();
  const bool told = std::any_of(sections.begin(), sections.end(), [](const auto& section) {
    return section.type() == LIEF::ELF::ELF_SECTION_TYPES::SHT_DYNSYM;
  });
  if (!told) return;
  std::uint64_t imports = 0;
  std::uint64_t all = 0;
  for (const LIEF::ELF::Symbol& symbol : binary.dynamic_symbols()) {
    if (all++ > 0 && symbol.shndx() == 0) ++imports;  // the first one is the null symbol
  }
  if (all >= LIEF::ELF::Parser::NB_MAX_SYMBOLS) return;
  view.set("exports", all == 0 ? 0 : all - 1 - imports);
  view.set("imports", imports);
}

}  // namespace

bool has_second_reader() { return true; }

Result<Json> lief_view(const std::vector<std::uint8_t>& bytes) {
  LIEF::Logger::disable();
  try {
    const std::unique_ptr<const LIEF::ELF::Binary> binary =
        LIEF::ELF::Parser::parse(bytes, "", LIEF::ELF::DYNSYM_COUNT_METHODS::COUNT_SECTION);
    if (!binary) return Error("LIEF gives no reason");
    Json view = Json::object();
    const bool wide = binary->header().identity_class() == LIEF::ELF::ELF_CLASS::ELFCLASS64;
    view.set("class", wide ? 64 : 32);
    view.set("machine", static_cast<int>(binary->header().machine_type()));
    const auto& entries = binary->dynamic_entries();
    if (entries.size() < LIEF::ELF::Parser::NB_MAX_DYNAMIC_ENTRIES) {
      add_dynamic(*binary, view);
      add_versions(*binary, view);
    }
    add_counts(*binary, view);
    return view;
  } catch (const std::exception& fault) {
    return Error(fault.what());
  }
}

}  // namespace wheel_audit

#else

namespace wheel_audit {

bool has_second_reader() { return false; }

Result<Json> lief_view(const std::vector<std::uint8_t>& bytes) {
  static_cast<void>(bytes);
  return Error("this build has no LIEF");
}

}  // namespace wheel_audit

#endif
