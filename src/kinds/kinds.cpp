// Every kind of every group, by name.
#include <algorithm>

#include "kinds/groups.hpp"

namespace wheel_audit {

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kAll = [] {
    std::vector<Kind> all;
    for (const auto& group : {
             archive_kinds,     cmake_kinds,        collision_kinds,    component_kinds,
             cuda_need_kinds,   cuda_package_kinds, cuda_shipped_kinds, cuda_train_kinds,
             elf_kinds,         environment_kinds,  gpu_kinds,          gpu_row_kinds,
             header_kinds,      hop_kinds,          junk_kinds,         linkage_kinds,
             machine_kinds,     members_kinds,      metadata_kinds,     needs_kinds,
             overwriting_kinds, owner_kinds,        partner_kinds,      path_string_kinds,
             payload_kinds,     python_abi_kinds,   record_kinds,       release_package_kinds,
             release_row_kinds, scripts_kinds,      search_path_kinds,  shipped_kinds,
             symbol_kinds,      unresolved_kinds,   tags_kinds,         version_kinds,
             wheel_name_kinds,
         }) {
      std::ranges::copy(group(), std::back_inserter(all));
    }
    std::ranges::sort(all, {}, &Kind::name);
    return all;
  }();
  return kAll;
}

}  // namespace wheel_audit
