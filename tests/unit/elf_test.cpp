// The ELF reader on files that are there, and on copies with one number changed.
#include "wheel_audit/elf.hpp"

#include <algorithm>
#include <functional>

#include "catch.hpp"
#include "elf_files.hpp"

using namespace wheel_audit;

namespace {

Result<ElfFacts> read(const std::string& image) {
  WholeMember member{ByteView(std::string_view(image))};
  return read_elf(member);
}

std::string refusal(const std::string& image) {
  const Result<ElfFacts> facts = read(image);
  return facts ? "read without error" : facts.error().message();
}

const Symbol* symbol(const ElfFacts& facts, std::string_view name, bool defined) {
  const auto found = std::ranges::find_if(facts.symbols, [&](const Symbol& candidate) {
    return candidate.name == name && candidate.defined == defined;
  });
  return found == facts.symbols.end() ? nullptr : &*found;
}

bool says(const std::string& message, std::string_view part) {
  INFO(message);
  return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("an executable shows what it needs and imports") {
  const std::string image = own_executable();
  const Result<ElfFacts> facts = read(image);
  REQUIRE(facts);
  CHECK(facts->dynamic);
  CHECK(facts->is_host());
  CHECK(facts->is_executable());
  CHECK(facts->interpreter.value_or("").starts_with("/lib"));
  CHECK(facts->needs("libc.so.6"));
  CHECK(facts->stack == Stack::rw);
  CHECK(facts->all_symbols);
  CHECK(facts->exports + facts->imports == facts->symbols.size());
  const Symbol* import = symbol(*facts, "__libc_start_main", false);
  REQUIRE(import != nullptr);
  CHECK(import->version.starts_with("GLIBC_2."));
  CHECK(import->library == "libc.so.6");
  const char* begin = facts->pool->data();
  CHECK((import->name.data() > begin && import->name.data() < begin + facts->pool->size()));
  CHECK(facts->section_headers);
  CHECK(std::ranges::find(facts->sections, ".text", &Section::name) != facts->sections.end());
}

TEST_CASE("the C library shows what it defines") {
  const Result<ElfFacts> facts = read(loaded_library("/libc.so.6"));
  REQUIRE(facts);
  CHECK(facts->soname == "libc.so.6");
  CHECK(facts->type == "dyn");
  CHECK(facts->exports > 2000);
  CHECK(std::ranges::find(facts->defines_versions, "GLIBC_2.17") != facts->defines_versions.end());
  CHECK(std::ranges::find(facts->defines_versions, "libc.so.6") == facts->defines_versions.end());
  const Symbol* getenv = symbol(*facts, "getenv", true);
  REQUIRE(getenv != nullptr);
  CHECK(getenv->version.starts_with("GLIBC_2."));
  CHECK(getenv->library.empty());
  CHECK_FALSE(getenv->hidden);
  CHECK(getenv->type == 2);
  CHECK(facts->build_id.size() == 40);
  CHECK(facts->relro);
}

TEST_CASE("a filter sees every symbol, and what it refuses is counted and not kept") {
  class Imports final : public SymbolFilter {
   public:
    void expect(std::uint64_t count) override { expected = count; }
    bool keeps(const Symbol& symbol) override {
      ++seen;
      return !symbol.defined;
    }
    std::uint64_t expected = 0;
    std::uint64_t seen = 0;
  } imports;
  const std::string image = loaded_library("/libc.so.6");
  WholeMember member{ByteView(std::string_view(image))};
  const Result<ElfFacts> facts = read_elf(member, &imports);
  const Result<ElfFacts> whole = read(image);
  REQUIRE(facts);
  REQUIRE(whole);
  CHECK(imports.expected == whole->symbols.size());
  CHECK(imports.seen == whole->symbols.size());
  CHECK(facts->exports == whole->exports);
  CHECK(facts->imports == whole->imports);
  CHECK(facts->symbols.size() == facts->imports);
  CHECK(std::ranges::none_of(facts->symbols, &Symbol::defined));
  CHECK(whole->all_symbols);
  CHECK_FALSE(facts->all_symbols);
}

TEST_CASE("section headers are an extra") {
  const std::string image = loaded_library("/libc.so.6");
  const Result<ElfFacts> whole = read(image);
  REQUIRE(whole);
  const std::function<void(std::string&)> removals[] = {
      [](std::string& copy) {
        put(copy, 40, 8, 0);
        put(copy, 60, 4, 0);
      },
      [](std::string& copy) { put(copy, 58, 2, 7); },
      [](std::string& copy) { put(copy, 62, 2, 0xfffe); },
  };
  for (const auto& remove : removals) {
    std::string copy = image;
    remove(copy);
    const Result<ElfFacts> facts = read(copy);
    REQUIRE(facts);
    CHECK_FALSE(facts->section_headers);
    CHECK(facts->sections.empty());
    CHECK(facts->needed == whole->needed);
    CHECK(facts->exports == whole->exports);
    CHECK(facts->imports == whole->imports);
    CHECK(facts->version_needs == whole->version_needs);
  }
}

TEST_CASE("counts too large for the header are in section header 0") {
  std::string image = loaded_library("/libc.so.6");
  const std::size_t section = number(image, 40, 8);
  put(image, section + 44, 4, number(image, 56, 2));  // sh_info: program headers
  put(image, section + 32, 8, number(image, 60, 2));  // sh_size: section headers
  put(image, section + 40, 4, number(image, 62, 2));  // sh_link: names
  put(image, 56, 2, 0xffff);
  put(image, 60, 2, 0);
  put(image, 62, 2, 0xffff);
  const Result<ElfFacts> facts = read(image);
  REQUIRE(facts);
  CHECK(facts->soname == "libc.so.6");
  CHECK(std::ranges::find(facts->sections, ".dynsym", &Section::name) != facts->sections.end());
}

TEST_CASE("files that loaders cannot read are refused with the reason") {
  const std::string image = loaded_library("/libc.so.6");
  std::string copy = image;
  CHECK(says(refusal("not an ELF file at all"), "does not start with an ELF identification"));
  CHECK(says(refusal(image.substr(0, 40)), "its ELF header alone takes 64"));
  CHECK(says(refusal(image.substr(0, image.size() / 2)), "it was cut short"));
  copy = image.substr(0, number(image, 40, 8));
  CHECK(says(refusal(copy), "section headers at"));
  CHECK(says(refusal(copy), "it was cut short"));
  copy = image;
  put(copy, 40, 8, ~0ULL);
  CHECK(says(refusal(copy), "section headers at 0xffffffffffffffff reach past the file's"));

  const auto refused = [&](std::size_t offset, std::size_t width, std::uint64_t value) {
    copy = image;
    put(copy, offset, width, value);
    return refusal(copy);
  };
  CHECK(says(refused(4, 1, 3), "ELF class is 3"));
  CHECK(says(refused(5, 1, 0), "ELF byte order is 0"));
  CHECK(says(refused(56, 2, 65000), "65000 program headers at 0x40 reach past"));
  CHECK(says(refused(32, 8, ~0ULL - 7), "reach past the file"));
  CHECK(says(refused(54, 2, 57), "program headers have 57 bytes, expected 56"));
  const std::size_t dynamic = program_header(image, 2);
  CHECK(says(refused(dynamic + 32, 8, 1ULL << 62U), "PT_DYNAMIC of 4611686018427387904 bytes"));
  CHECK(says(refused(dynamic + 16, 8, 0x7fff0000), "no PT_LOAD maps that"));
  CHECK(says(refused(dynamic_value(image, 5), 8, 0x7fff0000), "DT_STRTAB is 0x7fff0000, which no"));
  CHECK(says(refused(dynamic_value(image, 10), 8, ~0ULL), "DT_STRTAB at"));
  CHECK(says(refused(dynamic_value(image, 10), 8, 16), "does not end in DT_STRTAB's 16 bytes"));
  CHECK(says(refused(dynamic_value(image, 6), 8, ~0ULL), "DT_SYMTAB is 0xffffffffffffffff"));
  CHECK(says(refused(dynamic_value(image, 11), 8, 16), "DT_SYMENT is 16, expected 24"));
  CHECK(says(refused(dynamic_value(image, 0x6ffffff0), 8, 1ULL << 63U), "DT_VERSYM is"));
  CHECK(says(refused(dynamic_value(image, 0x6ffffffe), 8, 1ULL << 63U), "DT_VERNEED is"));
  const std::size_t hash = file_offset(image, number(image, dynamic_value(image, 0x6ffffef5), 8));
  CHECK(says(refused(hash, 4, 0xffffffff), "DT_GNU_HASH at"));
  CHECK(says(refused(hash + 4, 4, 0x7fffffff), "and starts at 2147483647"));
}

TEST_CASE("version lists stay in their table") {
  std::string image = loaded_library("/libc.so.6");
  const std::size_t need = file_offset(image, number(image, dynamic_value(image, 0x6ffffffe), 8));
  std::string copy = image;
  put(copy, need + 8, 4, 0xfffffff0);  // vn_aux
  CHECK(says(refusal(copy), "an entry of DT_VERNEED at 4294967280 leaves its table"));
  copy = image;
  put(copy, need, 2, 9);
  CHECK(says(refusal(copy), "has revision 9, expected 1"));
  const std::size_t definition =
      file_offset(image, number(image, dynamic_value(image, 0x6ffffffc), 8));
  copy = image;
  put(copy, definition + 16, 4, 1);  // vd_next: records that overlap
  CHECK_FALSE(read(copy));
  // Loaders follow the list; the count beside it is not theirs.
  copy = image;
  put(copy, dynamic_value(image, 0x6fffffff), 8, 1ULL << 31U);
  const Result<ElfFacts> facts = read(copy);
  REQUIRE(facts);
  CHECK(facts->version_needs == read(image)->version_needs);
}

TEST_CASE("segments whose addresses wrap round are refused") {
  std::string image = loaded_library("/libc.so.6");
  const std::size_t stack = program_header(image, 0x6474e551);
  REQUIRE(stack != 0);
  put(image, stack, 4, 1);  // PT_GNU_STACK becomes a PT_LOAD
  put(image, stack + 16, 8, 0xfffffffffffff000);
  put(image, stack + 40, 8, 0x10000);
  CHECK(says(refusal(image),
             "the PT_LOAD segment at address 0xfffffffffffff000 takes 0x10000 bytes of memory"));
}

TEST_CASE("what a loader would miss is nothing to device code and objects") {
  std::string image = loaded_library("/libc.so.6");
  put(image, dynamic_value(image, 5), 8, 0x7fff0000);
  put(image, 18, 2, 190);
  Result<ElfFacts> facts = read(image);
  REQUIRE(facts);
  CHECK(facts->machine == "em_190");
  CHECK_FALSE(facts->is_host());
  CHECK(facts->section_headers);
  put(image, 56, 2, 0);  // no program headers
  put(image, 16, 2, 1);
  put(image, 18, 2, 62);
  facts = read(image);
  REQUIRE(facts);
  CHECK(facts->type == "rel");
  CHECK(facts->machine == "x86_64");
  CHECK_FALSE(facts->dynamic);
}

TEST_CASE("flags and paths of the dynamic table") {
  std::string image = loaded_library("/libc.so.6");
  // Spare entries: the soname's becomes a search path, DT_VERNEEDNUM's a flag.
  const std::size_t soname = dynamic_value(image, 14);
  put(image, soname - 8, 8, 29);
  put(image, dynamic_value(image, 0x6fffffff) - 8, 8, 22);
  Result<ElfFacts> facts = read(image);
  REQUIRE(facts);
  CHECK(facts->soname.empty());
  CHECK(facts->has_runpath);
  CHECK_FALSE(facts->has_rpath);
  CHECK(facts->runpath == std::vector<std::string>{"libc.so.6"});
  CHECK(facts->text_relocations);
  // An empty search path is one empty entry.
  put(image, soname, 8, 0);
  facts = read(image);
  REQUIRE(facts);
  CHECK(facts->has_runpath);
  CHECK(facts->runpath == std::vector<std::string>{""});
  const std::size_t strings = file_offset(image, number(image, dynamic_value(image, 5), 8));
  image.replace(strings + 1, 5, std::string("a::b\0", 5));
  put(image, soname, 8, 1);
  facts = read(image);
  REQUIRE(facts);
  CHECK(facts->runpath == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("a library cut anywhere gives facts or a reason") {
  const std::string image = loaded_library("/libc.so.6");
  std::size_t refused = 0;
  for (std::size_t size = 0; size < 4096; ++size) refused += !read(image.substr(0, size));
  CHECK(refused == 4096);
  for (std::size_t size = 4096; size < image.size(); size += 65521) {
    static_cast<void>(read(image.substr(0, size)));
  }
}

TEST_CASE("the wanted ranges are what reading asks for") {
  const std::string image = loaded_library("/libc.so.6");
  WholeMember member{ByteView(std::string_view(image))};
  const std::vector<Range> ranges = wanted_ranges(member);
  REQUIRE_FALSE(ranges.empty());
  CHECK(ranges.front().offset == 0);
  std::uint64_t end = 0;
  for (const Range& range : ranges) {
    CHECK((range.offset > end || end == 0));
    end = range.offset + range.length;
  }
  CHECK(end <= image.size());
  CHECK(member.misses().empty());
}
