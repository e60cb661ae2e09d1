// Loads a root as glibc's and musl's loaders do: breadth first, each need in order.
#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include "wheel_audit/loader.hpp"
#include "wheel_audit/text.hpp"

namespace wheel_audit {

bool Closure::contains(const Placed* object) const {
  return std::ranges::find(loaded, object) != loaded.end();
}

std::vector<const Placed*> Closure::chain_to(const Placed* object) const {
  std::vector<const Placed*> chain;
  while (object != root && chain.size() <= loaded.size()) {
    // The edge that loaded it: the first one that found it.
    const auto edge = std::ranges::find_if(
        edges, [&](const Edge& e) { return e.to == object && e.met == Met::found; });
    if (edge == edges.end()) break;
    object = edge->from;
    chain.push_back(object);
  }
  return chain;
}

namespace {

void append_entries(std::vector<AppliedEntry>& out, const std::vector<std::string>& texts,
                    const Placed& owner) {
  for (const std::string& text : texts)
    out.push_back({search_entry(text, directory_name(owner.path)), &owner});
}

}  // namespace

std::vector<AppliedEntry> search_path_of(const Placed& object,
                                         const std::vector<const Placed*>& chain, Libc libc) {
  std::vector<AppliedEntry> entries;
  if (libc == Libc::musl) {
    // musl reads DT_RUNPATH, else DT_RPATH, as one thing, and walks up what loaded the object.
    append_entries(entries, object.elf->search_path(), object);
    for (const Placed* parent : chain) append_entries(entries, parent->elf->search_path(), *parent);
    return entries;
  }
  if (object.elf->has_runpath) {
    append_entries(entries, object.elf->runpath, object);
    return entries;
  }
  append_entries(entries, object.elf->rpath, object);
  for (const Placed* parent : chain) {
    if (!parent->elf->has_runpath) append_entries(entries, parent->elf->rpath, *parent);
  }
  return entries;
}

namespace {

/// One load in progress.
class Loading {
 public:
  Loading(const Site& site, const Placed& root, Libc libc) : site_(site), libc_(libc) {
    closure_.root = &root;
    closure_.loaded.push_back(&root);
    parents_.emplace(&root, nullptr);
    if (libc == Libc::glibc && !root.elf->soname.empty()) names_.emplace(root.elf->soname, &root);
  }

  Closure run() {
    for (std::size_t next = 0; next < closure_.loaded.size(); ++next) {
      const Placed* object = closure_.loaded[next];
      for (const std::string& need : object->elf->needed) meet(*object, need);
    }
    return std::move(closure_);
  }

 private:
  void meet(const Placed& from, const std::string& need) {
    Edge edge{&from, need, Met::absent, nullptr, {}, nullptr};
    const auto known = names_.find(need);
    if (known != names_.end()) {
      edge.met = Met::loaded;
      edge.to = known->second;
    } else if (need.find('/') == std::string::npos) {
      search(from, edge);
    }
    closure_.edges.push_back(std::move(edge));
  }

  void search(const Placed& from, Edge& edge) {
    std::vector<const Placed*> chain;
    for (const Placed* up = parents_.at(&from); up != nullptr; up = parents_.at(up))
      chain.push_back(up);
    for (const AppliedEntry& applied : search_path_of(from, chain, libc_)) {
      for (const std::string& directory : applied.entry.directories) {
        const Placed* file = site_.at(directory.empty() ? edge.need : directory + "/" + edge.need);
        // A file of another machine or width is passed over; the search goes on.
        if (file == nullptr || file->elf == nullptr || file->elf->machine != from.elf->machine ||
            file->elf->bits != from.elf->bits) {
          continue;
        }
        edge.entry = applied.entry.text;
        edge.entry_owner = applied.owner;
        return add(from, *file, edge);
      }
    }
  }

  void add(const Placed& from, const Placed& file, Edge& edge) {
    edge.to = &file;
    const bool fresh = parents_.emplace(&file, &from).second;
    edge.met = fresh ? Met::found : Met::loaded;
    names_.emplace(edge.need, &file);
    if (!fresh) return;
    // glibc takes the soname as a further name of the object, musl only the name it was found by.
    if (libc_ == Libc::glibc && !file.elf->soname.empty()) names_.emplace(file.elf->soname, &file);
    closure_.loaded.push_back(&file);
  }

  const Site& site_;
  Libc libc_;
  Closure closure_;
  std::unordered_map<std::string, const Placed*> names_;
  std::unordered_map<const Placed*, const Placed*> parents_;
};

}  // namespace

Closure load(const Site& site, const Placed& root, Libc libc) {
  return Loading(site, root, libc).run();
}

std::vector<const Placed*> roots(const Site& site, const WheelFacts& wheel) {
  std::unordered_set<std::string_view> needed;
  for (const ElfFacts& elf : wheel.elves) {
    for (const std::string& need : elf.needed) {
      // A library that needs itself is still a root.
      if (need != base_name(elf.path) && need != elf.soname) needed.insert(need);
    }
  }
  std::vector<const Placed*> found;
  std::vector<const Placed*> rest;
  for (const ElfFacts& elf : wheel.elves) {
    if (!elf.is_host() || elf.type == "rel" || elf.type == "core") continue;
    const Placed* placed = site.of(wheel, elf.path);
    if (placed == nullptr || placed->elf == nullptr) continue;
    const bool wanted = needed.contains(base_name(elf.path)) ||
                        (!elf.soname.empty() && needed.contains(elf.soname));
    (elf.is_extension() || elf.is_executable() || !wanted ? found : rest).push_back(placed);
  }
  // Libraries that only need each other have no root yet: the first of each circle becomes one.
  std::unordered_set<const Placed*> reached;
  for (const Placed* root : found) {
    for (const Placed* object : load(site, *root, Libc::glibc).loaded) reached.insert(object);
  }
  for (const Placed* placed : rest) {
    if (reached.contains(placed)) continue;
    // Needed by something reached, though no search path leads there: not a circle.
    const bool asked = std::ranges::any_of(wheel.elves, [&](const ElfFacts& elf) {
      const Placed* other = site.of(wheel, elf.path);
      return other != nullptr && other != placed && reached.contains(other) &&
             (elf.needs(base_name(placed->path)) ||
              (!placed->elf->soname.empty() && elf.needs(placed->elf->soname)));
    });
    if (asked) {
      reached.insert(placed);
      continue;
    }
    found.push_back(placed);
    for (const Placed* object : load(site, *placed, Libc::glibc).loaded) reached.insert(object);
  }
  return found;
}

}  // namespace wheel_audit
