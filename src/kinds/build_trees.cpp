// Which absolute paths are a build tree of somebody (table linux/build-trees).
#include "kinds/build_trees.hpp"

namespace wheel_audit {

BuildTrees BuildTrees::of(Params& params) {
  const Json& table = params.table("trees");
  if (table.is_null()) return {};
  BuildTrees trees{table["roots"].strings(), table["entries"].strings(),
                   table["scratch"].strings()};
  if (trees.roots.empty()) params.fail("the table of build trees has no \"roots\"");
  return trees;
}

}  // namespace wheel_audit
