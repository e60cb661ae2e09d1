// The kinds, one group a source file. A kind is a function and a row of its file's table.
#pragma once

#include <vector>

#include "wheel_audit/rules.hpp"

namespace wheel_audit {

std::vector<Kind> archive_kinds();
std::vector<Kind> cmake_kinds();
std::vector<Kind> collision_kinds();
std::vector<Kind> component_kinds();
std::vector<Kind> cuda_need_kinds();
std::vector<Kind> cuda_package_kinds();
std::vector<Kind> cuda_shipped_kinds();
std::vector<Kind> cuda_train_kinds();
std::vector<Kind> elf_kinds();
std::vector<Kind> environment_kinds();
std::vector<Kind> gpu_kinds();
std::vector<Kind> gpu_row_kinds();
std::vector<Kind> header_kinds();
std::vector<Kind> hop_kinds();
std::vector<Kind> junk_kinds();
std::vector<Kind> linkage_kinds();
std::vector<Kind> machine_kinds();
std::vector<Kind> members_kinds();
std::vector<Kind> metadata_kinds();
std::vector<Kind> needs_kinds();
std::vector<Kind> owner_kinds();
std::vector<Kind> overwriting_kinds();
std::vector<Kind> partner_kinds();
std::vector<Kind> path_string_kinds();
std::vector<Kind> payload_kinds();
std::vector<Kind> python_abi_kinds();
std::vector<Kind> record_kinds();
std::vector<Kind> release_package_kinds();
std::vector<Kind> release_row_kinds();
std::vector<Kind> scripts_kinds();
std::vector<Kind> search_path_kinds();
std::vector<Kind> shipped_kinds();
std::vector<Kind> symbol_kinds();
std::vector<Kind> unresolved_kinds();
std::vector<Kind> tags_kinds();
std::vector<Kind> version_kinds();
std::vector<Kind> wheel_name_kinds();

}  // namespace wheel_audit
