// Questions about DT_RPATH and DT_RUNPATH.
#include "kinds/groups.hpp"

namespace wheel_audit {

std::vector<Kind> search_path_kinds() { return {}; }

}  // namespace wheel_audit
