// Loads a root as the dynamic loader does: breadth first, each need met by a name that is already
// known or by the first file on the search path. Follows _dl_map_object() and open_verify() in
// glibc's elf/dl-load.c, and load_library() in musl's ldso/dynlink.c.
#include <array>
#include <map>
#include <set>
#include <unordered_set>

#include "loader/entries.hpp"
#include "wheel_audit/loader.hpp"
#include "wheel_audit/names.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

namespace {

constexpr std::size_t kNone = ~std::size_t{0};

/// A directory of the site that an object's search path names.
struct Directory {
  std::string path;
  std::string_view entry;  ///< as written
};

struct Loaded {
  const Placed* file = nullptr;
  std::vector<Directory> directories;  ///< those that exist, each once, in order
  /// The nearest object above in the chain of loaders that has directories to inherit.
  std::size_t above = kNone;
};

struct Loading {
  const Site& site;
  const ElfFacts& process;  ///< the root: its machine is that of the interpreter
  Libc libc;
  std::vector<Loaded> objects = {};
  std::unordered_set<const Placed*> files = {};
  /// The names that meet a need. A name goes to the first object that has it, as in the loaders'
  /// walk along their list of objects.
  std::map<std::string, const Placed*, std::less<>> names = {};
  /// Whether the site has a library of this name at all.
  std::map<std::string, bool, std::less<>> in_site = {};
};

/// Names that the process has from the host before the root is loaded, and never searches: the
/// loader itself, and with an interpreter its C and math libraries. musl's loader is its C library
/// under all the names that it reserves.
bool comes_with_process(std::string_view need, const ElfFacts& root, Libc libc) {
  if (libc == Libc::musl) {
    constexpr std::array<std::string_view, 7> kReserved = {
        "libc.", "libpthread.", "librt.", "libm.", "libdl.", "libutil.", "libxnet."};
    for (const std::string_view prefix : kReserved) {
      if (need.starts_with(prefix)) return true;
    }
    return false;
  }
  if (need.starts_with("ld-linux") || need == "ld64.so.1" || need == "ld64.so.2") return true;
  return !root.is_executable() && (need == "libc.so.6" || need == "libm.so.6");
}

std::vector<Directory> directories_of(const Loading& loading, const Placed& owner) {
  std::vector<Directory> directories;
  std::set<std::string, std::less<>> seen;
  const Reader reader = {.libc = loading.libc,
                         .machine = owner.elf->machine,
                         .python = owner.wheel == nullptr ? "" : only_python(*owner.wheel)};
  for (const std::string_view text : own_entries(*owner.elf, loading.libc)) {
    const SearchEntry entry = search_entry(text, directory_name(owner.path), reader);
    for (const std::string& path : entry.directories) {
      if (loading.site.is_directory(path) && seen.insert(path).second) {
        directories.push_back({path, text});
      }
    }
  }
  return directories;
}

void add(Loading& loading, const Placed& file, std::size_t loader) {
  std::size_t above = loader;
  // An object with DT_RUNPATH hands glibc nothing down, but does not end the chain.
  while (above != kNone &&
         (loading.objects[above].directories.empty() ||
          (loading.libc == Libc::glibc && loading.objects[above].file->elf->has_runpath))) {
    above = loading.objects[above].above;
  }
  loading.objects.push_back({&file, directories_of(loading, file), above});
  loading.files.insert(&file);
  if (loading.libc == Libc::glibc && !file.elf->soname.empty()) {
    loading.names.emplace(file.elf->soname, &file);
  }
}

enum class Verdict : std::uint8_t { pass, take, stop };

/// What the loader does with the file at a path where it looks for a library.
Verdict judge(const Loading& loading, const std::string& path, const Placed* file) {
  // A directory of the library's name opens and cannot be read: the end of the search.
  if (file == nullptr) return loading.site.is_directory(path) ? Verdict::stop : Verdict::pass;
  const ElfFacts* elf = file->elf;
  const bool dynamic = elf != nullptr && elf->type == "dyn";
  const bool fits = dynamic && elf->bits == loading.process.bits &&
                    elf->big_endian == loading.process.big_endian &&
                    elf->machine == loading.process.machine;
  if (fits) return Verdict::take;
  // musl takes the first file that opens. glibc goes on after an ELF file of another class or
  // machine (device code among them), and gives up at any other.
  if (loading.libc == Libc::musl) return Verdict::stop;
  if (elf == nullptr) {
    return file->member->kind == MemberKind::elf ? Verdict::pass : Verdict::stop;
  }
  if (elf->bits != loading.process.bits) return Verdict::pass;
  if (elf->big_endian != loading.process.big_endian) return Verdict::stop;
  return elf->machine == loading.process.machine ? Verdict::stop : Verdict::pass;
}

/// Looks in an object's own directories. True when the search has ended.
bool search_own(const Loading& loading, const Loaded& owner, Edge& edge) {
  for (const Directory& directory : owner.directories) {
    std::string path = directory.path;
    if (!path.empty()) path += '/';
    path += edge.need;
    const Placed* file = loading.site.at(path);
    const Verdict verdict = judge(loading, path, file);
    if (verdict == Verdict::pass) continue;
    if (verdict == Verdict::take) {
      edge.met = Met::found;
      edge.to = file;
      edge.entry = directory.entry;
      edge.entry_owner = owner.file;
    }
    return true;
  }
  return false;
}

void search(const Loading& loading, std::size_t from, Edge& edge) {
  const Loaded& object = loading.objects[from];
  if (search_own(loading, object, edge)) return;
  if (loading.libc == Libc::glibc && object.file->elf->has_runpath) return;
  for (std::size_t at = object.above; at != kNone; at = loading.objects[at].above) {
    if (search_own(loading, loading.objects[at], edge)) return;
  }
}

/// glibc opens a need with a slash as it is, tokens replaced; only the origin leads into the site.
void open_path(const Loading& loading, Edge& edge) {
  if (loading.libc != Libc::glibc) return;
  const Reader reader = {.libc = Libc::glibc, .machine = edge.from->elf->machine};
  const SearchEntry path = search_entry(edge.need, directory_name(edge.from->path), reader);
  for (const std::string& place : path.directories) {
    const Placed* file = loading.site.at(place);
    if (judge(loading, place, file) != Verdict::take) continue;
    edge.met = loading.files.contains(file) ? Met::loaded : Met::found;
    edge.to = file;
    edge.entry = edge.need;
    edge.entry_owner = edge.from;
    return;
  }
}

/// Spares the search where nothing in the site could end it well, which is most of the time.
bool may_be_found(Loading& loading, const std::string& need) {
  const auto [known, fresh] = loading.in_site.emplace(need, false);
  if (fresh) known->second = !loading.site.libraries_named(need).empty();
  return known->second;
}

Edge resolve(Loading& loading, std::size_t from, const std::string& need) {
  Edge edge;
  edge.from = loading.objects[from].file;
  edge.need = need;
  if (comes_with_process(need, loading.process, loading.libc)) return edge;
  const auto known = loading.names.find(need);
  if (known != loading.names.end()) {
    edge.met = Met::loaded;
    edge.to = known->second;
  } else if (need.find('/') != std::string::npos) {
    open_path(loading, edge);
  } else if (may_be_found(loading, need)) {
    search(loading, from, edge);
    if (edge.to != nullptr) loading.names.emplace(need, edge.to);
  }
  if (edge.met == Met::found && !loading.files.contains(edge.to)) add(loading, *edge.to, from);
  return edge;
}

}  // namespace

Closure load(const Site& site, const Placed& root, Libc libc) {
  Closure closure;
  closure.root = &root;
  closure.loaded.push_back(&root);
  if (root.elf == nullptr) return closure;
  Loading loading{.site = site, .process = *root.elf, .libc = libc};
  add(loading, root, kNone);
  for (std::size_t at = 0; at < loading.objects.size(); ++at) {
    NameSet absent;  // a need said twice is searched once
    for (const std::string& need : loading.objects[at].file->elf->needed) {
      if (absent.contains(need)) continue;
      closure.edges.push_back(resolve(loading, at, need));
      if (closure.edges.back().met == Met::absent) absent.insert(need);
    }
  }
  closure.loaded.clear();
  for (const Loaded& object : loading.objects) closure.loaded.push_back(object.file);
  return closure;
}

}  // namespace wheel_audit
