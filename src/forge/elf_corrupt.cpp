// Numbers written over fields of a finished ELF file, by name: how a recipe makes a file that a
// reader must not trust.
#include <fmt/format.h>

#include <iterator>

#include "forge/elf_layout.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit::forge {

namespace {

/// Where "corrupt" finds the fields of both kinds of headers.
void mark_headers(const Image& image, const Layout& layout, std::map<std::string, Mark>& marks) {
  const bool wide = image.spec->machine.wide;
  const std::size_t word = wide ? 8 : 4;
  const std::uint64_t tail = wide ? 48 : 36;  // e_flags
  marks["class"] = {"", 4, 1};
  marks["data"] = {"", 5, 1};
  marks["ident_version"] = {"", 6, 1};
  marks["type"] = {"", 16, 2};
  marks["machine"] = {"", 18, 2};
  marks["version"] = {"", 20, 4};
  marks["entry"] = {"", 24, word};
  marks["phoff"] = {"", 24 + word, word};
  marks["shoff"] = {"", 24 + 2 * word, word};
  const char* const halves[] = {"ehsize", "phentsize", "phnum", "shentsize", "shnum", "shstrndx"};
  for (std::size_t i = 0; i < std::size(halves); ++i) {
    marks[halves[i]] = {"", tail + 4 + 2 * i, 2};
  }
  for (std::size_t i = 0; i < layout.headers.size(); ++i) {
    const std::string& name = layout.headers[i].mark;
    const std::uint64_t at = layout.headers_offset + i * program_header_size(image);
    marks[name + "_type"] = {"", at, 4};
    marks[name + "_flags"] = {"", at + (wide ? 4 : 24), 4};
    const std::uint64_t first = at + (wide ? 8 : 4);
    marks[name + "_offset"] = {"", first, word};
    marks[name + "_address"] = {"", first + word, word};
    marks[name + "_size"] = {"", first + 3 * word, word};
    marks[name + "_memory_size"] = {"", first + 4 * word, word};
    marks[name + "_align"] = {"", first + (wide ? 5 * word : 6 * word), word};
  }
}

}  // namespace

Result<void> corrupt_fields(const Image& image, const Layout& layout, Out& out) {
  std::map<std::string, Mark> marks = image.tables.marks;
  mark_headers(image, layout, marks);
  marks.erase("");
  for (const auto& [name, value] : image.spec->corrupt) {
    const auto mark = marks.find(name);
    const Section* section = mark == marks.end() ? nullptr : image.find(mark->second.section);
    if (mark == marks.end() || (section == nullptr && !mark->second.section.empty())) {
      std::vector<std::string> known;
      for (const auto& [word, place] : marks) {
        if (place.section.empty() || image.find(place.section) != nullptr) known.push_back(word);
      }
      return Error(fmt::format("no field \"{}\"{} in this file", printable(name),
                               did_you_mean(name, known)));
    }
    const std::uint64_t start = section == nullptr ? 0 : section->offset;
    out.set(start + mark->second.offset, value, mark->second.width);
  }
  return {};
}

}  // namespace wheel_audit::forge
