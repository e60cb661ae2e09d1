// CUDA trains: what sonames, packages and claims tell of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kinds/libraries.hpp"

namespace wheel_audit {

/// The CUDA major that a needed soname tells: the one train in whose rows alone it stands; 0 where
/// it stands in both or in none. A version that no row has tells it where all versions of that
/// library are CUDA's own majors (`libcudart.so.14`).
int train_of_soname(const Libraries& libraries, std::string_view soname);

/// The CUDA release that a needed soname tells by its version (`cu128` of
/// `libnvrtc-builtins.so.12.8`), or empty.
std::string release_of_soname(const Libraries& libraries, std::string_view soname);

/// The CUDA major that a requirement for any package tells, NVIDIA's own included: by a suffix
/// (`cupy-cuda12x`), or by the local version that it is pinned to (`torch==2.9.0+cu128`); 0 for
/// none.
int train_told_by(const Libraries& libraries, const Requirement& requirement);

/// Whether a requirement is pinned to a build for another accelerator than CUDA, or for none
/// (`torch==2.9.0+cpu`).
bool is_pinned_without_cuda(const Requirement& requirement);

/// The CUDA major that a requirement is for: by its `-cuNN` suffix, by the rows of its package, or
/// for cuda-toolkit by its bounds; 0 where it is no NVIDIA package or tells none.
int train_of_requirement(const Libraries& libraries, const Requirement& requirement);

/// Whether a requirement names a package of NVIDIA's CUDA libraries.
bool is_cuda_package(const Libraries& libraries, const Requirement& requirement);

/// A package's name without its train: `nvidia-cublas` of `nvidia-cublas-cu12`.
std::string_view without_train_suffix(std::string_view name);

}  // namespace wheel_audit
