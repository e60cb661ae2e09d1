// Which search entries a project's libraries have by its policy.
#include "kinds/search_scheme.hpp"

#include <algorithm>

#include "kinds/libraries.hpp"
#include "kinds/shipped_files.hpp"
#include "wheel_audit/search_entry.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

Scheme scheme_of(Params& params) {
  Scheme scheme;
  strictly(params, params.table("table"), "", [&](Fields& table) {
    table.find("about");
    scheme.libraries = table.texts("libraries");
    for (const std::string& directory : table.texts("siblings"))
      scheme.siblings.push_back(directory_below_prefix(directory));
    scheme.toolkit = table.texts("toolkit");
    for (const std::string& directory : table.texts("dangling"))
      scheme.dangling.insert(directory_below_prefix(directory));
    scheme.absolute = table.texts("absolute");
    scheme.builders = table.texts("builders");
  });
  return scheme;
}

std::vector<Library> libraries_of(const Subject& subject, const Scheme& scheme) {
  std::vector<Library> found;
  for (const ElfFacts* elf : shipped_elves(subject, scheme.libraries)) {
    const Placed* placed = subject.site().of(subject.wheel, elf->path);
    if (placed == nullptr || placed->elf == nullptr || elf->is_executable()) continue;
    Library library;
    library.placed = placed;
    for (const std::string& text : elf->search_path()) {
      SearchEntry entry = search_entry(text, *placed);
      library.directories.insert(entry.directories.begin(), entry.directories.end());
      library.entries.push_back(std::move(entry));
    }
    library.wants_hop = std::ranges::any_of(
        elf->needed, [&](const std::string& need) { return matches_any(scheme.toolkit, need); });
    found.push_back(std::move(library));
  }
  return found;
}

bool has_any_entry(const std::vector<Library>& libraries) {
  return std::ranges::any_of(libraries, [](const Library& one) { return !one.entries.empty(); });
}

bool aims_at(const SearchEntry& entry, const std::string& directory) {
  std::vector<std::string_view> parts = split(entry.text, '/');
  std::erase_if(parts, [](std::string_view part) {
    return part.empty() || part == ".." || part == "$ORIGIN" || part == "${ORIGIN}";
  });
  std::string rest;
  for (const std::string_view part : parts) rest += "/" + std::string(part);
  const std::string_view full = std::string_view(directory).substr(kSitePackages.size());
  return rest == full || rest == full.substr(std::min(full.find('/', 1), full.size()));
}

}  // namespace wheel_audit
