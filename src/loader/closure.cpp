// Questions about what a root brought in.
#include <algorithm>

#include "wheel_audit/loader.hpp"

namespace wheel_audit {

bool Closure::contains(const Placed* object) const {
  return std::ranges::find(loaded, object) != loaded.end();
}

std::vector<const Placed*> Chains::to(const Placed* object) {
  // The first edge to an object is the one that loaded it; its `from` was loaded earlier, so the
  // walk up ends at the root.
  if (loaders_.empty()) {
    for (const Edge& edge : closure_.edges) {
      if (edge.to != nullptr && edge.to != closure_.root) loaders_.emplace(edge.to, edge.from);
    }
  }
  std::vector<const Placed*> chain;
  for (auto up = loaders_.find(object); up != loaders_.end(); up = loaders_.find(up->second)) {
    chain.push_back(up->second);
  }
  return chain;
}

LoadTree load_tree(const Closure& closure) {
  LoadTree tree{shown_path(closure.root->path), {}};
  for (const Edge& edge : closure.edges) {
    LoadedNeed need;
    need.from = shown_path(edge.from->path);
    need.need = edge.need;
    need.met = edge.met;
    if (edge.to != nullptr) need.to = shown_path(edge.to->path);
    if (edge.met == Met::found) {
      need.entry = edge.entry;
      need.entry_of = shown_path(edge.entry_owner->path);
    }
    tree.needs.push_back(std::move(need));
  }
  return tree;
}

}  // namespace wheel_audit
